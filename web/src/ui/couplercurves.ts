/* couplercurves.ts: the paths of a grid of points of a body, so far as it was simulated; a click on a point makes it a marker. */
import type { App } from "../app.ts";
import { gridOf, pathsOf } from "../atlas.ts";
import { freshName, sectionsOf, withEntry } from "../drawing/entries.ts";
import type { LoopState, Pair } from "../loops.ts";
import { el, field, numberBox } from "./dom.ts";
import { t } from "../words/words.ts";

const EVERY = 400; /* ms between pictures */
const MOST = 9;    /* points each way */
const FINE = 1e-6; /* m, to which the place of a marker is written */

export class CouplerCurves {
    private readonly which = el("select", { "aria-label": "body whose curves are drawn", change: () => void this.update(true) });
    private count = 5;
    private readonly note = el("p", { class: "quiet" });
    readonly element: HTMLDetailsElement;
    private last = 0;

    constructor(private readonly app: App) {
        const count = numberBox(this.count, "points each way", (value) => {
            this.count = Math.max(1, Math.min(MOST, Math.round(value)));
            count.value = String(this.count);
            void this.update(true);
        });
        this.element = el("details", { class: "curve-list" }, el("summary", {}, t("Curves of many points")), field("of", this.which),
            field(t("points each way"), count), this.note);
        this.element.addEventListener("toggle", () => {
            this.clear();
            void this.update(true);
        });
    }

    /* The body that is joined to the most others, none of which is the ground, is the coupler. */
    build(): void {
        const { bodies, joints, planar } = this.app.model!, chosen = this.which.value;
        const moving = [...bodies.keys()].filter((b) => bodies[b]!.kind === "planar");
        const score = (b: number) => joints.reduce((sum, { a, b: other }) => sum + (a === b || other === b ? (a < 0 || other < 0 ? -10 : 1) : 0), 0);
        this.which.replaceChildren(...moving.map((b) => el("option", { value: String(b) }, bodies[b]!.name)));
        const best = [...moving].sort((one, other) => score(other) - score(one))[0];
        this.which.value = moving.some((b) => String(b) === chosen) ? chosen : String(best ?? "");
        this.element.hidden = !planar || moving.length === 0 || this.app.recorded !== "";
        this.clear();
        void this.update(true);
    }

    private clear(): void {
        this.app.scene.curves.set([]);
        this.app.scene.choices.set([]);
    }

    async update(now = false): Promise<void> {
        if (this.element.hidden || !this.element.open || !this.element.isConnected || !this.app.model?.planar || (!now && performance.now() - this.last < EVERY))
            return;
        this.last = performance.now();
        await this.app.act(() => this.draw());
    }

    private async draw(): Promise<void> {
        const { model, client, scene } = this.app, body = Number(this.which.value), name = model!.bodies[body]?.name;
        const columns = ["x", "y", "angle"].map((one) => model!.columns.indexOf(`${name}.${one}`));
        if (name === undefined || columns.includes(-1)) {
            this.clear();
            return;
        }
        const [[, x, y, angle], state] = await Promise.all([client.columns(columns), client.loopState()]);
        const points = gridOf(this.jointsOf(body, state), this.count), paths = pathsOf(points, x!, y!, angle!);
        scene.curves.set(paths.map((path) => [path.x, path.y]));
        const { x: px, y: py } = state.motions[body]!, turn = state.angles[body]!;
        scene.choices.set(points.map(([u, v]) => ({ name: "", title: `make this point of ${name} a marker`, x: px + Math.cos(turn) * u - Math.sin(turn) * v,
            y: py + Math.sin(turn) * u + Math.cos(turn) * v, act: () => void this.mark(name, [u, v]) })));
        this.note.textContent = x!.length < 2 ? "Let it run: the curves are of what was simulated." : "Click a point to make it a marker.";
    }

    /* Its joints in its frame, as they stand now. */
    private jointsOf(body: number, state: LoopState): Pair[] {
        const { joints } = this.app.model!, { x, y } = state.motions[body]!, turn = state.angles[body]!;
        return joints.flatMap(({ a, b }, j): Pair[] => {
            const [px, py] = [state.places[3 * j]! - x, state.places[3 * j + 1]! - y];
            return (a === body || b === body) && Number.isFinite(px) ? [[Math.cos(turn) * px + Math.sin(turn) * py, Math.cos(turn) * py - Math.sin(turn) * px]] : [];
        });
    }

    private async mark(body: string, at: Pair): Promise<void> {
        await this.app.input(async () => {
            const { source, display } = this.app, all = sectionsOf(source), place = at.map((one) => display.written(one, undefined, FINE));
            await this.app.rewrite(withEntry(source, "markers", freshName(all, "mark", "mark1"), { body, position: place }));
            await this.app.client.endChange();
        });
    }
}
