/* equations.ts: the closure equations of the loops with their present numbers, and the multipliers of their rows. */
import type { App } from "../app.ts";
import { loopOf, sums } from "../loops.ts";
import type { LoopState, Pair, Piece } from "../loops.ts";
import { el, show } from "./dom.ts";
import { t } from "../words/words.ts";

const MOST_LOOPS = 6, EVERY = 200; /* ms between pictures */
const NONE = 1e-9;  /* shares of the largest: smaller is shown as 0 */
const ROUGH = 1e4;  /* accelerations, from differences of velocities, are so many times less exact */

export class Equations {
    private readonly body = el("div", { class: "equations" });
    readonly element = el("details", { class: "equation-list" }, el("summary", {}, t("Equations of the loops")), this.body);
    private loops: string[][] = [];
    private last = 0;

    constructor(private readonly app: App) {
        this.element.addEventListener("toggle", () => void this.update(true));
    }

    /* loops: the joints of each. */
    build(loops: string[][]): void {
        this.loops = loops.slice(0, MOST_LOOPS);
        this.element.hidden = !this.app.model!.planar || loops.length === 0 || this.app.recorded !== "";
        void this.update(true);
    }

    async update(now = false): Promise<void> {
        if (this.element.hidden || !this.element.open || !this.element.isConnected || (!now && performance.now() - this.last < EVERY))
            return;
        this.last = performance.now();
        await this.app.act(async () => this.fill(await this.app.client.loopState()));
    }

    private fill(state: LoopState): void {
        const { model } = this.app;
        this.body.replaceChildren(el("p", { class: "quiet" }, "Around a loop, from joint to joint: r of a link, e = (cos θ, sin θ) along it, " +
            "e′ = (−sin θ, cos θ) across it, ω and α as it turns. What slides in a joint is s."), ...this.loops.map((names, k) => {
            const pieces = loopOf(model!, names, state);
            return el("section", {}, el("h4", {}, `Loop ${k + 1}`),
                      ...(pieces ? this.equations(pieces, state, names) : [el("p", { class: "quiet" }, `${names.join(", ")}: no simple loop.`)]));
        }));
    }

    private pair([x, y]: Pair, unit: string, scale = 1): string {
        const { size } = this.app.display.of(unit), round = (value: number) => show(Math.abs(value) < NONE * scale ? 0 : value / size, 4);
        return `${round(x)}, ${round(y)}`;
    }
    private number(value: number, unit: string): string { return show(value / this.app.display.of(unit).size, 4); }

    private equations(pieces: Piece[], state: LoopState, names: string[]): HTMLElement[] {
        const links = pieces.filter((one) => !one.slides), slides = pieces.filter((one) => one.slides), total = sums(pieces);
        const name = (unit: string) => this.app.display.of(unit).name, index = (k: number) => el("sub", {}, String(k + 1));
        const row = (...cells: (string | Node)[]) => el("tr", {}, ...cells.map((cell) => el("td", {}, cell)));
        const table = (title: string, head: string[], rows: HTMLElement[], end: string[]) => el("table", {},
            el("caption", {}, title), el("tr", {}, ...head.map((one) => el("th", {}, one))), ...rows,
            end.length > 0 && el("tr", { class: "sum" }, ...end.map((one) => el("td", {}, one))));
        const said = (of: (k: number) => (string | Node)[], ...more: string[]) => el("p", { class: "formula" },
            ...links.flatMap((_, k) => [k > 0 ? " + " : "", ...of(k)]), ...more, " = 0");
        const size = Math.max(...links.map(({ r }) => Math.hypot(...r)), 1e-9);
        const fast = Math.max(...pieces.map((one) => Math.hypot(...one.velocity)), 1e-9), hard = Math.max(...pieces.map((one) => Math.hypot(...one.acceleration)), 1e-9);
        const sliding = (kind: "velocity" | "acceleration", unit: string, scale: number) => slides.map((one) =>
            row(`${one.name} slides`, "", this.pair(one[kind], unit, scale)));
        const { joints } = this.app.model!, multipliers = names.flatMap((of) => {
            const j = joints.findIndex((joint) => joint.name === of); /* rows out of the plane bear nothing */
            return (joints[j]?.rows ?? []).map((one, k): [string, number] => [`${of}.${one.name}`, state.lambda[j]?.[k] ?? 0])
                .filter(([, value]) => value !== 0 && Number.isFinite(value));
        });
        return [
            said((k) => ["r", index(k), " e(θ", index(k), ")"]),
            table("position", ["link", `r [${name("m")}]`, `θ [${name("rad")}]`, `x, y [${name("m")}]`], links.map(({ name: of, r }, k) =>
                row(`${k + 1} ${of}`, this.number(Math.hypot(...r), "m"), this.number(Math.atan2(r[1], r[0]), "rad"), this.pair(r, "m", size))),
                ["sum", "", "", this.pair(total.position, "m", size)]),
            said((k) => ["ω", index(k), " r", index(k), " e′(θ", index(k), ")"], ...(slides.length > 0 ? [" + ṡ"] : [])),
            table("velocity", ["link", `ω [${name("rad/s")}]`, `x, y [${name("m/s")}]`], [...links.map(({ name: of, w, velocity }, k) =>
                row(`${k + 1} ${of}`, this.number(w, "rad/s"), this.pair(velocity, "m/s", fast))), ...sliding("velocity", "m/s", fast)],
                ["sum", "", this.pair(total.velocity, "m/s", fast)]),
            said((k) => ["r", index(k), " (α", index(k), " e′ − ω", index(k), "² e)"], ...(slides.length > 0 ? [" + s̈"] : [])),
            table("acceleration", ["link", `α [${name("rad/s^2")}]`, `x, y [${name("m/s^2")}]`], [...links.map(({ name: of, a, acceleration }, k) =>
                row(`${k + 1} ${of}`, this.number(a, "rad/s^2"), this.pair(acceleration, "m/s^2", hard))), ...sliding("acceleration", "m/s^2", hard)],
                ["sum", "", this.pair(total.acceleration, "m/s^2", ROUGH * hard)]),
            ...(multipliers.length > 0 ? [table("multipliers of the constraint rows", ["row", "λ [N, N m]"], multipliers.map(([of, value]) =>
                row(of, show(value, 4))), [])] : []),
        ];
    }
}
