/* kinematics.ts: of a mechanism in the plane at this moment: what kind of four-bar it is, speeds beside that of the
 * input, instant centres, polygons of velocities and accelerations.
 */
import { COORDINATES } from "../engine.ts";
import type { JointSettings } from "../engine.ts";
import { deadPoints, extremes, fourBarOf, kindOf, timeRatio, transmissionRange } from "../fourbar.ts";
import type { FourBar } from "../fourbar.ts";
import { STILL, loopOf, pointOf } from "../loops.ts";
import type { LoopState, Motion, Pair } from "../loops.ts";
import { atUnitSpeed, polesOf, standsStill } from "../poles.ts";
import type { App } from "../app.ts";
import { el, field, show } from "./dom.ts";
import { polygon } from "./polygons.ts";
import type { End } from "./polygons.ts";
import { t } from "../words/words.ts";

const MOST_BODIES = 9; /* whose poles are listed: 45 */
const EVERY = 200;     /* ms between pictures */
const NONE = 1e-9;     /* share of the largest: less is 0 */

const turned = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export class Kinematics {
    private readonly body = el("div", { class: "equations" });
    private readonly input = el("select", { "aria-label": "input", change: () => void this.update(true) });
    private readonly inPicture = el("input", { type: "checkbox", change: () => void this.update(true) });
    readonly element = el("details", { class: "kinematics-list" }, el("summary", {}, t("Instant centres, ratios, polygons")),
        field(t("input"), this.input), field(t("instant centres in the picture"), this.inPicture), this.body);
    private loops: string[][] = [];
    private last = 0;

    constructor(private readonly app: App) {
        this.element.addEventListener("toggle", () => {
            this.app.scene.spots.set([]);
            void this.update(true);
        });
    }

    build(loops: string[][]): void {
        const { model } = this.app, chosen = this.input.value;
        this.loops = loops;
        this.element.hidden = !model!.planar || model!.bodies.length === 0 || this.app.recorded !== "";
        const all = model!.joints.flatMap(({ name, coordinates }, j) => coordinates.length === 1 ? [[String(j), name] as const] : []);
        this.input.replaceChildren(el("option", { value: "" }, "the motor's"), ...all.map(([value, name]) => el("option", { value }, name)));
        this.input.value = all.some(([value]) => value === chosen) ? chosen : "";
        this.app.scene.spots.set([]);
        void this.update(true);
    }

    async update(now = false): Promise<void> {
        if (this.element.hidden || !this.element.open || !this.element.isConnected || !this.app.model?.planar || (!now && performance.now() - this.last < EVERY))
            return;
        this.last = performance.now();
        await this.app.act(async () => this.fill(await this.app.client.loopState(), await this.app.client.settings()));
    }

    private fill(state: LoopState, settings: JointSettings[]): void {
        const model = this.app.model!, driven = model.joints.flatMap((_, j) =>
            settings[j]!.coordinates.some(({ driver, motor }) => driver ?? motor) ? [j] : []);
        const still = standsStill(state.motions), motions = still ? state.way && atUnitSpeed(state.way) : state.motions;
        const bars = this.loops.flatMap((names) => {
            const pieces = loopOf(model, names, state), chosen = this.input.value === "" ? driven : [Number(this.input.value)];
            const bar = pieces && fourBarOf(pieces, chosen);
            return bar ? [this.fourBar(bar)] : [];
        });
        const input = this.input.value !== "" ? Number(this.input.value) : driven[0] ?? model.joints.findIndex((one) => one.coordinates.length === 1);
        this.body.replaceChildren(...bars, ...(motions === null
            ? [el("p", { class: "quiet" }, "It stands still, and has not just one freedom: there is no motion to show.")]
            : [still ? el("p", { class: "quiet" }, "It stands still: shown is how its one freedom moves it, the fastest link at 1 rad/s.") : null,
               this.ratios(motions, state, input), ...this.poles(motions), ...this.polygons(motions, state, still)]).filter((one) => one !== null));
    }

    private number(value: number, unit: string, digits = 4): string {
        const { size, name } = this.app.display.of(unit);
        return `${show(value / size, digits)}${name === "°" ? "" : " "}${name}`;
    }

    private fourBar(bar: FourBar): HTMLElement {
        const { names, a, b, c, d, joint, phi } = bar, model = this.app.model!, of = model.joints[joint]!;
        const sense = model.bodies[of.a]?.name === names.input ? 1 : -1, now = this.app.frame?.coordinates[joint * COORDINATES] ?? 0;
        const go = (to: number) => {
            const value = now + sense * turned(to - phi), text = this.number(turned(value), "rad");
            return el("button", { type: "button", class: "chip", title: `bring ${of.name} there`, click: () => void this.app.act(async () => {
                this.app.pause();
                await this.app.client.setCoordinate(joint, 0, value);
                await this.app.client.endChange();
                await this.app.redraw();
            }) }, text);
        };
        const range = transmissionRange(bar), dead = deadPoints(bar), ends = extremes(bar), ratio = timeRatio(bar);
        const line = (title: string, ...said: (string | Node)[]) => [el("dt", {}, title), el("dd", {}, ...said)];
        return el("section", { class: "four-bar" }, el("h4", {}, `Four-bar ${names.input}, ${names.coupler}, ${names.output}`), el("p", {}, `${kindOf(bar)}.`),
            el("dl", { class: "counts" },
               ...line(t("lengths"), [a, b, c].map((one) => this.number(one, "m")).join(", "), `, ground ${this.number(d, "m")}`),
               ...line("transmission angle", this.number(bar.transmission, "rad", 3), range ? ` now, ${this.number(range[0], "rad", 3)} to ${this.number(range[1], "rad", 3)} in a turn` : " now"),
               ...line(`dead points, ${of.name} at`, ...(dead.length > 0 ? dead.map(go) : ["none: it turns round"])),
               ...(ends.length > 0 ? line(`${names.output} turns back, ${of.name} at`, ...ends.map(go)) : []),
               ...(Number.isFinite(ratio) ? line("time ratio", show(ratio, 4)) : [])));
    }

    /* How fast a joint turns or slides: its rate, of a slider in the direction in which it is positive or not. */
    private rate(motions: Motion[], j: number, { places }: LoopState): { value: number; turns: boolean } {
        const { a, b, coordinates } = this.app.model!.joints[j]!, [one, other] = [motions[a] ?? STILL, motions[b] ?? STILL];
        if (coordinates[0]?.angular)
            return { value: one.turning - other.turning, turns: true };
        const at: Pair = [places[3 * j]!, places[3 * j + 1]!], [v, w] = [pointOf(one, at).velocity, pointOf(other, at).velocity];
        return { value: Math.hypot(v[0] - w[0], v[1] - w[1]), turns: false };
    }

    private table(title: string, head: string[], rows: (string | Node)[][]): HTMLElement {
        return el("table", {}, el("caption", {}, title), el("tr", {}, ...head.map((one) => el("th", {}, one))),
                  ...rows.map((cells) => el("tr", {}, ...cells.map((cell) => el("td", {}, cell)))));
    }

    /* Rates for one of the input's; what the input needs against 1 N or 1 N m there, without losses, is as large. */
    private ratios(motions: Motion[], state: LoopState, input: number): HTMLElement | null {
        const { joints } = this.app.model!, own = joints[input] && this.rate(motions, input, state);
        if (!own || own.value === 0)
            return null;
        const rows = joints.flatMap(({ name, coordinates }, j): string[][] => {
            if (j === input || coordinates.length !== 1)
                return [];
            const { value, turns } = this.rate(motions, j, state), ratio = value / own.value, none = Math.abs(ratio) < NONE;
            const unit = turns === own.turns ? "" : turns ? " rad/m" : " m/rad";
            return [[name, none ? "0" : `${show(ratio, 5)}${unit}`, none ? "∞" : show(1 / ratio, 5)]];
        });
        return rows.length === 0 ? null : this.table(`beside ${joints[input]!.name}`, ["joint", "speed ratio", "mechanical advantage"], rows);
    }

    private poles(motions: Motion[]): HTMLElement[] {
        const { bodies } = this.app.model!, named = (body: number) => bodies[body]?.name ?? "ground";
        const moving = bodies.map((_, b) => b).filter((b) => bodies[b]!.kind === "planar").slice(0, MOST_BODIES), poles = polesOf(motions, moving);
        const name = this.app.display.of("m").name, { size } = this.app.display.of("m");
        this.app.scene.spots.set(this.inPicture.checked && this.element.open ? poles.flatMap(({ one, other, at }) =>
            at ? [{ name: `${named(one)}/${named(other)}`, x: at[0], y: at[1] }] : []) : []);
        return [this.table("instant centres", ["of", `x, y [${name}]`], poles.map(({ one, other, at, along }) => [`${named(one)} / ${named(other)}`,
            at ? `${show(at[0] / size, 5)}, ${show(at[1] / size, 5)}` : `at infinity, along ${show(along[0], 3)}, ${show(along[1], 3)}`]))];
    }

    /* Of each joint as a point of both its bodies. */
    private polygons(motions: Motion[], { places }: LoopState, still: boolean): HTMLElement[] {
        const { joints } = this.app.model!, ends = (kind: "velocity" | "acceleration") => joints.flatMap(({ name, a, b, coordinates }, j): End[] => {
            const at: Pair = [places[3 * j]!, places[3 * j + 1]!], slides = coordinates.some((one) => !one.angular);
            return Number.isFinite(at[0]) ? [a, b].map((body) => ({ name: slides && body >= 0 ? `${name} on ${this.app.model!.bodies[body]!.name}` : name, body,
                vector: pointOf(motions[body] ?? STILL, at)[kind] })) : [];
        });
        const known = !still && motions.every((one) => one.a.every(Number.isFinite) && Number.isFinite(one.spin));
        return [polygon("velocities", ends("velocity"), (one) => this.number(one, "m/s")),
                ...(known ? [polygon("accelerations", ends("acceleration"), (one) => this.number(one, "m/s^2"))] : [])];
    }
}
