/* plots.ts: live curves of anything that can be recorded: a panel for each unit, over the time, or one
 * quantity over another with the same scale both ways where they have one unit.
 */
import uPlot from "uplot";
import type { App } from "../app.ts";
import { el, save, show } from "./dom.ts";
import { drawAcross, scalesOf } from "./across.ts";
import { LITTLE, countOf, spectrumOf } from "../spectrum.ts";
import { FIELD, plotSvg, rangeOf } from "./plotsvg.ts";
import type { Chart } from "./plotsvg.ts";
import { t } from "../words/words.ts";

const COLORS = ["#e8590c", "#1c7ed6", "#2f9e44", "#ae3ec9", "#f08c00", "#0c8599"];
const MOST_CURVES = 6, EVERY = 250; /* ms between pictures */
const HEIGHT = 190, SQUARE = 320;   /* pixels */
const FREQUENCY = -1;               /* instead of a column: curves over the frequency */

const MOST_KEPT = 4;                /* runs */
const MOST_NUMBERS = 2e6;           /* of a run that is kept; of a larger one the curves that are shown */
const DASHES = [[7, 4], [2, 3], [10, 3, 2, 3], [4, 8]]; /* pixels, run by run */

interface Panel { plot: uPlot; curves: number[] }
/* A run to compare others with: the times, and its columns by name. */
interface Kept { name: string; times: Float64Array; columns: Map<string, Float64Array> }

export class PlotPanel {
    readonly element = el("div", { class: "plots" });
    private readonly pick = el("input", { type: "text", "aria-label": t("quantity to plot"),
                                          placeholder: t("add a quantity: link1.px …") });
    private readonly over = el("select", { "aria-label": t("over what") });
    private readonly offers = el("datalist", { id: "quantities" });
    private readonly chips = el("div", { class: "chips" });
    private readonly keptChips = el("div", { class: "chips kept" });
    private kept: Kept[] = [];
    private counted = 0; /* runs that were kept */
    private readonly keepButton = el("button", { type: "button", id: "keep-run", title: t("what was simulated so far stays in the plots, dashed, beside what comes next"),
        click: () => void this.app.act(() => this.keep()) }, t("keep this run to compare"));
    private readonly host = el("div", { class: "plot" });
    private readonly value = el("p", { class: "quiet" });
    private readonly window = el("p", { class: "quiet window", hidden: true }); /* of which rows a spectrum is */
    private curves: number[] = [];
    private panels: Panel[] = [];
    private across: HTMLCanvasElement | null = null;
    private last = 0;
    visible = false;

    constructor(private readonly app: App) {
        new ResizeObserver(() => this.fit()).observe(this.host);
        this.pick.setAttribute("list", "quantities");
        this.pick.addEventListener("change", () => {
            const column = this.app.model!.columns.indexOf(this.pick.value);
            this.pick.classList.toggle("wrong", column <= 0 && this.pick.value !== "");
            if (column > 0) {
                this.add(column);
                this.pick.value = "";
            }
        });
        this.over.addEventListener("change", () => this.rebuild());
        this.element.append(this.pick, this.offers, this.chips, el("label", { class: "field" }, el("span", {}, t("over")), this.over),
            el("div", { class: "chips" }, this.keepButton, el("button", { type: "button", id: "plot-csv", title: t("the curves that are shown, and the runs that were kept, as a table"),
                click: () => void this.app.act(() => this.csv()) }, "CSV"), el("button", { type: "button", id: "plot-png", title: t("the plots as a picture"), click: () => void this.png() }, "PNG"),
                el("button", { type: "button", id: "plot-svg", title: t("the plots as lines and texts"), click: () => void this.app.act(() => this.svg()) }, "SVG")),
            this.keptChips, this.host, this.value, this.window, el("p", { class: "quiet" }, t("A joint picked in the picture adds its coordinate.")));
    }

