/* joints.ts: the panel of joints: coordinates as sliders, and what holds, drives and softens them. */
import { COORDINATES } from "../engine.ts";
import type { Coordinate, CoordinateSettings, Joint, JointSettings, Model } from "../engine.ts";
import type { Mark } from "../marks.ts";
import type { Frame } from "../timeline.ts";
import { ownUnit } from "../display.ts";
import type { Shown } from "../display.ts";
import type { App } from "../app.ts";
import { button, el, field, numberBox, show } from "./dom.ts";
import { NewJoint } from "./newjoint.ts";
import { t } from "../words/words.ts";

const DEGREE = Math.PI / 180;
const MOST_JOINTS = 250; /* rows in the list; the rest is found by its name */

/* How a coordinate and its rate are shown, and what acts along it. */
interface Unit extends Shown { rate: Shown; force: string; stiffness: string; damping: string }

/* Does what sets something of a joint, tells why if it cannot be, and shows how all stands then. */
type Tell = (set: () => Promise<string>) => void;

interface Slider {
    joint: number; coordinate: number; unit: Unit;
    range: HTMLInputElement; box: HTMLInputElement; note: HTMLElement; row: HTMLElement;
    held: boolean; /* by the user's hand just now */
    marks: Mark[]; ticks: HTMLElement; placed: string; /* of which marks and ends the ticks are */
    span: [number, number] | null; /* between its ends, SI */
}

export class JointPanel {
    readonly element = el("div", { class: "joints" });
    private sliders: Slider[] = [];
    private details: (HTMLDetailsElement | undefined)[] = [];
    private readouts: { joint: number; element: HTMLElement }[] = [];
    private settings: JointSettings[] = [];
    private dependent = new Set<string>();
    private sending = false;
    private waiting: (() => Promise<void>) | null = null;

    private readonly newJoint: NewJoint;
    constructor(private readonly app: App) { this.newJoint = new NewJoint(app); }

    private unitOf(info: Coordinate): Unit {
        const { display } = this.app;
        return info.angular ? { ...display.of("rad"), rate: display.of("rad/s"), force: "N m", stiffness: "N m/rad", damping: "N m s/rad" }
            : { ...display.of("m"), rate: display.of("m/s"), force: "N", stiffness: "N/m", damping: "N s/m" };
    }

    /* Nothing is shown until the next build. */
    clear(): void {
        this.sliders = [];
        this.readouts = [];
        this.details = [];
        this.element.replaceChildren();
    }

    async build(model: Model): Promise<void> {
        this.settings = await this.app.client.settings();
        this.sliders = [];
        this.details = [];
        this.readouts = [];
        this.dependent.clear();
        const all: [number, string, string, string, Coordinate[]][] = [
            ...model.joints.map((joint, j): [number, string, string, string, Coordinate[]] =>
                [j, joint.name, joint.type, joint.summary, joint.coordinates]),
            ...model.couplings.map((coupling, c): [number, string, string, string, Coordinate[]] =>
                [model.joints.length + c, coupling.name, "coupling", "a relation between coordinates",
                 coupling.coordinates]),
        ];
        const list = el("div", { class: "list" });
        const search = el("input", { type: "search", placeholder: t("find one of {0} joints", all.length),
                                     "aria-label": t("find a joint") });
        const fill = () => {
            const word = search.value.toLowerCase();
            this.sliders = [];
            this.details = [];
            this.readouts = [];
            const found = all.filter(([, name, type]) =>
                name.toLowerCase().includes(word) || type.includes(word)).slice(0, MOST_JOINTS);
            const open = found.reduce((sum, one) => sum + one[4].length, 0) <= 10;
            list.replaceChildren(...found.map((one) => this.row(one, open)));
            if (this.app.frame)
                this.update(this.app.frame);
        };
        search.addEventListener("input", fill);
        fill();
        const panel = [this.parameters(model), ...(all.length > 12 ? [search, list] : [list]), ...(model.planar ? [] : [this.newJoint.build(model)])];
        this.element.replaceChildren(...(this.app.recorded ? this.closed(list) : panel));
        if (!this.app.recorded)
            this.markDriven();
    }

