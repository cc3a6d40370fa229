/* board.ts: drawing over the picture: tools, points, lengths, what is missing. The model's text is what is
 * drawn: each act makes a new text, which undo takes back.
 */
import * as THREE from "three";
import type { App } from "../app.ts";
import { el, icon, numberBox } from "../ui/dom.ts";
import { sectionsOf, withValue, withoutItems } from "./entries.ts";
import type { Item } from "./entries.ts";
import { Guide } from "./guide.ts";
import { lengthNames } from "./moves.ts";
import { readiness } from "./ready.ts";
import { sketchOf } from "./sketch.ts";
import type { Bar, Point, Sketch, Survey } from "./sketch.ts";
import { Maker, TOOLS, millimetres } from "./tools.ts";
import type { Pick, Tool } from "./tools.ts";

const NEAR = 12;          /* pixels within which a point is meant */
const MOVED = 4;          /* pixels: less is a click */
const STEP = 7;           /* pixels that a step of the grid has at least */
const TURN = Math.PI / 12, LEAN = Math.PI / 60; /* angles that lines are drawn to, and from how near */
const ROOM = 0.15;        /* m on each side of the middle that an empty drawing shows */
const SVG = "http://www.w3.org/2000/svg";

export const BLANK = `tenon: 1
world: planar
name: my mechanism
gravity: [0, -9.81]
parameters: {}
bodies: {}
joints: {}
simulation: {duration: 10 s}
`;

interface Mark { element: HTMLElement | SVGElement; place: () => void }

function shape(name: string, attributes: Record<string, string>): SVGElement {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
        element.setAttribute(key, value);
    return element;
}

export class Board {
    active = false;
    sketch: Sketch | null = null;
    private survey: Survey | null = null;
    private tool: Tool = TOOLS[0]!;
    private picks: Pick[] = [];
    private hover: Pick | null = null;
    private selected: Item[] = [];
    private held: { point: Point; base: string; x: number; y: number; moved: boolean } | null = null;
    private next: [number, number] | null = null; /* where the held point is to go */
    private moving = false;
    private marks: Mark[] = [];
    private seen = "";
    private readonly svg = shape("svg", { class: "lines", "aria-hidden": "true" });
    private readonly layer = el("div", { class: "dims drawn" });
    private readonly hint = el("p", { class: "hint", role: "status", "aria-live": "polite" });
    private readonly freedoms = el("p", { class: "freedoms" });
    private readonly missing = el("ul", { class: "missing", "aria-label": "what is missing" });
    private readonly chosen = el("div", { class: "chosen" });
    private readonly buttons = new Map<Tool, HTMLButtonElement>();
    private readonly guide = new Guide(() => this.showTold());
    readonly element: HTMLElement;

    constructor(private readonly app: App) {
        const bar = el("div", { class: "tools drawn", role: "toolbar", "aria-label": "drawing tools" });
        for (const tool of TOOLS) {
            const button = el("button", { type: "button", class: "tool", title: `${tool.title} (${tool.key})`,
                                          "aria-label": tool.title, "aria-pressed": "false", id: `tool-${tool.name}`,
                                          click: () => this.take(tool) }, icon(tool.icon), el("span", {}, tool.name));
            this.buttons.set(tool, button);
            bar.append(button);
        }
        const told = el("div", { class: "told drawn", "aria-live": "polite" }, this.guide.element, this.freedoms, this.missing,
                        this.chosen);
        this.element = el("div", { class: "board", hidden: true }, bar, this.hint, told);
        this.element.prepend(this.svg, this.layer);
        const { stage } = app;
        stage.append(this.element);
        stage.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
        stage.addEventListener("pointermove", (event) => this.move(event), { capture: true });
        stage.addEventListener("pointerup", (event) => this.up(event), { capture: true });
        stage.addEventListener("pointercancel", () => {
            this.held = this.finger = null;
            this.pinching = false;
        }, { capture: true });
        document.addEventListener("keydown", (event) => this.key(event), { capture: true });
    }

    /* the drawing ------------------------------------------------------------------------------ */

    /* guided: step by step, for the first one. */
    async begin(text: string, name: string, guided = false): Promise<void> {
        this.app.scene.setLeast(ROOM);
        await this.app.load(text, name);
        this.guide.start(guided);
        await this.open();
    }