    build(): void {
        const columns = this.app.model!.columns, kept = this.curves.map((column) => this.names[column]);
        this.offers.replaceChildren(...columns.slice(1, 3000).map((name) =>
            el("option", { value: name })));
        const again = kept.map((name) => columns.indexOf(name ?? "")).filter((column) => column > 0);
        const energies = [columns.indexOf("energy.total"), columns.indexOf("energy.kinetic")].filter((column) => column > 0);
        this.curves = again.length > 0 ? again : energies;
        this.names = columns;
        this.rebuild();
    }
    private names: string[] = []; /* of the columns that curves are numbers of */

    add(column: number): void {
        if (!this.curves.includes(column))
            this.curves = [...this.curves, column].slice(-MOST_CURVES);
        this.rebuild();
    }

    /* What was simulated, as it is, for comparison with what comes. */
    private async keep(): Promise<void> {
        const { columns } = this.app.model!, all = columns.map((_, k) => k), rows = (await this.app.client.columns([]))[0]!.length;
        const kept = rows * all.length <= MOST_NUMBERS ? all.slice(1) : this.curves, data = await this.app.client.columns(kept);
        if (rows < 2) {
            this.app.tell(t("nothing is simulated yet: there is no run to keep"));
            return;
        }
        this.kept = [...this.kept, { name: `run ${++this.counted}`, times: data[0]!, columns: new Map(kept.map((column, k) => [columns[column]!, data[k + 1]!])) }]
            .slice(-MOST_KEPT);
        this.rebuild();
    }
    /* The curves as they are shown, in the units of their axes; runs that were kept beside them, at the times of all. */
    private async csv(): Promise<void> {
        await this.draw();
        if (this.isSpectrum) {
            await this.spectrumCsv();
            return;
        }
        const { columns } = this.app.model!, named = (column: number, run = "") => `${columns[column]}${run ? ` (${run})` : ""} [${this.unit(column)}]`;
        const data = await this.app.client.columns(this.curves), tables = [[data[0]!, ...data.slice(1).map((one, k) => this.sized(this.curves[k]!, one))],
            ...this.kept.map((run) => [run.times, ...this.curves.map((column) => this.keptCurve(run, column))])];
        const all = tables.length === 1 ? tables[0]! : uPlot.join(tables as unknown as uPlot.AlignedData[]);
        const head = ["t [s]", ...["", ...this.kept.map((run) => run.name)].flatMap((run) => this.curves.map((column) => named(column, run)))];
        const lines = Array.from(all[0]!, (_, i) => all.map((column) => Number.isFinite(column[i] ?? NaN) ? String(column[i]) : "").join(","));
        save(this.app.fileName("plot.csv"), new Blob([[head.map((one) => `"${one}"`).join(","), ...lines, ""].join("\r\n")], { type: "text/csv" }));
    }
    /* A row for each frequency. */
    private async spectrumCsv(): Promise<void> {
        const data = await this.app.client.columns(this.curves), { columns } = this.app.model!;
        const spectra = this.spectra(data[0]!, this.curves.map((column, k) => this.sized(column, data[k + 1]!)));
        const head = spectra.flatMap(({ name }) => [`frequency${name ? ` (${name})` : ""} [Hz]`,
            ...this.curves.map((column) => `${columns[column]}${name ? ` (${name})` : ""} [${this.unit(column)}]`)]);
        const all = spectra.flatMap(({ frequencies, amplitudes }) => [frequencies, ...amplitudes]);
        const lines = Array.from({ length: Math.max(0, ...all.map((one) => one.length)) }, (_, i) => all.map((one) => i < one.length ? String(one[i]) : "").join(","));
        save(this.app.fileName("spectrum.csv"), new Blob([[head.map((one) => `"${one}"`).join(","), ...lines, ""].join("\r\n")], { type: "text/csv" }));
    }
    /* All plots, one below the other. */
    private async png(): Promise<void> {
        const pictures = [...this.host.querySelectorAll("canvas")], paper = el("canvas", { width: Math.max(1, ...pictures.map((one) => one.width)),
            height: Math.max(1, pictures.reduce((sum, one) => sum + one.height, 0)) }), pen = paper.getContext("2d")!;
        pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
        pen.fillRect(0, 0, paper.width, paper.height);
        pictures.reduce((top, one) => {
            pen.drawImage(one, 0, top);
            return top + one.height;
        }, 0);
        const blob = await new Promise<Blob | null>((done) => paper.toBlob(done, "image/png"));
        if (blob && pictures.length > 0)
            save(this.app.fileName("plot.png"), blob);
    }
    private sized(column: number, curve: Float64Array): Float64Array {
        const { size } = this.app.display.of(this.si(column));
        return size === 1 ? curve : curve.map((value) => value / size);
    }
    private keptCurve(run: Kept, column: number): Float64Array {
        return this.sized(column, run.columns.get(this.app.model!.columns[column]!) ?? run.times.map(() => NaN));
    }
    /* Another model is opened: its runs are compared with none of these. */
    forget(): void {
        this.kept = [];
        this.counted = 0;
    }

