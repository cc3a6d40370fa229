/* report.ts: what is overconstrained, beside the picture: loops and rows light up when chosen. */
import type { Analysis } from "../engine.ts";
import type { App } from "../app.ts";
import { el, show } from "./dom.ts";
import { CouplerCurves } from "./couplercurves.ts";
import { Equations } from "./equations.ts";
import { Kinematics } from "./kinematics.ts";
import { MatrixList } from "./matrices.ts";
import { t } from "../words/words.ts";

const MOST_VELOCITIES = 600; /* of models whose equations are looked at as a whole */

interface Row { joint: string; row: string; class?: string; loop?: number | null;
                terms?: { joint: string; row: string; coefficient: number }[] }

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export class ReportPanel {
    readonly element = el("div", { class: "report" });
    readonly equations: Equations;
    readonly matrices: MatrixList;
    readonly kinematics: Kinematics;
    readonly curves: CouplerCurves;
    constructor(private readonly app: App) {
        this.equations = new Equations(app);
        this.matrices = new MatrixList(app);
        this.kinematics = new Kinematics(app);
        this.curves = new CouplerCurves(app);
    }
    /* What goes with the time; now: at once. */
    async update(now = false): Promise<void> {
        await this.kinematics.update(now);
        await this.curves.update(now);
        await this.equations.update(now);
        await this.matrices.update(now);
    }

    async build(): Promise<void> { await this.app.act(() => this.fill()); }
    private async fill(): Promise<void> {
        this.element.replaceChildren(el("p", { class: "quiet" }, t("looking ...")));
        const analysis = await this.app.client.analysis();
        if (typeof analysis === "string") {
            this.element.replaceChildren(el("p", {}, `The constraints cannot be analysed here: ${analysis}.`));
            return;
        }
        this.element.replaceChildren(this.counts(analysis), this.verdict(analysis), this.loops(analysis),
                                     this.rows(analysis), this.freedom(analysis), this.kinematics.element, this.curves.element, this.equations.element, this.matrices.element, await this.events(),
            el("button", { type: "button", click: () => void this.build() }, t("analyse this pose again")));
        const loops = analysis.loops.map((loop) => loop.joints);
        this.kinematics.build(loops);
        this.curves.build();
        this.equations.build(loops);
        this.matrices.build();
    }

    private counts(a: Analysis): HTMLElement {
        const table: [string, number, string][] = [
            [t("degrees of freedom"), a.dof, t("velocities less independent rows, at this pose")],
            [t("by counting (Grübler)"), a.gruebler, t("velocities less rows")],
            [t("constraint rows"), a.rows, t("active rows of all joints")],
            [t("redundant rows"), a.redundant, t("rows that repeat others")],
        ];
        return el("dl", { class: "counts" }, ...table.flatMap(([name, value, title]) => [
            el("dt", { title }, name), el("dd", {}, String(value))]));
    }

    private verdict(a: Analysis): HTMLElement {
        const parts = [];
        if (a.conflicts > 0)
            parts.push(`${count(a.conflicts, "row contradicts", "rows contradict")} others: the joints cannot all be closed.`);
        else if (a.redundant === 0)
            parts.push(t("Nothing is overconstrained: all reactions are determined."));
        else
            parts.push(`${count(a.permanent, "row repeats", "rows repeat")} others at every pose nearby` +
                (a.momentary > 0 ? `, ${a.momentary} only at this pose.` : ".") +
                " The loads that are shared are not unique.");
        const rubs = (a.friction_not_unique ?? []) as string[];
        if (rubs.length > 0)
            parts.push(`Friction of ${rubs.slice(0, 6).join(", ")}${rubs.length > 6 ? ", …" : ""} goes by such forces: ` +
                "motion is one of many. Compliance of these joints determines it.");
        const breaks = (a.break_not_unique ?? []) as string[];
        if (breaks.length > 0)
            parts.push(`When ${breaks.slice(0, 6).join(", ")}${breaks.length > 6 ? ", …" : ""} breaks goes by such forces too.`);
        if (a.fragile)
            parts.push("It closes only because its geometry is exact.");
        return el("p", {}, parts.join(" "));
    }

    private joint(name: string): number {
        return this.app.model!.joints.findIndex((joint) => joint.name === name);
    }
    private body(name: string): number {
        return this.app.model!.bodies.findIndex((body) => body.name === name);
    }

    private loops(a: Analysis): HTMLElement {
        const items = a.loops.slice(0, 60).map((loop, l) => {
            const choose = el("button", { type: "button", class: "row", "aria-pressed": "false" },
                el("b", {}, `loop ${l + 1}`), ` ${loop.joints.slice(0, 8).join(" – ")}`,
                loop.joints.length > 8 ? ` … (${loop.joints.length})` : "",
                loop.redundant > 0 ? el("em", {}, ` ${loop.redundant} redundant`) : null);
            choose.addEventListener("click", () => this.light(choose,
                loop.bodies.map((name) => this.body(name)), loop.joints.map((name) => this.joint(name))));
            return choose;
        });
        return el("section", {}, el("h3", {}, t("Loops ({0})", a.loops.length)), ...items,
                  items.length === 0 ? el("p", { class: "quiet" }, t("none: an open chain")) : null);
    }

    private rows(a: Analysis): HTMLElement {
        const dependents = (a.dependent_rows ?? []) as Row[];
        const items = dependents.slice(0, 60).map((row) => {
            const terms = (row.terms ?? []).slice(0, 6).map((term) =>
                `${show(term.coefficient, 3)} ${term.joint}.${term.row}`).join(" + ");
            const choose = el("button", { type: "button", class: "row", "aria-pressed": "false" },
                el("b", {}, `${row.joint}.${row.row}`), ` ${row.class ?? ""}`,
                terms ? el("small", {}, ` = ${terms}`) : null);
            choose.addEventListener("click", () => {
                const joint = this.joint(row.joint);
                this.light(choose, [], [joint, ...(row.terms ?? []).map((term) => this.joint(term.joint))],
                           this.place(joint, row.row));
            });
            return choose;
        });
        return el("section", {}, el("h3", {}, t("Rows that repeat others ({0})", dependents.length)), ...items);
    }

    /* A row of a joint, where its direction can be told. */
    private place(joint: number, name: string): [number, number] | null {
        const row = this.app.model!.joints[joint]?.rows.findIndex((one) => one.name === name) ?? -1;
        return row >= 0 && this.app.model!.velocities <= MOST_VELOCITIES ? [joint, row] : null;
    }

    /* What has happened so far: a click goes there. */
    private async events(): Promise<HTMLElement> {
        const events = await this.app.client.events();
        const items = events.slice(0, 60).map((event) => {
            const joint = this.app.model!.joints[event.joint] ?? null;
            const where = joint && event.coordinate >= 0
                ? `${joint.name}.${joint.coordinates[event.coordinate]?.name}` : this.app.nameOf(event.joint);
            return el("button", { type: "button", class: "row", click: () => void this.app.visit(event.time) },
                      el("b", {}, `${event.time.toFixed(4)} s`), ` ${event.text}, ${where}`);
        });
        return el("section", {}, el("h3", {}, t("Events ({0})", events.length)), ...items);
    }

    /* Each way the mechanism can move, shown by itself. */
    private freedom(a: Analysis): HTMLElement {
        if (a.dof <= 0 || this.app.model!.velocities > MOST_VELOCITIES)
            return el("section", {});
        const buttons = Array.from({ length: Math.min(a.dof, 24) }, (_, k) => {
            const show = el("button", { type: "button", class: "chip", "aria-pressed": "false" },
                            `motion ${k + 1}`);
            show.addEventListener("click", () => {
                const on = show.getAttribute("aria-pressed") !== "true";
                for (const other of buttons)
                    other.setAttribute("aria-pressed", "false");
                show.setAttribute("aria-pressed", String(on));
                void this.app.showMotion(on ? k : null);
            });
            return show;
        });
        return el("section", {}, el("h3", {}, t("Ways to move")),
                  el("div", { class: "chips" }, ...buttons));
    }

    /* Chosen once more it is dark again. */
    private light(chosen: HTMLElement, bodies: number[], joints: number[],
                  row: [number, number] | null = null): void {
        const on = chosen.getAttribute("aria-pressed") !== "true";
        this.element.querySelectorAll(".row").forEach((row) => row.setAttribute("aria-pressed", "false"));
        chosen.setAttribute("aria-pressed", String(on));
        this.app.row = on ? row : null;
        this.app.highlight(on ? bodies : [], on ? joints : []);
    }
}