    async open(): Promise<void> {
        if (this.app.recorded || !this.app.model?.planar) {
            this.app.tell("Only a mechanism in the plane (world: planar) can be drawn.");
            return;
        }
        this.active = true;
        this.element.hidden = false;
        this.app.stage.classList.add("drawing");
        this.app.drawing(true);
        this.app.scene.setLeast(ROOM);
        this.app.scene.view.hold = true;
        this.app.pause();
        this.take(this.tool);
        const { frame } = this.app;
        if (frame && (frame.time > 0 || frame.canUndo))
            await this.app.change(this.app.source); /* as it is written, not as it stands */
        else
            await this.app.act(() => this.follow());
    }

    close(): void {
        this.active = false;
        this.element.hidden = true;
        this.app.stage.classList.remove("drawing");
        this.app.stage.style.cursor = "";
        this.app.drawing(false);
        this.app.scene.setLeast(0);
        this.app.scene.view.hold = false;
        this.picks = [];
        this.select([]);
    }

    /* The model that is shown is another one, or has changed: within a work of the queue. */
    async follow(): Promise<void> {
        const { model, source } = this.app;
        if (!this.active || !model)
            return;
        if (!model.planar) {
            this.close();
            return;
        }
        this.survey = await this.app.client.survey();
        this.sketch = sketchOf(source, model, this.survey.places);
        this.selected = this.selected.filter(([section, name]) => this.sketch!.all[section]?.[name] !== undefined);
        this.render();
        this.showTold();
    }

    /* Makes a text the model; keep: more of the same act follows. */
    private async apply(text: string, keep = false): Promise<boolean> {
        if (text === this.app.source)
            return true;
        await this.app.change(text);
        if (!keep)
            await this.app.act(() => this.app.client.endChange());
        return this.app.source === text;
    }

    /* tools ------------------------------------------------------------------------------------ */

    take(tool: Tool): void {
        this.tool = tool;
        this.picks = [];
        for (const [other, button] of this.buttons)
            button.setAttribute("aria-pressed", String(other === tool));
        this.app.stage.style.cursor = tool.cursor;
        this.element.classList.toggle("selects", tool.name === "select");
        if (tool.name !== "select")
            this.select([]);
        this.render();
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (!this.active || event.ctrlKey || event.metaKey || event.altKey ||
            target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, .cm-editor, .start"))
            return;
        const tool = TOOLS.find((one) => one.key === event.key.toUpperCase());
        const acts: Record<string, () => void> = {
            Escape: () => this.picks.length > 0 ? this.take(this.tool) : this.take(TOOLS[0]!),
            Delete: () => void this.remove(), Backspace: () => void this.remove(),
            Enter: () => { if (this.tool.closes && this.picks.length >= this.tool.closes) void this.finish(); },
        };
        const act = tool ? () => this.take(tool) : acts[event.key];
        if (!act || (event.key === "Enter" && target.closest("button")))
            return;
        event.preventDefault();
        event.stopPropagation();
        act();
    }

    private async finish(): Promise<void> {
        const picks = this.picks, { tool } = this;
        this.picks = [];
        if (!this.sketch)
            return;
        try {
            const maker = new Maker(this.app.source, this.sketch), before = maker.all.measures ?? {};
            tool.make(maker, picks);
            if (await this.apply(maker.text))
                this.app.plotNew(Object.keys(maker.all.measures ?? {}).filter((name) => before[name] === undefined));
        } catch (error) {
            this.app.tell(`${tool.title}: ${(error as Error).message}.`);
            this.render();
        }
    }

    private pick(pick: Pick): void {
        const first = this.picks[0], { closes, hints } = this.tool;
        if (closes && first && this.picks.length >= closes && this.distance(first, pick) < NEAR) {
            void this.finish();
            return;
        }
        this.picks.push(pick);
        if (!closes && this.picks.length === hints.length)
            void this.finish();
        else
            this.render();
    }

    /* the hand --------------------------------------------------------------------------------- */

    private world(x: number, y: number): [number, number] {
        const at = this.app.scene.facing(x, y, new THREE.Vector3());
        return at ? [at.x, at.y] : [0, 0];
    }
    private screen(x: number, y: number): [number, number] {
        const { width, height } = this.app.stage.getBoundingClientRect();
        const at = new THREE.Vector3(x, y, 0).project(this.app.scene.view.camera);
        return [(0.5 + 0.5 * at.x) * width, (0.5 - 0.5 * at.y) * height];
    }
    private distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
        const [a, b] = this.screen(one.x, one.y), [c, d] = this.screen(other.x, other.y);
        return Math.hypot(a - c, b - d);
    }
    /* m, of the grid: 1, 2 or 5 times a power of ten. */
    private step(): number {
        const [a] = this.world(0, 0), [b] = this.world(STEP, 0), least = Math.abs(b - a), ten = 10 ** Math.floor(Math.log10(least));
        return [1, 2, 5, 10].map((k) => k * ten).find((one) => one >= least * (1 - 1e-9))!;
    }

