/* board.ts: drawing over the picture: tools, points, lengths, what is missing. The model's text is what is
 * drawn: each act makes a new text, which undo takes back.
 *
 * Every press of the hand waits in the queue of the page until what was done before is in the text. Only then are the
 * points and bodies under it looked up: the text that comes out depends on what was pressed, not on how fast.
 */
import * as THREE from "three";
import type { App } from "../app.ts";
import { el, field, icon, numberBox } from "../ui/dom.ts";
import { unitSelect } from "../ui/unitselect.ts";
import { withCopies } from "./copies.ts";
import { saidOf, withCutouts } from "./cutouts.ts";
import { sectionsOf, withValue, withoutItems } from "./entries.ts";
import type { Item, Written } from "./entries.ts";
import { Guide } from "./guide.ts";
import { KINDS, withKind } from "./kinds.ts";
import { disturbed, holdOf, led, locksOf, withLocks, withoutIdleLocks } from "./locks.ts";
import { lengthNames } from "./moves.ts";
import { Photo } from "./photo.ts";
import { readiness, some } from "./ready.ts";
import { Signs, shape } from "./signs.ts";
import type { Mark } from "./signs.ts";
import { fieldOf, sketchOf } from "./sketch.ts";
import type { Bar, Point, Sketch, Survey } from "./sketch.ts";
import { Maker, TOOLS } from "./tools.ts";
import type { Pick, Tool } from "./tools.ts";
import { itemsWith, linesOf } from "./values.ts";
import type { Value } from "./values.ts";
import { t } from "../words/words.ts";

const NEAR = 12;          /* pixels within which a point is meant */
const MOVED = 4;          /* pixels: less is a click */
const STEP = 7;           /* pixels that a step of the grid has at least */
const TURN = Math.PI / 12, LEAN = Math.PI / 60; /* angles that lines are drawn to, and from how near */
const ROOM = 0.15;        /* m on each side of the middle that an empty drawing shows */
const WAYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const LED = 1e-9;         /* m: what a place that a lock leads to is told to */
const MOST_COPIES = 500;  /* bodies */
const MOVED_HINT = t("It has moved: click to bring it back to where it is drawn.");
const FAR = 10;           /* steps of the grid, with Shift */
const FACED = 0.5;        /* cosine of the angle to its normal up to which the plane can be drawn on */
const ASIDE = t("The plane is seen from the side: F brings the view back in which it can be drawn on.");

export const BLANK = `tenon: 1
world: planar
name: my mechanism
gravity: [0, -9.81]
parameters: {}
bodies: {}
joints: {}
simulation: {duration: 10 s}
`;

/* Where the hand was: m, and m of a pixel. */
interface Hand { x: number; y: number; pixel: number; free: boolean } /* free: nothing attracts it */
/* From a button's way down to its way up, with the tool that moves points. */
interface Press {
    x: number; y: number; /* pixels */
    moved: boolean; next: Hand | null; /* where the point is to go */
    refused: boolean;     /* it cannot be where it was put last */
    spent: boolean;       /* it brought the mechanism back to its start */
    held: { point: Point; base: string; sketch: Sketch } | null; /* the text and what it drew when it was taken up */
}
type Held = NonNullable<Press["held"]>;

function distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
    return Math.hypot(one.x - other.x, one.y - other.y);
}

function pressAt(x: number, y: number): Press {
    return { x, y, moved: false, next: null, refused: false, spent: false, held: null };
}

export class Board {
    active = false;
    sketch: Sketch | null = null;
    private survey: Survey | null = null;
    private tool: Tool = TOOLS[0]!;
    private picks: Pick[] = [];
    private hover: Pick | null = null;
    private selected: Item[] = [];
    private press: Press | null = null;
    private cursor: Hand | null = null;   /* where the arrow keys are */
    private carried: Press | null = null; /* what they move */
    private marks: Mark[] = [];
    private readonly signs = new Signs((x, y) => this.screen(x, y), (metres) => this.app.display.length(metres),
        (bar, label) => this.edit(bar, label), (value, label) => this.editValue(value, label));
    private seen = "";
    private readonly svg = shape("svg", { class: "lines", "aria-hidden": "true" });
    private readonly grid = shape("path", { class: "grid" }); /* to which picks snap */
    private readonly layer = el("div", { class: "dims drawn" });
    private readonly hint = el("p", { class: "hint", role: "status", "aria-live": "polite" });
    private readonly freedoms = el("p", { class: "freedoms" });
    private readonly missing = el("ul", { class: "missing", "aria-label": t("what is missing") });
    private readonly chosen = el("div", { class: "chosen" });
    private readonly buttons = new Map<Tool, HTMLButtonElement>();
    private readonly photo: Photo;
    private known: [Pick, Pick] | null = null; /* ends of a length on the photo */
    private readonly photoFile = el("input", { type: "file", accept: "image/*", change: () => {
        const [file] = this.photoFile.files ?? [];
        this.photoFile.value = "";
        if (file)
            void this.takePhoto(file);
    } });
    private readonly guide = new Guide(() => this.showTold());
    readonly element: HTMLElement;