    addJoint(joint: number): void {
        const model = this.app.model!;
        const owner = model.joints[joint];
        const column = owner?.coordinates[0]
            ? model.columns.indexOf(`${owner.name}.${owner.coordinates[0].name}`) : -1;
        if (column > 0)
            this.add(column);
    }

    private si(column: number): string { return this.app.model!.units[column] ?? ""; }
    private unit(column: number): string { return this.app.display.of(this.si(column)).name; }
    private color(column: number): string { return COLORS[this.curves.indexOf(column)] ?? COLORS[0]!; }

    private rebuild(): void {
        const model = this.app.model!, before = this.over.value;
        this.over.replaceChildren(el("option", { value: "0" }, t("time")), el("option", { value: String(FREQUENCY) }, t("frequency")), ...this.curves.map((column) =>
            el("option", { value: String(column) }, model.columns[column]!)));
        this.over.value = this.curves.includes(Number(before)) || Number(before) === FREQUENCY ? before : "0";
        this.chips.replaceChildren(...this.curves.map((column) => {
            const name = model.columns[column]!;
            const chip = el("button", { type: "button", class: "chip", title: t("remove"),
                                        "aria-label": t("remove {0}", name) }, name);
            chip.style.borderColor = this.color(column);
            chip.addEventListener("click", () => {
                this.curves = this.curves.filter((other) => other !== column);
                this.rebuild();
            });
            return chip;
        }));
        this.keptChips.replaceChildren(...this.kept.map((run, k) => {
            const chip = el("button", { type: "button", class: "chip", title: t("forget it"), "aria-label": t("forget {0}", run.name), click: () => {
                this.kept = this.kept.filter((one) => one !== run);
                this.rebuild();
            } }, `${run.name} ${["– –", "···", "–·–", "–  –"][k]}`);
            return chip;
        }));
        this.panels.forEach(({ plot }) => plot.destroy());
        this.panels = [];
        this.across = null;
        this.host.replaceChildren();
        this.last = 0;
        void this.update(true);
    }

    private make(): void {
        const x = Number(this.over.value);
        if (x > 0) {
            this.across = el("canvas", { class: "across", role: "img",
                                         "aria-label": t("curves over {0}", this.app.model!.columns[x]!) });
            this.host.append(this.across);
            return;
        }
        const groups = new Map<string, number[]>();
        for (const column of this.curves)
            groups.set(this.unit(column), [...groups.get(this.unit(column)) ?? [], column]);
        for (const [unit, curves] of groups)
            this.panels.push({ curves, plot: this.panel(unit, curves) });
    }