    /* Points first, then, from the last pick, angles of 15 degrees, then the grid. Ctrl: none of it. */
    private place(event: PointerEvent, without: Point | null = null): Pick {
        const [x, y] = this.world(event.clientX, event.clientY), under = this.app.scene.bodiesAt(event.clientX, event.clientY)
            .map((body) => this.app.model!.bodies[body]!.name).filter((name) => this.sketch?.all.bodies?.[name] !== undefined);
        const free = event.ctrlKey || event.metaKey, near = (this.sketch?.points ?? []).filter((point) => point !== without)
            .map((point) => ({ point, far: this.distance(point, { x, y }) })).sort((a, b) => a.far - b.far)[0];
        if (!free && near && near.far < NEAR)
            return { x: near.point.x, y: near.point.y, point: near.point, under };
        const step = this.step(), round = (value: number) => free ? value : step * Math.round(value / step);
        const last = this.picks[this.picks.length - 1];
        if (last && this.tool.line && !free) {
            const angle = Math.atan2(y - last.y, x - last.x), turn = TURN * Math.round(angle / TURN);
            const length = round(Math.hypot(x - last.x, y - last.y));
            const straight = Math.abs(turn % (Math.PI / 2)) < 1e-9; /* the grid has these anyhow */
            if (!straight && Math.abs(angle - turn) < LEAN)
                return { x: last.x + length * Math.cos(turn), y: last.y + length * Math.sin(turn), point: null, under };
        }
        return { x: round(x), y: round(y), point: null, under };
    }

    private mine(event: PointerEvent): boolean {
        return this.active && !this.pinching && this.app.model !== null && event.isPrimary &&
            (event.target as Element).closest(".drawn, .start") === null && (event.type !== "pointerdown" || event.button === 0);
    }

    /* A second finger comes nearer or shifts the view: what the first one did here is taken back, and the view
     * hears of both. */
    private pinching = false;
    private finger: { event: PointerEvent; picks: Pick[] } | null = null;
    private pinch(): void {
        const { event, picks } = this.finger!;
        this.finger = null;
        this.pinching = true;
        this.picks = picks;
        this.held = this.next = null;
        this.render();
        const { pointerId, pointerType, clientX, clientY } = event;
        this.app.scene.canvas.dispatchEvent(new PointerEvent("pointerdown",
            { pointerId, pointerType, clientX, clientY, isPrimary: true, bubbles: true, cancelable: true }));
    }

    private down(event: PointerEvent): void {
        if (this.active && !event.isPrimary && this.finger)
            this.pinch();
        if (!this.mine(event))
            return;
        event.stopPropagation(); /* the view stays */
        this.finger = event.pointerType === "touch" ? { event, picks: [...this.picks] } : null;
        (document.activeElement as HTMLElement | null)?.blur?.();
        if (this.app.playing || (this.app.frame?.time ?? 0) > 0) {
            void this.app.reset(); /* things are drawn where they are at the start */
            return;
        }
        if (this.tool.name !== "select") {
            this.pick(this.place(event));
            return;
        }
        const pick = this.place(event);
        if (pick.point) {
            this.app.scene.canvas.setPointerCapture(event.pointerId);
            this.held = { point: pick.point, base: this.app.source, x: event.clientX, y: event.clientY, moved: false };
        }
        this.select(pick.point ? this.itemsOf(pick.point) : pick.under[0] ? [["bodies", pick.under[0]]] : []);
    }