    /* Of a recorded motion: values to read, none to set. */
    private closed(list: HTMLElement): HTMLElement[] {
        const simulate = el("button", { type: "button", class: "main", click: () =>
            void this.app.load(this.app.source, this.app.name) }, t("simulate it here"));
        return [el("p", { class: "quiet" }, t("This is the motion recorded in {0}.", this.app.recorded)), simulate,
                el("fieldset", { class: "closed", disabled: true }, list)];
    }

    /* After a change of a parameter: the same joints, other settings. */
    rebuild(): void {
        void this.app.act(async () => { this.settings = await this.app.client.settings(); });
    }

    /* Numbers the model's text is made of, as sliders about their values. */
    private parameters(model: Model): HTMLElement {
        const box = el("section", { class: "parameters" });
        const plain = model.parameters.filter((one) => one.value.length === 1 && one.used !== 0 &&
            !(one.text ?? "=").startsWith("="));
        if (plain.length === 0)
            return box;
        box.append(el("h3", {}, t("Parameters")));
        for (const { name, value, unit, text } of plain) {
            const first = value[0]!, { size, name: shown } = this.app.display.of(unit), own = ownUnit(text, unit);
            const reach = first === 0 ? 1 : Math.abs(first) / size;
            const range = el("input", { type: "range", step: "any", "aria-label": t("parameter {0}", name),
                                        min: String(first / size - reach), max: String(first / size + reach),
                                        value: String(first / size) });
            const send = (now: number, last = true) => void this.app.setParameter(
                name, `${Number((now * size / own.size).toPrecision(12))} ${own.word}`.trim(), last);
            const number = numberBox(first / size, t("{0} value", t("parameter {0}", name)), (now) => {
                range.value = String(now);
                send(now);
            }, "", shown);
            range.addEventListener("input", () => {
                number.value = String(Number(Number(range.value).toPrecision(5)));
                send(Number(range.value), false);
            });
            range.addEventListener("change", () => send(Number(range.value)));
            box.append(el("div", { class: "coordinate" }, el("div", { class: "head" },
                el("span", { class: "symbol" }, name), el("span", { class: "note" }), number,
                el("span", { class: "unit" }, shown)), range));
        }
        box.append(el("h3", {}, t("Joints")));
        return box;
    }

    private row([j, name, type, summary, coordinates]: [number, string, string, string, Coordinate[]],
                open: boolean): HTMLElement {
        const details = el("details", { class: "joint" },
            el("summary", { title: summary }, el("span", { class: "name" }, name),
               el("span", { class: "type" }, type.replaceAll("_", " "))));
        let filled = false;
        details.addEventListener("toggle", () => {
            if (details.open && !filled) {
                filled = true;
                this.fill(details, j, coordinates);
            }
        });
        details.firstElementChild!.addEventListener("click", () => {
            if (!details.open)
                this.app.select(j);
        });
        this.details[j] = details;
        if (open) {
            filled = true;
            details.open = true;
            this.fill(details, j, coordinates);
        }
        return details;
    }

    /* Opens a joint's row, because it was picked in the picture. */
    reveal(joint: number): void {
        const details = this.details[joint];
        this.element.querySelectorAll(".selected").forEach((row) => row.classList.remove("selected"));
        if (!details)
            return;
        details.open = true;
        details.classList.add("selected");
        details.scrollIntoView({ block: "nearest" });
    }

    private fill(details: HTMLElement, j: number, coordinates: Coordinate[]): void {
        coordinates.forEach((info, i) => details.append(this.slider(j, i, info)));
        const more = el("details", { class: "more" }, el("summary", {}, t("range, drives, softness")));
        more.addEventListener("toggle", () => {
            if (more.open && more.children.length === 1)
                this.fillMore(more, j, coordinates);
        }, { once: true });
        details.append(more);
        if (j < this.app.model!.joints.length) {
            const readout = el("div", { class: "readout", "aria-live": "off" });
            details.append(readout);
            this.readouts.push({ joint: j, element: readout });
        }
    }

