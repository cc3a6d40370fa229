/* sweeps.ts: the panel that varies one number: a coordinate from pose to pose, or a parameter from run to run; a curve and a table. */
import type { App } from "../app.ts";
import { COORDINATES } from "../engine.ts";
import { ownUnit } from "../display.ts";
import type { Shown } from "../display.ts";
import { el, field, numberBox, save, show } from "./dom.ts";
import { plotSvg, rangeOf } from "./plotsvg.ts";
import { t } from "../words/words.ts";

const PART = 40;          /* ms of a run between two looks at the page */
const MOST_VALUES = 500, MOST_NAMES = 3000;
const AXES = ["x", "y", "z"];

/* A number that is varied, or what is taken of it. of: its SI unit. */
interface Varied { name: string; of: string; joint?: number; coordinate?: number; parameter?: string; from: number; to: number }
interface Result { value: number; outcome: string; taken: number }

const TAKEN = { high: t("largest"), low: t("smallest"), last: t("at the end") } as const;

export class SweepPanel {
    readonly element = el("details", { class: "sweep" }, el("summary", {}, t("Sweep and study")));
    private readonly vary = el("select", { id: "sweep-vary", "aria-label": t("what is varied"), change: () => this.chosen() });
    private readonly of = el("select", { id: "sweep-of", "aria-label": t("what is taken of it") });
    private readonly take = el("select", { id: "sweep-take", "aria-label": t("which value of a run") }, ...Object.entries(TAKEN).map(([value, name]) => el("option", { value }, name)));
    private readonly ends = el("div", {});
    private readonly run = el("button", { type: "button", class: "main", id: "sweep-run", click: () => void this.start() }, t("Run"));
    private readonly note = el("p", { class: "quiet", role: "status" });
    private readonly result = el("div", { class: "sweep-result" });
    private all: Varied[] = [];
    private from = 0;
    private to = 1;
    private count = 21;
    private going = false;

    constructor(private readonly app: App) {
        this.element.append(field(t("vary"), this.vary), this.ends, field(t("of"), this.of), field(t("take"), this.take), this.run, this.note, this.result);
        this.element.addEventListener("toggle", () => this.build());
    }

    private get varied(): Varied | undefined { return this.all[Number(this.vary.value)]; }
    private shown({ of }: { of: string }): Shown { return this.app.display.of(of); }

    /* Of another model, or when it is opened. */
    build(): void {
        const { model } = this.app;
        this.going = false;
        this.note.textContent = "";
        this.result.replaceChildren();
        if (!model || !this.element.open)
            return;
        const far = this.app.scene.modelSize();
        const coordinates = model.joints.flatMap((joint, j) => joint.coordinates.map((info, i): Varied => {
            const now = this.app.frame?.coordinates[j * COORDINATES + i] ?? 0, reach = info.angular ? Math.PI : far / 2;
            return { name: `${joint.name}.${info.name}`, of: info.angular ? "rad" : "m", joint: j, coordinate: i, from: now - reach, to: now + reach };
        }));
        const parameters = model.parameters.filter(({ value, used, text }) => value.length === 1 && used !== 0 && !(text ?? "=").startsWith("="))
            .map(({ name, value, unit }): Varied => ({ name, of: unit, parameter: name, from: 0.8 * value[0]!, to: 1.2 * value[0]! }));
        this.all = [...coordinates, ...parameters];
        const option = (one: Varied) => el("option", { value: String(this.all.indexOf(one)) }, one.name);
        this.vary.replaceChildren(el("optgroup", { label: t("coordinates, from pose to pose") }, ...coordinates.map(option)),
                                  el("optgroup", { label: t("parameters, from run to run") }, ...parameters.map(option)));
        this.run.disabled = this.all.length === 0;
        this.chosen();
    }

    private chosen(): void {
        const { varied } = this, model = this.app.model!;
        if (!varied)
            return;
        const unit = this.shown(varied), round = (value: number) => Number((value / unit.size).toPrecision(3)) * unit.size;
        [this.from, this.to] = [round(varied.from), round(varied.to)];
        this.ends.replaceChildren(
            field(t("from"), numberBox(this.from / unit.size, "from", (value) => { this.from = value * unit.size; }, "", unit.name), unit.name),
            field(t("to"), numberBox(this.to / unit.size, "to", (value) => { this.to = value * unit.size; }, "", unit.name), unit.name),
            field(t("values"), numberBox(this.count, "values", (value) => { this.count = Math.max(2, Math.min(MOST_VALUES, Math.round(value))); })));
        const poses = [...this.all.filter((one) => one.joint !== undefined && one !== varied).map(({ name }) => name),
                       ...model.markers.flatMap(({ name }) => AXES.slice(0, model.planar ? 2 : 3).map((axis) => `${name}.${axis}`))];
        const names = varied.parameter === undefined ? poses : model.columns.slice(1, MOST_NAMES), before = this.of.value;
        this.of.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
        this.of.value = names.includes(before) ? before : names[0] ?? "";
        this.take.closest("label")!.hidden = varied.parameter === undefined;
    }