    private panel(unit: string, curves: number[]): uPlot {
        const model = this.app.model!, style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue("--ink"), grid = style.getPropertyValue("--line");
        const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid },
                       font: "11px system-ui", size: 46, labelFont: "11px system-ui", labelSize: 16 };
        const plot = new uPlot({
            width: Math.max(200, this.host.clientWidth), height: HEIGHT,
            legend: { show: false }, cursor: { drag: { x: false, y: false }, sync: { key: "time" } },
            scales: { x: { time: false } },
            axes: [{ ...axis, size: 30, label: this.isSpectrum ? "frequency [Hz]" : "t [s]" }, { ...axis, label: unit === "" ? "" : `[${unit}]` }],
            series: [{}, ...curves.map((column) => ({
                label: model.columns[column]!, stroke: this.color(column), width: 1.6, spanGaps: true })),
                ...this.kept.flatMap((run, k) => curves.map((column) => ({ label: `${model.columns[column]!}, ${run.name}`, stroke: this.color(column),
                    width: 1.2, dash: DASHES[k]!, spanGaps: true })))],
            hooks: { setCursor: [(one: uPlot) => this.tell(one)] },
        }, [[], ...curves.map(() => []), ...this.kept.flatMap(() => curves.map(() => []))] as uPlot.AlignedData, this.host);
        plot.over.addEventListener("click", () => {
            const { left } = plot.cursor;
            if (left !== undefined && left >= 0 && !this.isSpectrum)
                void this.app.visit(plot.posToVal(left, "x"));
        });
        return plot;
    }

    private tell(plot: uPlot): void {
        const { idx } = plot.cursor;
        if (idx === null || idx === undefined)
            return;
        /* a run that has no row at that time says nothing */
        this.value.textContent = (this.isSpectrum ? `${show(Number(plot.data[0][idx]), 6)} Hz: ` : `t = ${Number(plot.data[0][idx]).toFixed(4)} s: `) +
            this.panels.flatMap(({ plot: one, curves }) => curves.flatMap((column, k) => [null, ...this.kept].flatMap((run, r) => {
                const value = one.data[1 + r * curves.length + k]![idx], name = this.app.model!.columns[column]!;
                return value === null || value === undefined ? [] : [`${run ? run.name : name} = ${show(Number(value), 6)} ${this.unit(column)}`];
            }))).join(", ");
    }

    /* As wide as its panel, which may be on its way to its width. */
    private fit(): void {
        const width = Math.max(200, this.host.clientWidth);
        for (const { plot } of this.panels)
            if (plot.width !== width)
                plot.setSize({ width, height: HEIGHT });
    }

    async update(now = false): Promise<void> {
        if (!this.visible || this.curves.length === 0 || (!now && performance.now() - this.last < EVERY))
            return;
        this.last = performance.now();
        await this.app.act(() => this.draw());
    }
    private async draw(): Promise<void> {
        const data = await this.app.client.columns(this.curves);
        if (data.length !== this.curves.length + 1)
            return; /* other curves were chosen meanwhile: they come next */
        if (this.panels.length === 0 && !this.across)
            this.make();
        this.fit();
        const shown = this.curves.map((column, k) => this.sized(column, data[k + 1]!));
        const of = (column: number) => shown[this.curves.indexOf(column)]!;
        const kept = (run: Kept, column: number) => this.keptCurve(run, column);
        this.window.hidden = !this.isSpectrum;
        if (this.isSpectrum) {
            this.drawSpectrum(data[0]!, shown);
            return;
        }
        for (const { plot, curves } of this.panels) {
            const runs = [[data[0]!, ...curves.map(of)], ...this.kept.map((run) => [run.times, ...curves.map((column) => kept(run, column))])];
            plot.setData((runs.length === 1 ? runs[0]! : uPlot.join(runs as unknown as uPlot.AlignedData[])) as unknown as uPlot.AlignedData);
        }
        const x = Number(this.over.value);
        if (this.across) {
            const columns = this.app.model!.columns, others = this.curves.filter((column) => column !== x);
            drawAcross(this.across, Math.max(200, this.host.clientWidth), SQUARE, of(x),
                       `${columns[x]} [${this.unit(x)}]`, others.map((column) =>
                           ({ values: of(column), color: this.color(column), name: `${columns[column]} [${this.unit(column)}]` })).concat(
                           this.kept.flatMap((run, k) => others.map((column) => ({ values: kept(run, column), color: this.color(column),
                               name: run.name, x: kept(run, x), dash: DASHES[k]! })))),
                       others.every((column) => this.unit(column) === this.unit(x)));
        }
    }

    private get isSpectrum(): boolean { return Number(this.over.value) === FREQUENCY; }
    /* Amplitudes of the curves as they are shown, and of the runs that were kept, each of its own rows. */
    private spectra(times: Float64Array, shown: Float64Array[]): { name: string; frequencies: Float64Array; amplitudes: Float64Array[] }[] {
        const all = [{ name: "", times, curves: shown }, ...this.kept.map((run) => ({ name: run.name, times: run.times,
            curves: this.curves.map((column) => this.keptCurve(run, column)) }))].map((one) => ({ name: one.name, found: spectrumOf(one.times, one.curves) }));
        const own = all[0]!.found;
        this.window.textContent = own === null ? "A spectrum needs at least 8 rows at even times: simulate some time first."
            : `Amplitudes of ${own.rows} rows at even times, ${own.from.toFixed(4)} to ${own.to.toFixed(4)} s, without their mean, ` +
              `window of Hann; two frequencies are told apart from ${show(2 / (own.to - own.from), 3)} Hz on.`;
        return all.flatMap(({ name, found }) => found ? [{ name, ...found }] : []);
    }
    private drawSpectrum(times: Float64Array, shown: Float64Array[]): void {
        const all = this.spectra(times, shown), end = Math.max(0, ...all.map((one) => one.frequencies[countOf(one) - 1]!));
        const spectra = all.map((one) => {
            const count = one.frequencies.filter((f) => f <= end).length;
            return { ...one, frequencies: one.frequencies.subarray(0, count), amplitudes: one.amplitudes.map((curve) => curve.subarray(0, count)) };
        });
        if (all.length > 0)
            this.window.textContent += ` Beyond ${show(end, 3)} Hz they are less than ${100 * LITTLE} % of the largest, and in the CSV alone.`;
        for (const { plot, curves } of this.panels) {
            const tables = [null, ...this.kept].map((run): Float64Array[] => {
                const one = spectra.find(({ name }) => name === (run?.name ?? ""));
                return one ? [one.frequencies, ...curves.map((column) => one.amplitudes[this.curves.indexOf(column)]!)]
                    : [new Float64Array(0), ...curves.map(() => new Float64Array(0))];
            });
            plot.setData((tables.length === 1 ? tables[0]! : uPlot.join(tables as unknown as uPlot.AlignedData[])) as unknown as uPlot.AlignedData);
        }
    }
    /* What is shown, as lines. */
    private async svg(): Promise<void> {
        await this.draw();
        const { columns } = this.app.model!, x = Number(this.over.value), charts: Chart[] = [];
        for (const { plot, curves } of this.panels) {
            const [across, ...lines] = plot.data, first = rangeOf([across]), up = rangeOf(lines as (number | null | undefined)[][]);
            charts.push({ x: this.isSpectrum ? "frequency [Hz]" : "t [s]", y: this.unit(curves[0]!) === "" ? "" : `[${this.unit(curves[0]!)}]`,
                low: [first[0], up[0]], high: [first[1], up[1]], lines: lines.map((y, k) => ({ x: across, y,
                    name: String(plot.series[k + 1]!.label), color: this.color(curves[k % curves.length]!), dash: (plot.series[k + 1]!.dash as number[] | undefined) ?? [] })) });
        }
        if (this.across) {
            const data = await this.app.client.columns(this.curves), of = (column: number) => this.sized(column, data[1 + this.curves.indexOf(column)]!);
            const others = this.curves.filter((column) => column !== x), lines = [null, ...this.kept].flatMap((run, r) => others.map((column) => ({
                x: run ? this.keptCurve(run, x) : of(x), y: run ? this.keptCurve(run, column) : of(column), color: this.color(column),
                dash: r > 0 ? DASHES[r - 1]! : [], name: run ? `${columns[column]}, ${run.name}` : `${columns[column]} [${this.unit(column)}]` })));
            const equal = others.every((column) => this.unit(column) === this.unit(x));
            const { x: sx, y: sy } = scalesOf(...FIELD, lines.map((one) => one.x), lines.map((one) => one.y), equal);
            charts.push({ x: `${columns[x]} [${this.unit(x)}]`, y: "", low: [sx.low, sy.low],
                          high: [sx.low + sx.size * FIELD[0], sy.low + sy.size * FIELD[1]], lines });
        }
        if (charts.length > 0)
            save(this.app.fileName("plot.svg"), new Blob([plotSvg(charts, this.app.model!.name || this.app.name)], { type: "image/svg+xml" }));
    }

    restyle(): void { this.rebuild(); }
}