    private standing(j: number, i: number): CoordinateSettings { return this.settings[j]!.coordinates[i]!; }

    /* sliders ---------------------------------------------------------------------------------- */

    /* The ends of a slider. Without a range they lie about the value, and stay while it is between them and
     * while the slider is in the hand: ends that moved with the value would let it run away. */
    private bounds(slider: Slider, info: Coordinate, value: number): [number, number] {
        const { lower, upper } = this.standing(slider.joint, slider.coordinate);
        const [low, high] = slider.span ?? [Infinity, -Infinity];
        if (!slider.held && !(value >= low && value <= high)) {
            const far = info.angular ? 2 * Math.PI : this.app.scene.modelSize();
            const turn = info.angular ? 2 * Math.PI * Math.trunc(value / (2 * Math.PI)) : 0;
            slider.span = [turn - far, turn + far];
        }
        return [lower ?? slider.span![0], upper ?? slider.span![1]];
    }

    private slider(j: number, i: number, info: Coordinate): HTMLElement {
        const unit = this.unitOf(info);
        const label = `${this.app.nameOf(j)} ${info.name}`;
        const range = el("input", { type: "range", "aria-label": label, step: "any" });
        const note = el("span", { class: "note" }), ticks = el("div", { class: "ticks" });
        const box = numberBox(0, t("{0} value", label), (value) => void this.send(slider, value * unit.size)
            .then(() => this.app.client.endChange()), "", unit.name);
        const state = this.standing(j, i);
        const lock = el("button", { type: "button", class: "icon lock", "aria-label": t("lock {0}", label),
                                    "aria-pressed": String(state.locked !== 0), title: t("hold this value") });
        lock.append(button("lock", "", () => {}).firstChild!);
        lock.addEventListener("click", () => void this.app.act(async () => {
            const locked = lock.getAttribute("aria-pressed") !== "true";
            this.app.tell(await this.app.client.setLocked(j, i, locked));
            lock.setAttribute("aria-pressed", String(locked));
            await this.app.redraw();
        }));
        const row = el("div", { class: "coordinate" },
            el("div", { class: "head" }, el("span", { class: "symbol" }, info.name), note, box,
               el("span", { class: "unit" }, unit.name), lock), el("div", { class: "marked" }, range, ticks));
        const slider: Slider = { joint: j, coordinate: i, unit, range, box, note, row, held: false,
                                 span: null, marks: [], ticks, placed: "" };
        range.addEventListener("pointerdown", () => { slider.held = true; this.app.pause(); });
        range.addEventListener("input", () => this.send(slider, Number(range.value) * unit.size));
        const release = () => { slider.held = false; };
        range.addEventListener("pointerup", release);
        range.addEventListener("pointercancel", release);
        range.addEventListener("change", () => {
            release();
            void this.app.act(() => this.app.client.endChange());
            void this.app.act(() => this.findDependents(slider));
            void this.app.act(() => this.findMarks(slider));
        });
        range.addEventListener("keydown", (event) => this.nudge(event, slider));
        this.sliders.push(slider);
        return row;
    }

