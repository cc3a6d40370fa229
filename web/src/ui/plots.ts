/* plots.ts: live curves of anything that can be recorded. */
import uPlot from "uplot";
import type { App } from "../app.ts";
import { el } from "./dom.ts";

const COLORS = ["#e8590c", "#1c7ed6", "#2f9e44", "#ae3ec9", "#f08c00", "#0c8599"];
const MOST_CURVES = 6, EVERY = 250; /* ms between pictures */

export class PlotPanel {
    readonly element = el("div", { class: "plots" });
    private readonly pick = el("input", { type: "text", "aria-label": "quantity to plot",
                                          placeholder: "add a quantity: link1.px …" });
    private readonly offers = el("datalist", { id: "quantities" });
    private readonly chips = el("div", { class: "chips" });
    private readonly host = el("div", { class: "plot" });
    private readonly value = el("p", { class: "quiet" });
    private curves: number[] = [];
    private plot: uPlot | null = null;
    private last = 0;
    visible = false;

    constructor(private readonly app: App) {
        new ResizeObserver(() => this.fit()).observe(this.host);
        this.pick.setAttribute("list", "quantities");
        this.pick.addEventListener("change", () => {
            const column = this.app.model!.columns.indexOf(this.pick.value);
            if (column > 0) {
                this.add(column);
                this.pick.value = "";
            }
        });
        this.element.append(this.pick, this.offers, this.chips, this.host, this.value,
            el("p", { class: "quiet" }, "A joint picked in the picture adds its coordinate."));
    }

    build(): void {
        const columns = this.app.model!.columns;
        this.offers.replaceChildren(...columns.slice(1, 3000).map((name) =>
            el("option", { value: name })));
        this.curves = [];
        const energy = columns.indexOf("energy.total"), kinetic = columns.indexOf("energy.kinetic");
        for (const column of [energy, kinetic])
            if (column > 0)
                this.curves.push(column);
        this.rebuild();
    }

    add(column: number): void {
        if (!this.curves.includes(column))
            this.curves = [...this.curves, column].slice(-MOST_CURVES);
        this.rebuild();
    }

    addJoint(joint: number): void {
        const model = this.app.model!;
        const owner = model.joints[joint];
        const column = owner?.coordinates[0]
            ? model.columns.indexOf(`${owner.name}.${owner.coordinates[0].name}`) : -1;
        if (column > 0)
            this.add(column);
    }

    private rebuild(): void {
        const model = this.app.model!;
        this.chips.replaceChildren(...this.curves.map((column, k) => {
            const name = model.columns[column]!;
            const chip = el("button", { type: "button", class: "chip", title: "remove",
                                        "aria-label": `remove ${name}` }, name);
            chip.style.borderColor = COLORS[k]!;
            chip.addEventListener("click", () => {
                this.curves = this.curves.filter((other) => other !== column);
                this.rebuild();
            });
            return chip;
        }));
        this.plot?.destroy();
        this.plot = null;
        this.last = 0;
        void this.update(true);
    }

    private make(): void {
        const model = this.app.model!, style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue("--ink"), grid = style.getPropertyValue("--line");
        const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid },
                       font: "11px system-ui", size: 46 };
        this.plot = new uPlot({
            width: Math.max(200, this.host.clientWidth), height: 260,
            legend: { show: false }, cursor: { drag: { x: false, y: false } },
            scales: { x: { time: false } },
            axes: [{ ...axis, size: 30 }, axis],
            series: [{}, ...this.curves.map((column, k) => ({
                label: model.columns[column]!, stroke: COLORS[k]!, width: 1.6 }))],
            hooks: { setCursor: [(plot: uPlot) => this.tell(plot)] },
        }, [[], ...this.curves.map(() => [])] as uPlot.AlignedData, this.host);
        this.plot.over.addEventListener("click", () => {
            const { left } = this.plot!.cursor;
            if (left !== undefined && left >= 0)
                this.app.seek(this.plot!.posToVal(left, "x"));
        });
    }

    private tell(plot: uPlot): void {
        const { idx } = plot.cursor;
        if (idx === null || idx === undefined)
            return;
        this.value.textContent = `t = ${Number(plot.data[0][idx]).toFixed(4)} s: ` +
            this.curves.map((column, k) => `${this.app.model!.columns[column]} = ` +
                `${Number(plot.data[k + 1]![idx]).toPrecision(6)}`).join(", ");
    }

    /* As wide as its panel, which may be on its way to its width. */
    private fit(): void {
        const width = Math.max(200, this.host.clientWidth);
        if (this.plot && this.plot.width !== width)
            this.plot.setSize({ width, height: 260 });
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
        if (!this.plot)
            this.make();
        this.fit();
        this.plot!.setData(data as unknown as uPlot.AlignedData);
    }

    restyle(): void { this.rebuild(); }
}