    private move(event: PointerEvent): void {
        if (!this.mine(event) && !this.held)
            return;
        const { held } = this;
        if (held) {
            held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) >= MOVED;
            if (!held.moved)
                return;
            const to = this.place(event, held.point);
            this.next = [to.x, to.y];
            void this.drag();
            return;
        }
        this.hover = this.place(event);
        this.seen = "";
    }

    private up(event: PointerEvent): void {
        if (event.isPrimary) {
            this.finger = null;
            this.pinching = false;
        }
        if (!this.held)
            return;
        event.stopPropagation();
        const { moved } = this.held;
        if (!moved)
            this.held = null;
        else if (!this.moving && !this.next)
            void this.drop();
        else
            this.dropping = true;
    }
    private dropping = false;

    private async drag(): Promise<void> {
        if (this.moving)
            return;
        this.moving = true;
        while (this.next && this.held) {
            const [x, y] = this.next, { point, base } = this.held;
            this.next = null;
            const text = await this.moved(base, point, x, y);
            if (text !== null) {
                await this.apply(text, true);
            } else {
                this.app.tell(`${point.name} cannot go there: no number of the formulas that it follows from brings it there.`);
                this.held = null;
            }
        }
        this.moving = false;
        if (this.dropping)
            await this.drop();
    }
    private async drop(): Promise<void> {
        this.dropping = false;
        this.held = null;
        await this.app.act(() => this.app.client.endChange());
    }

    /* The text with a point at another place: its own numbers, or those that it follows from. */
    private async moved(text: string, point: Point, x: number, y: number): Promise<string | null> {
        if (point.place)
            return withValue(text, point.place, [millimetres(x), millimetres(y)]);
        const names = point.parameter ? lengthNames(sectionsOf(text), point.name) : [];
        if (names.length === 0)
            return null;
        const values = await this.app.act(() => this.app.client.reach(text, point.name, [x, y], names));
        return values?.reduce((now, [name, value]) => withValue(now, ["parameters", name], value), text) ?? null;
    }

    /* choosing --------------------------------------------------------------------------------- */

    private itemsOf(point: Point): Item[] {
        return point.joints.length > 0 ? point.joints.map((joint): Item => ["joints", joint])
                                       : point.parameter ? [["parameters", point.name]] : [];
    }

    private select(items: Item[]): void {
        this.selected = items;
        const model = this.app.model;
        if (model) {
            const index = (section: string, all: { name: string }[]) => items.filter(([one]) => one === section)
                .map(([, name]) => all.findIndex((one) => one.name === name));
            this.app.highlight(index("bodies", model.bodies), index("joints", model.joints));
        }
        this.showTold();
    }

    private async remove(): Promise<void> {
        const items = this.selected;
        this.select([]);
        if (items.length > 0)
            await this.apply(withoutItems(this.app.source, items));
    }

    /* Time goes on. */
    told(): void { this.showTold(); }

    /* what is seen ----------------------------------------------------------------------------- */

    private showTold(): void {
        const { model } = this.app;
        if (!this.active || !model || !this.sketch || !this.survey)
            return;
        const told = readiness(this.sketch, this.survey, model.gravity);
        this.freedoms.textContent = told.freedoms;
        this.missing.replaceChildren(...told.missing.map((one) => el("li", { class: "lacks" }, `Still missing: ${one}.`)),
                                     ...told.notes.map((one) => el("li", {}, one)));
        const names = this.selected.map(([, name]) => name).join(", ");
        this.chosen.replaceChildren(...(names === "" ? [] : [el("b", {}, names), " ",
            el("button", { type: "button", id: "delete-chosen", click: () => void this.remove() }, "take away (Del)")]));
        this.guide.follow(this.sketch, this.app);
    }

    private text(words: string, kind: string, x: number, y: number, dx: number, dy: number): Mark {
        const element = el("span", { class: `mark ${kind}` }, words);
        return { element, place: () => {
            const [left, top] = this.screen(x, y);
            element.style.transform = `translate(${left + dx}px, ${top + dy}px)`;
        } };
    }
    private circle(point: Point): Mark {
        const kind = point.ground ? "ground" : point.joints.length > 0 ? "joint" : "loose";
        const element = shape(point.ground ? "path" : "circle", { class: `point ${kind}`, r: "5", d: "M0 0-9 14H9z" });
        return { element, place: () => {
            const [left, top] = this.screen(point.x, point.y);
            element.setAttribute("transform", `translate(${left} ${top})`);
        } };
    }
    private length(bar: Bar): Mark {
        const { from, to } = bar, size = Math.hypot(to.x - from.x, to.y - from.y);
        const element = el("button", { type: "button", class: "mark dim", "aria-label": `length of ${bar.body}`,
                                       click: () => this.edit(bar, element) }, millimetres(size));
        return { element, place: () => {
            const [a, b] = this.screen(from.x, from.y), [c, d] = this.screen(to.x, to.y);
            const far = Math.hypot(c - a, d - b) || 1, side = c - a < 0 ? -1 : 1;
            element.hidden = far < 30;
            element.style.transform = `translate(${(a + c) / 2 + 22 * side * (d - b) / far}px, ` +
                `${(b + d) / 2 - 16 * side * (c - a) / far}px) translate(-50%, -50%)`;
        } };
    }

    /* The length is typed in place: the end that fewer bodies share moves. */
    private edit(bar: Bar, label: HTMLElement): void {
        const { from, to } = bar, size = Math.hypot(to.x - from.x, to.y - from.y);
        const box = numberBox(1000 * size, `length of ${bar.body} in mm`, (value) => {
            if (!(value > 0)) {
                this.app.tell("a length is more than 0");
                return;
            }
            const weight = (point: Point) => 2 * Number(point.ground) + point.bodies.length + 4 * Number(point.place === null);
            const [still, end] = weight(to) <= weight(from) ? [from, to] : [to, from], share = value / 1000 / size;
            void this.moved(this.app.source, end, still.x + share * (end.x - still.x), still.y + share * (end.y - still.y))
                .then((text) => text !== null && this.apply(text));
        }, "", "mm");
        box.classList.add("in-place");
        box.style.transform = label.style.transform;
        box.addEventListener("blur", () => this.render());
        box.addEventListener("keydown", (event) => {
            if (event.key === "Escape" || event.key === "Enter")
                setTimeout(() => box.blur());
        });
        label.replaceWith(box);
        box.focus();
        box.select();
    }

    private render(): void {
        if (!this.active)
            return;
        const { sketch } = this;
        this.hint.textContent = this.tool.hints[Math.min(this.picks.length, this.tool.hints.length - 1)]!;
        const points = sketch?.points ?? [];
        this.marks = [...points.map((point) => this.circle(point)), ...points.map((point) =>
            this.text(point.name, "name", point.x, point.y, 8, -22)), ...(sketch?.bars ?? []).map((bar) => this.length(bar))];
        this.svg.replaceChildren(...this.marks.filter(({ element }) => element instanceof SVGElement).map(({ element }) => element));
        this.layer.replaceChildren(...this.marks.filter(({ element }) => element instanceof HTMLElement).map(({ element }) => element));
        this.seen = "";
        this.tick();
    }

    /* Marks keep to the picture: as often as that is drawn. */
    tick(): void {
        if (!this.active)
            return;
        const { clientWidth, clientHeight } = this.app.stage, moved = (this.app.frame?.time ?? 0) > 0;
        const camera = this.app.scene.view.camera;
        const now = [clientWidth, clientHeight, moved, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements].join();
        if (now === this.seen)
            return;
        this.seen = now;
        this.element.classList.toggle("moved", moved);
        this.marks.forEach((mark) => mark.place());
        this.svg.querySelector(".preview")?.remove();
        this.svg.append(this.preview());
    }

    /* The line from pick to pick to the pointer, with its length and angle. */
    private preview(): SVGElement {
        const group = shape("g", { class: "preview" }), { hover } = this;
        const ends = [...this.picks, ...(hover && this.tool.name !== "select" ? [hover] : [])].map((one) => this.screen(one.x, one.y));
        if (this.tool.line && ends.length > 1)
            group.append(shape("polyline", { points: ends.map((end) => end.join()).join(" ") }));
        for (const [x, y] of ends.slice(0, this.picks.length))
            group.append(shape("circle", { cx: String(x), cy: String(y), r: "4" }));
        const end = ends[ends.length - 1], last = this.picks[this.picks.length - 1];
        if (hover && end && this.tool.name !== "select") {
            group.append(shape("circle", { class: hover.point ? "snapped" : "free", cx: String(end[0]), cy: String(end[1]), r: hover.point ? "9" : "3" }));
            const label = shape("text", { x: String(end[0] + 12), y: String(end[1] + 22) });
            label.textContent = last && this.tool.line
                ? `${millimetres(Math.hypot(hover.x - last.x, hover.y - last.y))}, ${(Math.atan2(hover.y - last.y, hover.x - last.x) * 180 / Math.PI).toFixed(1)}°`
                : hover.point?.name ?? `${millimetres(hover.x)}, ${millimetres(hover.y)}`;
            group.append(label);
        }
        return group;
    }
}