    /* Arrow keys go by a step of the unit, one degree or millimetre (with shift ten). */
    private nudge(event: KeyboardEvent, slider: Slider): void {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!way)
            return;
        event.preventDefault();
        const step = (event.shiftKey ? 10 : 1) * slider.unit.step;
        const now = Number(slider.box.value);
        void this.send(slider, (now + way * step) * slider.unit.size)
            .then(() => this.app.client.endChange());
    }

    /* The newest value wins; those in between are left out while one is being worked on. */
    private async send(slider: Slider, value: number): Promise<void> {
        this.app.pause();
        this.waiting = async () => {
            const answer = await this.app.client.setCoordinate(slider.joint, slider.coordinate, value);
            const word = answer.status === 0 ? answer.outcome : "cannot";
            slider.note.textContent = word === "set" ? "" : t(word);
            slider.note.title = word === "cannot" ? t("no pose of the joints has this value")
                : word === "limited" ? t("stopped by a range or a dead point")
                : word === "singular" ? t("more than one way begins in this pose, or none") : "";
            await this.app.redraw();
        };
        if (this.sending)
            return;
        this.sending = true;
        while (this.waiting)
            await this.app.act(async () => {
                const next = this.waiting;
                this.waiting = null;
                await next?.();
            });
        this.sending = false;
    }

    /* Dead points of the coordinate, and where others turn back, as marks along its slider. */
    private async findMarks(slider: Slider): Promise<void> {
        slider.marks = await this.app.client.marks(slider.joint, slider.coordinate, this.app.scene.modelSize());
        this.placeMarks(slider);
    }
    /* Of what is driven, before it is touched. */
    private markDriven(): void {
        for (const slider of this.sliders) {
            const { driver, motor } = this.standing(slider.joint, slider.coordinate);
            if (driver || motor)
                void this.app.act(() => this.findMarks(slider));
        }
    }
    private placeMarks(slider: Slider): void {
        const { joint, coordinate, unit, marks, range } = slider, low = Number(range.min) * unit.size, high = Number(range.max) * unit.size;
        const placed = JSON.stringify([marks, low, high]);
        if (placed === slider.placed)
            return;
        slider.placed = placed;
        const turn = this.app.coordinate(joint, coordinate).angular ? 2 * Math.PI : Infinity;
        const shown = (j: number, i: number, value: number): string => {
            const info = this.app.coordinate(j, i), own = this.unitOf(info);
            return `${this.app.nameOf(j)} ${info.name} ${show(value / own.size, 5)} ${own.name}`;
        };
        slider.ticks.replaceChildren(...marks.flatMap((mark) => {
            const text = mark.dead ? `dead point: ${shown(joint, coordinate, mark.value)}`
                : `${shown(mark.joint, mark.coordinate, mark.reached)}: it turns back, at ${shown(joint, coordinate, mark.value)}`;
            const first = Number.isFinite(turn) && !mark.dead ? mark.value + turn * Math.ceil((low - mark.value) / turn) : mark.value;
            const places = [first];
            while (places.at(-1)! + turn <= high && !mark.dead)
                places.push(places.at(-1)! + turn);
            return places.filter((value) => value >= low && value <= high).map((value) => {
                const tick = el("button", { type: "button", class: mark.dead ? "tick dead" : "tick turn", title: text, "aria-label": text,
                    click: () => void this.send(slider, value).then(() => this.app.client.endChange()) });
                tick.style.left = `${100 * (value - low) / (high - low)}%`;
                return tick;
            });
        }));
    }

    /* Says of the others that they follow. */
    private async findDependents(slider: Slider): Promise<void> {
        const found = await this.app.client.dependents(slider.joint, slider.coordinate);
        this.dependent = new Set(found.map(([j, i]) => `${j}.${i}`));
        for (const other of this.sliders) {
            const depends = this.dependent.has(`${other.joint}.${other.coordinate}`);
            if (other !== slider)
                other.note.textContent = depends ? t("dependent") : "";
            other.note.title = depends
                ? `follows ${this.app.nameOf(slider.joint)}; move it and that one follows` : "";
            other.row.classList.toggle("dependent", depends);
        }
        slider.row.classList.remove("dependent");
    }

    update(frame: Frame): void {
        for (const slider of this.sliders) {
            const value = frame.coordinates[slider.joint * COORDINATES + slider.coordinate]!;
            const info = this.app.coordinate(slider.joint, slider.coordinate);
            const [low, high] = this.bounds(slider, info, value);
            const unit = slider.unit.size;
            if (!slider.held) {
                slider.range.min = String(Math.min(low, value) / unit);
                slider.range.max = String(Math.max(high, value) / unit);
            }
            if (!slider.held)
                slider.range.value = String(value / unit);
            if (slider.marks.length > 0)
                this.placeMarks(slider);
            if (document.activeElement !== slider.box)
                slider.box.value = (value / unit).toFixed(slider.unit.digits);
            slider.range.setAttribute("aria-valuetext", `${slider.box.value} ${slider.unit.name}`);
        }
        if (frame.wrenches)
            for (const { joint, element } of this.readouts)
                this.showWrench(element, frame.wrenches, joint);
    }

    private showWrench(element: HTMLElement, w: Float64Array, j: number): void {
        const size = (i: number) => Math.hypot(w[9 * j + i]!, w[9 * j + i + 1]!, w[9 * j + i + 2]!);
        element.textContent = `reaction ${show(size(3), 3)} N, ${show(size(6), 3)} N m`;
    }

    /* settings --------------------------------------------------------------------------------- */

    private fillMore(more: HTMLElement, j: number, coordinates: Coordinate[]): void {
        const tell: Tell = (set) => void this.app.act(async () => {
            this.app.tell(await set());
            this.settings = await this.app.client.settings();
            await this.app.redraw();
        });
        coordinates.forEach((info, i) => more.append(this.settingsOf(j, i, info, tell)));
        const isJoint = j < this.app.model!.joints.length;
        const enabled = el("input", { type: "checkbox", checked: this.settings[j]!.enabled !== 0 });
        enabled.addEventListener("change", () => tell(() => this.app.client.setEnabled(j, enabled.checked)));
        more.append(field(t("switched on"), enabled));
        if (isJoint)
            this.addSoftness(more, j, tell);
        more.append(this.strength(j, coordinates[0]!, tell));
    }

    private addSoftness(more: HTMLElement, j: number, tell: Tell): void {
        for (const [group, name, unit, now] of
             [[4, t("compliance"), "m/N", this.settings[j]!.linear],
              [8, t("turning compliance"), "rad/(N m)", this.settings[j]!.rotary]] as const) {
            if (now === undefined)
                continue;
            more.append(field(name, numberBox(now ?? NaN, name, (value) =>
                tell(() => this.app.client.setCompliance(j, group, Math.max(0, value))), "", unit), unit));
        }
    }

    /* What breaks it; of a coupling a force alone, a moment where its value is an angle. */
    private strength(j: number, info: Coordinate | undefined, tell: Tell): HTMLElement {
        const now = this.settings[j]!, isJoint = j < this.app.model!.joints.length;
        const units = [!isJoint && info?.angular ? "N m" : "N", "N m"] as const;
        const loads = [now.break_force ?? Infinity, now.break_torque ?? Infinity] as [number, number];
        const box = (k: 0 | 1, name: string) => numberBox(loads[k], name, (value) => {
            loads[k] = value > 0 ? value : Infinity;
            tell(() => this.app.client.setBreak(j, ...loads));
        }, "never", units[k]);
        const force = field(t("breaks at"), box(0, t("force that breaks it")), units[0]);
        return el("div", { class: "pair" }, force,
                  isJoint ? field(t("or at"), box(1, t("moment that breaks it")), units[1]) : null);
    }

    private settingsOf(j: number, i: number, info: Coordinate,
                       tell: Tell): HTMLElement {
        const state = this.standing(j, i);
        const unit = this.unitOf(info), client = this.app.client;
        const range = [state.lower ?? -Infinity, state.upper ?? Infinity];
        const limit = (k: 0 | 1, name: string) => numberBox(range[k]! / unit.size, name, (value) => {
            range[k] = Number.isNaN(value) ? (k === 0 ? -Infinity : Infinity) : value * unit.size;
            tell(() => client.setRange(j, i, range[0]!, range[1]!));
        }, "none", unit.name);
        const group = el("fieldset", {}, el("legend", {}, info.name),
            el("div", { class: "pair" }, field(t("from"), limit(0, t("{0} lower limit", info.name))),
               field(t("to"), limit(1, t("{0} upper limit", info.name)), unit.name)));
        group.append(this.motor(j, i, info, unit, tell), this.friction(j, i, unit, tell),
                     this.spring(j, i, unit, tell));
        return group;
    }

    private motor(j: number, i: number, info: Coordinate, unit: Unit,
                  tell: Tell): HTMLElement {
        const { driver, motor } = this.standing(j, i);
        const rate = motor?.speed ?? motor?.position ?? null;
        const how = driver ? (driver.kind === "polynomial" && driver.numbers.length < 3 ? "3" : "m")
            : !rate ? "0" : rate.kind !== "constant" ? "m" : motor!.speed ? "1" : "2";
        const option = (value: string, text: string) => el("option", { value, selected: value === how }, text);
        const mode = el("select", { "aria-label": t("what drives {0}", info.name) },
            option("0", "nothing"), option("1", t("motor to a speed")), option("2", t("motor to a place")),
            option("3", t("prescribed speed")), how === "m" ? option("m", t("as in the model")) : null);
        let target = how === "3" ? driver!.numbers[1] ?? 0 : how === "1" || how === "2" ? rate!.numbers[0]!
            : info.angular ? 60 * DEGREE : 0.1 * this.app.scene.modelSize();
        let cap = motor?.max_force ?? NaN;
        const send = () => {
            const kind = Number(mode.value);
            if (Number.isNaN(kind))
                return;
            const now = this.app.frame!.coordinates[j * COORDINATES + i]!;
            tell(async () => await this.app.client.setDriver(j, i, kind === 3, now, target) ||
                await this.app.client.setMotor(j, i, kind === 3 ? 0 : kind, target, cap));
        };
        const now = () => mode.value === "2" ? unit : unit.rate, said = el("span", { class: "unit" }, now().name);
        const box = numberBox(target / now().size, t("target of the motor"), (value) => {
            target = value * now().size;
            send();
        }, "", () => now().name);
        mode.addEventListener("change", () => {
            said.textContent = now().name;
            box.value = String(Number((target / now().size).toPrecision(7)));
            send();
        });
        return el("div", { class: "pair" }, field(t("driven by"), mode), field(t("to"), box, said),
            field(t("at most"), numberBox(cap, t("largest force of the motor"), (value) => {
                cap = value;
                send();
            }, "any", unit.force), unit.force));
    }

    private friction(j: number, i: number, unit: Unit,
                     tell: Tell): HTMLElement {
        let { force, viscous } = this.standing(j, i).friction;
        const send = () => tell(() => this.app.client.setFriction(j, i, force, viscous));
        return el("div", { class: "pair" },
            field(t("friction"), numberBox(force, t("dry friction"), (value) => {
                force = Math.max(0, value);
                send();
            }, "", unit.force), unit.force),
            field(t("viscous"), numberBox(viscous, t("viscous friction"), (value) => {
                viscous = Math.max(0, value);
                send();
            }, "", unit.damping), unit.damping));
    }

    private spring(j: number, i: number, unit: Unit,
                   tell: Tell): HTMLElement {
        const now = this.standing(j, i).spring;
        let stiffness = now.stiffness ?? 0, damping = now.damping ?? 0;
        let rest = now.rest?.kind === "constant" ? now.rest.numbers[0]! : NaN;
        const send = () => {
            const now = this.app.frame!.coordinates[j * COORDINATES + i]!;
            tell(() => this.app.client.setSpring(j, i, stiffness, damping, Number.isNaN(rest) ? now : rest));
        };
        return el("div", { class: "pair" },
            field(t("spring"), numberBox(stiffness, t("stiffness of the spring"), (value) => {
                stiffness = Math.max(0, value);
                send();
            }, "", unit.stiffness), unit.stiffness),
            field(t("rest"), numberBox(rest / unit.size, t("rest of the spring"), (value) => {
                rest = value * unit.size;
                send();
            }, "here", unit.name), unit.name),
            field(t("damping"), numberBox(damping, t("damping of the spring"), (value) => {
                damping = Math.max(0, value);
                send();
            }, "", unit.damping), unit.damping));
    }
}

export function describeJoint(joint: Joint): string { return `${joint.name} (${joint.type})`; }