    private values(): number[] { return Array.from({ length: this.count }, (_, k) => this.from + (this.to - this.from) * k / (this.count - 1)); }

    private async start(): Promise<void> {
        const { varied } = this;
        if (this.going || !varied) {
            this.going = false; /* it stops */
            return;
        }
        this.going = true;
        this.run.textContent = t("Stop");
        try {
            const results = varied.parameter === undefined ? await this.sweep(varied) : await this.study(varied);
            if (results.length > 0)
                this.show(varied, results);
        } catch (error) {
            this.note.textContent = String(error);
        } finally {
            this.going = false;
            this.run.textContent = t("Run");
        }
    }

    private async sweep(varied: Varied): Promise<Result[]> {
        const { joints, markers } = this.app.model!, name = this.of.value, values = this.values();
        const poses = await this.app.act(() => this.app.client.sweep(varied.joint!, varied.coordinate!, values)) ?? [];
        const other = this.all.find((one) => one.name === name), [marker, axis] = [name.slice(0, name.lastIndexOf(".")), AXES.indexOf(name.slice(-1))];
        const m = markers.findIndex((one) => one.name === marker);
        const stopped = poses.filter(({ outcome }) => outcome !== "set").length;
        this.note.textContent = stopped > 0 ? `${stopped} of ${poses.length} values cannot be had: ${[...new Set(poses.map((one) => one.outcome))].filter((one) => one !== "set").join(", ")}` : "";
        return poses.map(({ outcome, coordinates, markers: places }, k): Result => ({ value: values[k]!, outcome: outcome === "set" ? "" : outcome,
            taken: outcome !== "set" ? NaN : other && other.joint! < joints.length ? coordinates[other.joint! * COORDINATES + other.coordinate!]! : places[3 * m + axis]! }));
    }

    /* A run for each value, in parts. */
    private async study(varied: Varied): Promise<Result[]> {
        const { app } = this, model = app.model!, parameter = model.parameters.find((one) => one.name === varied.parameter)!;
        const own = ownUnit(parameter.text, parameter.unit), column = model.columns.indexOf(this.of.value), kind = this.take.value as keyof typeof TAKEN;
        const results: Result[] = [], values = this.values();
        for (const [k, value] of values.entries()) {
            const failed = await app.client.beginRun(varied.parameter!, `${Number((value / own.size).toPrecision(12))} ${own.word}`.trim(), column);
            let out = failed === "" ? await app.client.advanceRun(PART) : null;
            while (out && !out.done && this.going && app.model === model)
                out = await app.client.advanceRun(PART);
            if (!this.going || app.model !== model)
                break;
            results.push({ value, outcome: out ? out.failure : failed, taken: out && out.failure === "" && Number.isFinite(out[kind]) ? out[kind] : NaN });
            this.note.textContent = `${k + 1} of ${values.length} runs of ${model.duration} s`;
        }
        await app.client.endRun();
        const bad = results.filter((one) => one.outcome !== "").length;
        if (bad > 0)
            this.note.textContent += `; ${bad} failed: see the table`;
        return app.model === model ? results : [];
    }

    private show(varied: Varied, results: Result[]): void {
        const { model } = this.app, name = this.of.value, unit = this.shown(varied), column = model!.columns.indexOf(name);
        const other = this.all.find((one) => one.name === name);
        const taken = this.app.display.of(varied.parameter === undefined ? other?.of ?? "m" : model!.units[column] ?? "");
        const title = varied.parameter === undefined ? name : `${name}, ${TAKEN[this.take.value as keyof typeof TAKEN]}`;
        const x = results.map((one) => one.value / unit.size), y = results.map((one) => one.taken / taken.size), [first, up] = [rangeOf([x]), rangeOf([y])];
        const heads = [`${varied.name} [${unit.name}]`, `${title} [${taken.name}]`];
        const svg = plotSvg([{ x: heads[0]!, y: heads[1]!, low: [first[0], up[0]], high: [first[1], up[1]],
                               lines: [{ name: title, color: "#1c7ed6", dash: [], x, y }] }], model!.name);
        const picture = el("img", { alt: `${title} over ${varied.name}`, src: `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(svg)))}` });
        const rows = results.map(({ outcome }, k) => [show(x[k]!, 6), outcome === "" ? show(y[k]!, 6) : outcome]);
        const csv = () => [heads.map((one) => `"${one}"`).join(","), ...x.map((one, k) => `${one},${Number.isFinite(y[k]!) ? y[k] : ""}`), ""].join("\r\n");
        this.result.replaceChildren(picture, el("div", { class: "chips" },
            el("button", { type: "button", id: "sweep-csv", click: () => save(this.app.fileName("sweep.csv"), new Blob([csv()], { type: "text/csv" })) }, "CSV"),
            el("button", { type: "button", id: "sweep-svg", click: () => save(this.app.fileName("sweep.svg"), new Blob([svg], { type: "image/svg+xml" })) }, "SVG")),
            el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((one) => el("th", {}, one)))),
               el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((one) => el("td", {}, one)))))));
    }
}