    constructor(private readonly app: App) {
        const bar = el("div", { class: "tools drawn", role: "toolbar", "aria-label": t("drawing tools") });
        for (const tool of TOOLS) {
            const button = el("button", { type: "button", class: "tool", title: `${tool.title} (${tool.key})`,
                                          "aria-label": tool.title, "aria-pressed": "false", id: `tool-${tool.name}`,
                                          click: () => this.take(tool) }, icon(tool.icon), el("span", {}, t(tool.name)));
            this.buttons.set(tool, button);
            bar.append(button);
        }
        bar.append(unitSelect(app, "length"));
        const told = el("div", { class: "told drawn", "aria-live": "polite" }, this.guide.element, this.freedoms, this.missing,
                        this.chosen);
        this.element = el("div", { class: "board", hidden: true }, bar, this.hint, told);
        this.element.prepend(this.svg, this.layer);
        const { stage } = app;
        this.photo = new Photo(() => app.scene.invalidate());
        app.scene.addBehind(this.photo.mesh);
        stage.append(this.element);
        stage.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
        stage.addEventListener("pointermove", (event) => this.move(event), { capture: true });
        stage.addEventListener("pointerup", (event) => this.up(event), { capture: true });
        stage.addEventListener("pointercancel", () => {
            this.finger = null;
            this.pinching = false;
            this.release();
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

    open(): Promise<void> { return this.app.input(() => this.show()); }
    toggle(): Promise<void> { return this.app.input(() => this.active ? this.hide() : this.show()); }

    private async show(): Promise<void> {
        if (this.app.recorded || !this.app.model?.planar) {
            this.app.tell(t("Only a mechanism in the plane (world: planar) can be drawn."));
            return;
        }
        this.active = true;
        this.element.hidden = false;
        this.app.stage.classList.add("drawing");
        this.app.drawing(true);
        this.app.scene.setLeast(ROOM);
        this.app.scene.view.hold = true;
        this.photo.show(true);
        this.app.pause();
        await this.taken(this.tool);
        const { frame } = this.app;
        if (frame && (frame.time > 0 || frame.canUndo))
            await this.app.changeNow(this.app.source); /* as it is written, not as it stands */
        else
            await this.follow();
    }

    private hide(): void {
        this.active = false;
        this.element.hidden = true;
        this.app.stage.classList.remove("drawing");
        this.app.stage.style.cursor = "";
        this.app.drawing(false);
        this.app.scene.setLeast(0);
        this.app.scene.view.hold = false;
        this.photo.show(false);
        this.picks = [];
        this.select([]);
    }

    /* The model that is shown is another one, or has changed: within a work of the queue. */
    async follow(): Promise<void> {
        const { model, source } = this.app;
        if (!this.active || !model)
            return;
        if (!model.planar) {
            this.hide();
            return;
        }
        this.survey = await this.app.client.survey();
        await this.photo.follow(this.app.name).catch(() => {}); /* a photo that cannot be read any more is none */
        this.sketch = sketchOf(source, model, this.survey.places);
        const { all, points } = this.sketch;
        this.selected = this.selected.filter(([section, name]) => all[section]?.[name] !== undefined);
        this.picks = this.picks.map((pick) => ({ ...pick, under: pick.under.filter((body) => all.bodies?.[body] !== undefined),
            point: points.find((point) => point.name === pick.point?.name) ?? null }));
        this.render();
        this.showTold();
    }

    /* Makes a text the model, within a work of the queue; keep: more of the same act follows. */
    private async apply(text: string, keep = false): Promise<boolean> {
        if (text === this.app.source)
            return true;
        const done = await this.app.rewrite(text);
        if (!keep)
            await this.app.client.endChange();
        return done;
    }

    /* tools ------------------------------------------------------------------------------------ */

    take(tool: Tool): void {
        this.showTool(tool);
        void this.app.input(() => this.taken(tool));
    }
    private showTool(tool: Tool): void {
        for (const [other, button] of this.buttons)
            button.setAttribute("aria-pressed", String(other === tool));
    }
    private async taken(tool: Tool): Promise<void> {
        await this.putDown();
        this.tool = tool;
        this.picks = [];
        this.known = null;
        this.showTool(tool);
        this.app.stage.style.cursor = tool.cursor;
        this.element.classList.toggle("selects", tool.name === "select");
        if (tool.name !== "select" && !tool.motions)
            this.select([]);
        this.showTold();
        this.render();
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        if (!this.active || event.ctrlKey || event.metaKey || event.altKey ||
            target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, .cm-editor, .start, .keylist, .tour"))
            return;
        const tool = TOOLS.find((one) => one.key === event.key.toUpperCase());
        const acts: Record<string, () => void | Promise<void>> = {
            Escape: () => this.taken(this.picks.length > 0 ? this.tool : TOOLS[0]!),
            Delete: () => this.remove(), Backspace: () => this.remove(),
            l: () => this.lockable()[0] ? this.lock(this.lockable()[0]!) : undefined,
            Enter: () => this.tool.closes && this.picks.length >= this.tool.closes ? this.finish() : undefined,
        };
        const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key], way = target === document.body || this.app.stage.contains(target) ? WAYS[event.key] : undefined;
        if (!tool && !act && !way || (event.key === "Enter" && target.closest("button")))
            return;
        event.preventDefault();
        event.stopPropagation();
        if (tool)
            this.take(tool);
        else if (way)
            this.point(way, event.shiftKey ? FAR : 1);
        else if (event.key === "Enter" && this.cursor)
            this.enter(this.cursor);
        else
            void this.app.input(act!);
    }

    /* The place of the keys goes on by steps of the grid; a point that was taken up comes with it. */
    private point([x, y]: [number, number], steps: number): void {
        if (!this.faced) {
            this.app.tell(ASIDE);
            return;
        }
        const { left, top, width, height } = this.app.stage.getBoundingClientRect(), middle = [left + width / 2, top + height / 2] as const;
        const at = this.cursor ?? this.handAt(...middle, false), step = this.step(at.pixel);
        const hand = this.cursor = { ...at, x: step * (Math.round(at.x / step) + x * steps), y: step * (Math.round(at.y / step) + y * steps) };
        void this.app.input(() => {
            const { carried } = this;
            this.hover = this.place(hand);
            this.seen = "";
            this.hint.textContent = this.hover.point?.name ?? this.said(this.hover);
            if (!carried)
                return undefined;
            carried.moved = true;
            carried.next = hand;
            return this.drag(carried);
        });
    }
    private enter(hand: Hand): void {
        const press = pressAt(0, 0);
        this.meant(press, async (selects) => {
            if (!selects)
                return this.pick(hand);
            if (this.carried)
                return this.putDown();
            this.takeUp(press, hand);
            this.carried = press.held && press;
        });
    }
    private async putDown(): Promise<void> {
        const { carried } = this;
        this.carried = null;
        if (carried?.moved)
            await this.drop(carried);
    }

    private async finish(): Promise<void> {
        const picks = this.picks, { tool } = this;
        this.picks = [];
        if (!this.sketch)
            return;
        try {
            if (tool.photo) {
                this.known = this.photo.there && distance(picks[0]!, picks[1]!) > 0 ? picks as [Pick, Pick] : null;
                this.showTold();
                this.render();
                return;
            }
            if (tool.motions) {
                await this.copy(tool, picks);
                return;
            }
            const maker = new Maker(this.app.source, this.sketch, (metres) => this.app.display.written(metres)), before = maker.all.measures ?? {};
            const told = tool.make(maker, picks);
            if (!await this.apply(maker.text))
                return;
            if (told)
                this.app.tell(told);
            this.app.plotNew(Object.keys(maker.all.measures ?? {}).filter((name) => before[name] === undefined));
        } catch (error) {
            this.app.tell(`${tool.title}: ${(error as Error).message}.`);
            this.render();
        }
    }

    /* Of the selected bodies, or of all; the copies are selected then. */
    private async copy(tool: Tool, picks: Pick[]): Promise<void> {
        const sketch = this.sketch!, chosen = this.selected.filter(([section]) => section === "bodies").map(([, name]) => name);
        const bodies = chosen.length > 0 ? chosen : Object.keys(sketch.all.bodies ?? {});
        const motions = tool.motions!(picks, this.count), { length } = motions;
        if (length * bodies.length > MOST_COPIES)
            throw new Error(`that would make more than ${MOST_COPIES} bodies`);
        const made = withCopies(this.app.source, sketch, bodies, motions, (metres) => this.app.display.written(metres));
        if (!await this.apply(made.text))
            return;
        await this.taken(TOOLS[0]!);
        this.select(made.bodies.map((name): Item => ["bodies", name]));
    }

    private async pick(hand: Hand): Promise<void> {
        const pick = this.place(this.tool.photo ? { ...hand, free: true } : hand), first = this.picks[0], { closes, hints } = this.tool;
        if (closes && first && this.picks.length >= closes && distance(first, pick) < NEAR * hand.pixel) {
            await this.finish();
            return;
        }
        this.picks.push(pick);
        if (!closes && this.picks.length === hints.length)
            await this.finish();
        else
            this.render();
    }

    /* the hand --------------------------------------------------------------------------------- */

    /* Seen from the side a place of the screen is no place of the plane. */
    private get faced(): boolean {
        return Math.abs(this.app.scene.view.camera.getWorldDirection(new THREE.Vector3()).z) > FACED;
    }

    private world(x: number, y: number): [number, number] {
        const at = this.app.scene.facing(x, y, new THREE.Vector3());
        return at ? [at.x, at.y] : [0, 0];
    }
    private screen(x: number, y: number): [number, number] {
        const { width, height } = this.app.stage.getBoundingClientRect();
        const at = new THREE.Vector3(x, y, 0).project(this.app.scene.view.camera);
        return [(0.5 + 0.5 * at.x) * width, (0.5 - 0.5 * at.y) * height];
    }
    private said({ x, y }: { x: number; y: number }): string {
        return `${this.app.display.length(x)}, ${this.app.display.length(y)}`;
    }
    /* m, of the grid: 1, 2 or 5 times a power of ten, in the unit of lengths. */
    private step(pixel: number): number {
        const { size } = this.app.display.of("m"), least = STEP * pixel / size, ten = 10 ** Math.floor(Math.log10(least));
        return [1, 2, 5, 10].map((k) => k * ten).find((one) => one >= least * (1 - 1e-9))! * size;
    }

    private hand(event: PointerEvent): Hand {
        return this.handAt(event.clientX, event.clientY, event.ctrlKey || event.metaKey);
    }
    private handAt(left: number, top: number, free: boolean): Hand {
        const [x, y] = this.world(left, top), [a] = this.world(0, 0), [b] = this.world(1, 0);
        return { x, y, pixel: Math.abs(b - a), free };
    }
    /* Points first, then what is nearer: the grid, or, from the last pick, lines at angles of 15 degrees. Ctrl: none of it. */
    private place({ x, y, pixel, free }: Hand, without: Point | null = null): Pick {
        const under = this.app.scene.bodiesOver(x, y).map((body) => this.app.model!.bodies[body]!.name)
            .filter((name) => this.sketch?.all.bodies?.[name] !== undefined);
        const reach = NEAR * pixel, hand = { x, y };
        const closest = (this.sketch?.points ?? []).filter((point) => point.name !== without?.name)
            .map((point) => ({ point, far: distance(point, hand) })).sort((a, b) => a.far - b.far)[0];
        if (!free && closest && closest.far < reach)
            return { x: closest.point.x, y: closest.point.y, point: closest.point, under, near: reach };
        const step = this.step(pixel), round = (value: number) => free ? value : step * Math.round(value / step);
        const grid = { x: round(x), y: round(y), point: null, under, near: reach };
        const last = this.origin(), arm = this.tool.centre ? this.picks[1] : undefined;
        if (last && this.tool.line && !free) {
            const angle = Math.atan2(y - last.y, x - last.x), start = arm ? Math.atan2(arm.y - last.y, arm.x - last.x) : 0;
            const turn = start + TURN * Math.round((angle - start) / TURN);
            const length = arm ? distance(last, arm) : round(Math.hypot(x - last.x, y - last.y));
            const straight = !arm && Math.abs(turn % (Math.PI / 2)) < 1e-9; /* the grid has these anyhow */
            const onLine = { ...grid, x: last.x + length * Math.cos(turn), y: last.y + length * Math.sin(turn) };
            if (!straight && Math.abs(angle - turn) < LEAN && (arm || distance(onLine, hand) < distance(grid, hand)))
                return onLine;
        }
        return grid;
    }

    /* Of a line from its origin; of one that is turned, from where it was, the short way. */
    private turnTo(to: Pick, last: Pick): number {
        const of = (pick: Pick) => Math.atan2(pick.y - last.y, pick.x - last.x), arm = this.tool.centre ? this.picks[1] : undefined;
        const turn = of(to) - (arm ? of(arm) : 0);
        return Math.atan2(Math.sin(turn), Math.cos(turn));
    }
    /* Where the line to the pointer begins. */
    private origin(): Pick | undefined { return this.tool.centre ? this.picks[0] : this.picks[this.picks.length - 1]; }

    private mine(event: PointerEvent): boolean {
        return this.active && this.faced && !this.pinching && this.app.model !== null && event.isPrimary &&
            (event.target as Element).closest(".drawn, .start") === null && (event.type !== "pointerdown" || event.button === 0);
    }

    /* A finger picks where it is lifted. A second one comes nearer or shifts the view before that: then the view
     * hears of both, and nothing is picked. */
    private pinching = false;
    private finger: PointerEvent | null = null; /* its way down */
    private pinch(): void {
        const { pointerId, pointerType, clientX, clientY } = this.finger!;
        this.finger = null;
        this.pinching = true;
        this.release();
        this.app.scene.canvas.dispatchEvent(new PointerEvent("pointerdown",
            { pointerId, pointerType, clientX, clientY, isPrimary: true, bubbles: true, cancelable: true }));
    }

    private down(event: PointerEvent): void {
        if (this.active && !event.isPrimary && this.finger)
            this.pinch();
        if (this.active && !this.faced)
            this.app.tell(ASIDE);
        if (!this.mine(event))
            return;
        event.stopPropagation(); /* the view stays */
        (document.activeElement as HTMLElement | null)?.blur?.();
        this.app.scene.canvas.setPointerCapture(event.pointerId);
        const press = pressAt(event.clientX, event.clientY);
        const hand = this.hand(event);
        this.press = press;
        this.finger = event.pointerType === "touch" ? event : null;
        const lifted = this.finger !== null;
        this.meant(press, (selects) => selects ? this.takeUp(press, hand, event.shiftKey) : lifted ? undefined : this.pick(hand));
    }

    /* Work at a place. A press on what has moved brings it back to where it is drawn, and does nothing else. */
    private meant(press: Press, work: (selects: boolean) => void | Promise<void>): void {
        const { playing } = this.app;
        void this.app.input(() => {
            press.spent ||= playing || (this.app.frame?.time ?? 0) > 0;
            return press.spent ? this.app.resetNow() : work(this.tool.name === "select");
        });
    }

    private takeUp(press: Press, hand: Hand, more = false): void {
        const { point, under } = this.place(hand);
        if (point)
            press.held = { point, base: this.app.source, sketch: this.sketch! };
        const line = point ? undefined : this.lineAt(hand);
        const items = point ? this.itemsOf(point) : line ? [line] : under[0] ? [["bodies", under[0]] as Item] : [];
        const isIn = (all: Item[], [section, name]: Item) => all.some(([s, n]) => s === section && n === name);
        this.select(!more ? items : items.every((one) => isIn(this.selected, one)) ? this.selected.filter((one) => !isIn(items, one))
            : [...this.selected, ...items.filter((one) => !isIn(this.selected, one))]);
    }

    /* The spring, rod or force on whose line the hand is. */
    private lineAt({ x, y, pixel }: Hand): Item | undefined {
        return (this.sketch ? linesOf(this.sketch) : []).find(({ from, to }) => {
            const [a, b] = [to.x - from.x, to.y - from.y], far = a * a + b * b || 1;
            const share = Math.max(0, Math.min(1, ((x - from.x) * a + (y - from.y) * b) / far));
            return Math.hypot(x - from.x - share * a, y - from.y - share * b) < NEAR / 2 * pixel;
        })?.item;
    }

    private move(event: PointerEvent): void {
        const { press } = this;
        if (!this.mine(event) && !press)
            return;
        this.cursor = null;
        this.hover = this.faced ? this.place(this.hand(event)) : null;
        this.seen = "";
        if (!press)
            return;
        press.moved ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) >= MOVED;
        if (!press.moved || !this.faced)
            return;
        const waits = press.next !== null;
        press.next = this.hand(event);
        if (!waits)
            void this.app.input(() => this.drag(press));
    }

    private up(event: PointerEvent): void {
        if (event.isPrimary) {
            if (this.finger && this.press && this.faced) {
                const hand = this.hand(event);
                this.meant(this.press, (selects) => selects ? undefined : this.pick(hand));
            }
            this.finger = null;
            this.pinching = false;
        }
        if (!this.press)
            return;
        event.stopPropagation();
        this.release();
    }
    private release(): void {
        const { press } = this;
        this.press = null;
        if (press?.moved)
            void this.app.input(() => this.drop(press));
    }

    /* The held point comes to where the hand is by now. */
    private async drag(press: Press): Promise<void> {
        const hand = press.next;
        press.next = null;
        if (!press.held || !hand)
            return;
        const { point, sketch } = press.held, locked = locksOf(sketch.all).length;
        const { text, why, led: leads } = await this.within(press.held, this.place(hand, point));
        if (text !== null) {
            press.refused = !await this.apply(text, true);
            this.hint.textContent = leads ? `${point.name} is led: ${leads}.` : this.tool.hints[0]!;
        } else {
            this.app.tell(t("{0} cannot go there: {1}.", point.name, why));
            if (locked === 0)
                press.held = null;
        }
    }

    /* The text with a point at a place, or as near to it as locks let it go; led: by which. null: it cannot go. */
    private async within({ point, base, sketch }: Held, to: { x: number; y: number }):
        Promise<{ text: string | null; why: string; led: string }> {
        const locks = locksOf(sketch.all), hold = holdOf(locks, point);
        if (hold !== "")
            return { text: null, why: hold, led: "" };
        const disturbs = async (text: string, place: { x: number; y: number }) => locks.length === 0 ? [] :
            disturbed(locks, sketch, new Map([[point.name, place], ...(await this.app.client.points(text)).map(([name, x, y]) =>
                [name, { x, y }] as const)]));
        const fine = locks.length > 0 ? LED : undefined, text = await this.moved(base, point, to.x, to.y, fine);
        if (text === null)
            return { text, why: "no number of the formulas that it follows from brings it there", led: "" };
        const why = await disturbs(text, to);
        if (why.length === 0)
            return { text, why: "", led: "" };
        const way = led(locks, sketch.bars, point, to);
        const other = way && await this.moved(base, point, way.place.x, way.place.y, fine);
        return way && other && (await disturbs(other, way.place)).length === 0 ? { text: other, why: "", led: way.by }
            : { text: null, why: why.join(", "), led: "" };
    }
    /* Where it cannot be left it goes back to where it was taken up. */
    private async drop(press: Press): Promise<void> {
        if (!press.held)
            return;
        this.hint.textContent = this.tool.hints[0]!;
        if (press.refused)
            await this.apply(press.held.base, true);
        await this.app.client.endChange(press.held.base);
        await this.app.redraw();
    }

    private saidAt(text: string, path: string[]): Written | undefined {
        return path.slice(1).reduce<Written | undefined>((one, key) => fieldOf(one, key), sectionsOf(text)[path[0]!]);
    }

    /* The text with a point at another place: its own numbers, or those that it follows from. */
    private async moved(text: string, point: Point, x: number, y: number, to?: number): Promise<string | null> {
        if (point.place)
            return withValue(text, point.place, [x, y].map((one) => this.app.display.written(one, this.saidAt(text, point.place!), to)));
        const names = point.parameter ? lengthNames(sectionsOf(text), point.name) : [];
        if (names.length === 0)
            return null;
        const values = await this.app.client.reach(text, point.name, [x, y], names, to === undefined ? 7 : 10);
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

    private async remove(items = this.selected): Promise<void> {
        this.select([]);
        if (items.length > 0)
            await this.apply(withoutIdleLocks(withoutItems(this.app.source, itemsWith(this.app.source, items))));
    }

    private selectedPoint(): Point | undefined {
        const [first] = this.selected;
        return first && this.sketch?.points.find((one) => first[0] !== "bodies" && this.itemsOf(one).some(([, name]) => name === first[1]));
    }
    /* Names of what is selected, as locks say them; a bar has a length and an angle too. */
    private lockable(): string[] {
        const point = this.selectedPoint(), [first] = this.selected;
        return point ? [point.name] : first?.[0] === "bodies" && this.selected.length === 1 ? this.sketch?.bars.some(({ body }) => body === first[1])
            ? [first[1], `${first[1]}.length`, `${first[1]}.angle`] : [first[1]] : [];
    }
    /* Outlines of a DXF or SVG drawing become bodies of what is drawn, or of a new drawing, as one change. */
    async takeOutlines(file: string, drawn: string): Promise<void> {
        if (!this.active)
            await (this.app.model?.planar && !this.app.recorded ? this.open() : this.begin(BLANK, file.replace(/\.\w+$/, ".yaml")));
        await this.app.input(async () => {
            if (!this.sketch)
                return;
            try {
                const made = withCutouts(this.app.source, this.sketch, file, drawn);
                if (!await this.apply(made.text))
                    return;
                this.app.scene.view.look("first");
                this.app.tell(`${file}: ${saidOf(made)}`, made.left.length > 0);
            } catch (error) {
                this.app.tell(`${file}: ${(error as Error).message}`, true);
            }
        });
    }

    /* As wide as half of what is seen, in its middle. */
    async takePhoto(file: File): Promise<void> {
        if (!this.faced) {
            this.app.tell(ASIDE);
            return;
        }
        const { left, top, width, height } = this.app.stage.getBoundingClientRect();
        const [x, y] = this.world(left + width / 2, top + height / 2), [end] = this.world(left + width, top + height / 2);
        try {
            await this.photo.take(file, { x, y }, end - x);
            this.take(TOOLS.find((tool) => tool.photo)!);
        } catch {
            this.app.tell(`${file.name} is no picture that can be shown`);
        }
    }
    /* The length that was picked on the photo, and where its first end is. */
    private photoFields(): HTMLElement {
        const { name, size } = this.app.display.of("m"), [from, to] = this.known ?? [], choose = el("button", { type: "button", id: "photo-choose",
            click: () => this.photoFile.click() }, this.photo.there ? t("another photo") : t("choose a photo"));
        const box = (label: string, value: number, change: (value: number) => void) => field(label, numberBox(value / size, t("{0} on the photo in {1}", label, name),
            (now) => {
                change(now * size);
                this.known = null;
                this.showTold();
            }, "", name), name);
        const still = (place: { x?: number; y?: number }) => this.photo.move(from!, { x: from!.x, y: from!.y, ...place }, 1);
        return el("div", { class: "photo" }, choose, this.photo.there ? el("button", { type: "button", click: () => {
            this.photo.remove();
            this.known = null;
            this.showTold();
        } }, t("take the photo away")) : null, from && to ? el("div", {}, box(t("length"), distance(from, to), (length) => {
            if (length > 0)
                this.photo.move(from, from, length / distance(from, to));
        }), box(t("x of its first end"), from.x, (x) => still({ x })), box(t("y of its first end"), from.y, (y) => still({ y }))) : null);
    }

    private count = 1; /* copies */
    private countField(): HTMLElement {
        const box = numberBox(this.count, t("how many copies"), (value) => {
            this.count = Math.max(1, Math.min(MOST_COPIES, Math.round(value)));
            box.value = String(this.count);
        });
        return field(t("copies"), box);
    }
    /* Where a point is, to be typed. */
    private placeFields(point: Point): HTMLElement {
        const { name, size } = this.app.display.of("m");
        return el("div", { class: "place" }, ...(["x", "y"] as const).map((axis) =>
            field(axis, numberBox(point[axis] / size, t("{0} of {1} in {2}", axis, point.name, name), (value) =>
                void this.app.input(() => this.setPlace(point.name, { [axis]: value * size })), "", name), name)), this.kindFields());
    }
    private async setPlace(name: string, to: { x?: number; y?: number }): Promise<void> {
        const { sketch } = this, point = sketch?.points.find((one) => one.name === name);
        if (!sketch || !point)
            return;
        const { text, why, led: leads } = await this.within({ point, base: this.app.source, sketch }, { x: point.x, y: point.y, ...to });
        if (text !== null && leads === "")
            await this.apply(text);
        else
            this.app.tell(t("{0} cannot go there: {1}.", name, why || leads));
    }
    private async lock(name: string): Promise<void> {
        const now = locksOf(sectionsOf(this.app.source));
        await this.apply(withLocks(this.app.source, now.includes(name) ? now.filter((one) => one !== name) : [...now, name]));
    }

    /* Other units of numbers. */
    restyle(): void { this.render(); }

    /* Time goes on. */
    told(): void { this.showTold(); }

    /* what is seen ----------------------------------------------------------------------------- */

    private showTold(): void {
        const { model } = this.app;
        if (!this.active || !model || !this.sketch || !this.survey)
            return;
        const told = readiness(this.sketch, this.survey, model.gravity);
        this.freedoms.textContent = told.freedoms;
        this.missing.replaceChildren(...told.missing.map((one) => el("li", { class: "lacks" }, t("Still missing: {0}.", one))),
                                     ...told.notes.map((one) => el("li", {}, one)));
        const names = some(this.selected.map(([, name]) => name));
        this.chosen.replaceChildren(...(this.tool.photo ? [this.photoFields()] : []), ...(this.tool.counts ? [this.countField()] : []), ...(names === "" ? [] : [el("b", {}, names), " ",
            el("button", { type: "button", id: "delete-chosen", click: () =>
                void this.app.input(() => this.remove()) }, t("take away (Del)")),
            ...this.lockable().map((name, k) => this.lockButton(name, k === 0)), ...[this.selectedPoint()].filter((one) => one !== undefined)
                .map((point) => this.placeFields(point))]));
        this.guide.follow(this.sketch, this.app);
    }

    /* Of each selected joint what it is, to be changed; closed, so that the card covers little of the drawing. */
    private kindFields(): HTMLElement | null {
        const isJoint = (name: string) => fieldOf(this.sketch!.all.joints?.[name], "origin") !== undefined;
        const fields = this.selected.filter(([section, name]) => section === "joints" && isJoint(name)).flatMap(([, name]) => {
            const type = this.app.model!.joints.find((one) => one.name === name)?.type ?? "";
            if (!KINDS.some(([one]) => one === type))
                return [];
            const select = el("select", { "aria-label": t("kind of {0}", name), change: () => void this.app.input(() => select.value === ""
                ? this.remove([["joints", name]]) : this.setKind(name, select.value)) },
                ...KINDS.map(([one, title]) => el("option", { value: one }, title)), el("option", { value: "" }, t("none: take it away")));
            select.value = type;
            return [field(name, select)];
        });
        return fields.length > 0 ? el("details", { class: "kinds" }, el("summary", {}, t("kind")), ...fields) : null;
    }
    private async setKind(name: string, type: string): Promise<void> {
        if (!await this.apply(withKind(this.app.source, this.sketch!, name, type)))
            this.showTold(); /* what it is still */
    }

    private lockButton(name: string, first: boolean): HTMLElement {
        const on = locksOf(this.sketch!.all).includes(name), what = name.split(".")[1] ?? "";
        return el("button", { type: "button", class: "lock-chosen", "aria-pressed": String(on),
            title: on ? t("{0}: drags may move it again", name) : t("{0}: no drag moves it", name), click: () => void this.app.input(() => this.lock(name)) },
            icon("lock"), [on ? t("locked") : t("lock"), what === "" ? "" : t(what)].filter((one) => one).join(" ") + (first ? " (L)" : ""));
    }

    private editValue(value: Value, label: HTMLElement): void {
        const box = el("input", { type: "text", class: "number", "aria-label": value.of, value: value.text,
            title: t("a number with its unit, or a formula (=...); empty: it is taken away"),
            change: () => void this.app.input(async () => {
                try {
                    await this.apply(value.changed(this.app.source, box.value.trim()));
                } catch (error) {
                    this.app.tell(`${value.of}: ${(error as Error).message}.`);
                }
            }) });
        this.inPlace(box, label);
    }

    /* The length is typed in place: the end that fewer bodies share moves. */
    private edit(bar: Bar, label: HTMLElement): void {
        const { name, size } = this.app.display.of("m");
        const box = numberBox(distance(bar.from, bar.to) / size, t("length of {0} in {1}", bar.body, name), (value) => {
            if (value > 0)
                void this.app.input(() => this.setLength(bar.body, value * size));
            else
                this.app.tell(t("a length is more than 0"));
        }, "", name);
        this.inPlace(box, label);
    }
    private inPlace(box: HTMLInputElement, label: HTMLElement): void {
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

    private async setLength(body: string, length: number): Promise<void> {
        const bar = this.sketch?.bars.find((one) => one.body === body);
        if (!bar)
            return;
        const { from, to } = bar, share = length / distance(from, to), { sketch } = this, base = this.app.source;
        const locks = locksOf(sketch!.all), isHeld = (point: Point) => Number(holdOf(locks, point) !== "");
        const weight = (point: Point) => 2 * Number(point.ground) + point.bodies.length + 4 * Number(point.place === null) + 99 * isHeld(point);
        const [still, end] = weight(to) <= weight(from) ? [from, to] : [to, from];
        const { text, why, led: leads } = await this.within({ point: end, base, sketch: sketch! },
            { x: still.x + share * (end.x - still.x), y: still.y + share * (end.y - still.y) });
        if (text !== null && leads === "")
            await this.apply(text);
        else
            this.app.tell(`${body} cannot be as long as that: ${why || leads}.`);
    }

    private hasMoved = false;
    private showHint(moved = this.hasMoved): void {
        this.hasMoved = moved;
        this.hint.textContent = moved ? MOVED_HINT : this.tool.hints[Math.min(this.picks.length, this.tool.hints.length - 1)]!;
    }

    /* The lines to whose crossings picks snap. */
    private drawGrid(): void {
        if (!this.faced) {
            this.grid.setAttribute("d", "");
            return;
        }
        const { left, top, width, height } = this.app.stage.getBoundingClientRect(), far = this.world(left + width, top + height);
        const near = this.world(left, top), pixel = Math.abs(far[0] - near[0]) / width, step = this.step(pixel || 1), ways: string[] = [];
        for (let k = Math.ceil(near[0] / step); k * step < far[0]; k++)
            ways.push(`M${this.screen(k * step, 0)[0].toFixed(1)} 0v${height}`);
        for (let k = Math.ceil(far[1] / step); k * step < near[1]; k++)
            ways.push(`M0 ${this.screen(0, k * step)[1].toFixed(1)}h${width}`);
        this.grid.setAttribute("d", ways.join(""));
    }

    private render(): void {
        if (!this.active)
            return;
        const { sketch } = this;
        this.showHint();
        this.marks = sketch ? this.signs.of(sketch, (name) => this.app.model?.joints.find((one) => one.name === name)?.type === "solid") : [];
        this.svg.replaceChildren(this.grid, ...this.marks.filter(({ element }) => element instanceof SVGElement).map(({ element }) => element));
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
        if (moved !== this.hasMoved)
            this.showHint(moved);
        this.drawGrid();
        this.signs.clear();
        this.marks.forEach((mark) => mark.place());
        this.svg.querySelector(".preview")?.remove();
        this.svg.append(this.preview());
    }

    /* The line from pick to pick to the pointer, with its length and angle. */
    private preview(): SVGElement {
        const group = shape("g", { class: "preview" }), { hover } = this, { display } = this.app;
        const ends = [...this.known ?? this.picks, ...(hover && !this.known && this.tool.name !== "select" ? [hover] : [])].map((one) => this.screen(one.x, one.y));
        const way = this.tool.centre ? ends.flatMap((end) => [ends[0]!, end]) : ends;
        if (this.tool.line && ends.length > 1)
            group.append(shape("polyline", { points: way.map((end) => end.join()).join(" ") }));
        for (const [x, y] of ends.slice(0, this.picks.length))
            group.append(shape("circle", { cx: String(x), cy: String(y), r: "4" }));
        const end = ends[ends.length - 1], last = this.origin();
        if (hover && end && this.tool.name !== "select") {
            group.append(shape("circle", { class: hover.point ? "snapped" : "free", cx: String(end[0]), cy: String(end[1]), r: hover.point ? "9" : "3" }));
            const label = shape("text", { x: String(end[0] + 12), y: String(end[1] + 22) });
            label.textContent = last && this.tool.line
                ? `${display.length(distance(hover, last))}, ${display.angle(this.turnTo(hover, last))}`
                : hover.point?.name ?? this.said(hover);
            group.append(label);
        }
        return group;
    }
}
