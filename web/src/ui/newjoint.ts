/* newjoint.ts: a joint made in space: two bodies, a place and an axis, picked on the bodies or typed. It is one change of the text. */
import * as THREE from "three";
import type { App } from "../app.ts";
import type { Model } from "../engine.ts";
import { freshName, sectionsOf, withEntry } from "../drawing/entries.ts";
import type { Value } from "../yamltext.ts";
import { el, field, numberBox } from "./dom.ts";
import { t } from "../words/words.ts";

/* Types that an origin, with or without an axis, places. */
const TYPES: [type: string, hasAxis: boolean][] = [["hinge", true], ["slider", true], ["cylindrical", true], ["universal", true],
    ["spherical", false], ["planar", true], ["solid", false]];
const CLICK = 4;       /* pixels: less is a click */
const MOST_BODIES = 500;
const DIGITS = 9;      /* of a direction in the text */
const GROUND = "ground";
const PICKS = [t("Click the first body."), t("Click the second body, or where there is none for the ground."),
               t("Click where the joint is: a cylinder gives its axis, a face its normal. Or type it.")];

export class NewJoint {
    private readonly element = el("details", { class: "newjoint" }, el("summary", {}, t("New joint")));
    private model: Model | null = null;
    private step = 0; /* of PICKS */
    private bodies = ["", GROUND];
    private type = "hinge";
    private at = new THREE.Vector3();
    private along = new THREE.Vector3(0, 0, 1);
    private down: { x: number; y: number } | null = null;
    private readonly hint = el("p", { class: "quiet", role: "status", "aria-live": "polite" });
    private readonly sign = new THREE.ArrowHelper(this.along, this.at, 1, 0xe8590c); /* where it will be */

    constructor(private readonly app: App) {
        this.sign.visible = false;
        this.sign.traverse((one) => {
            const { material } = one as THREE.Mesh;
            if (material)
                Object.assign(material, { depthTest: false, transparent: true });
            one.renderOrder = 9;
        });
        this.element.addEventListener("toggle", () => void this.opened(this.element.open));
    }

    private heard = false; /* the picture is there, and its presses are heard */
    private listen(): void {
        if (this.heard)
            return;
        this.heard = true;
        this.app.scene.addBehind(this.sign);
        const { canvas } = this.app.scene;
        canvas.addEventListener("pointerdown", (event) => { this.down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null; });
        canvas.addEventListener("pointerup", (event) => {
            if (this.app.picks && this.down && Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < CLICK)
                this.pick(event.clientX, event.clientY);
            this.down = null;
        });
    }

    build(model: Model): HTMLElement {
        this.listen();
        const same = this.model?.bodies.map((one) => one.name).join() === model.bodies.map((one) => one.name).join();
        this.model = model;
        if (!same) {
            this.step = 0;
            this.bodies = [model.bodies[0]?.name ?? "", GROUND];
        }
        this.fill();
        return this.element;
    }

    /* Bodies are picked where the text puts them. */
    private async opened(on: boolean): Promise<void> {
        this.app.picks = on;
        this.step = 0;
        this.show();
        if (!on)
            return;
        this.app.pause();
        await this.app.input(async () => {
            if (this.app.frame && (this.app.frame.time > 0 || this.app.frame.canUndo))
                await this.app.changeNow(this.app.source);
        });
    }

    private hasAxis(): boolean { return TYPES.find(([type]) => type === this.type)![1]; }

    private choice(label: string, value: string, all: string[], change: (value: string) => void): HTMLElement {
        const select = el("select", { "aria-label": t("{0} of the new joint", label), change: () => {
            change(select.value);
            this.fill();
        } }, ...all.map((one) => el("option", { value: one }, one)));
        select.value = value;
        return field(label, select);
    }

    private fill(): void {
        const { model, app } = this;
        if (!model)
            return;
        const names = model.bodies.slice(0, MOST_BODIES).map((one) => one.name), unit = app.display.of("m");
        const boxes = (label: string, of: THREE.Vector3, size: number, name: string) => el("div", { class: "place" }, ...["x", "y", "z"].map((axis, k) => {
            const box = numberBox(of.getComponent(k) / size, t("{0} of the {1} of the new joint", axis, label), (value) => {
                of.setComponent(k, value * size);
                this.show();
            }, "", name);
            return field(axis, box, name);
        }));
        this.element.replaceChildren(this.element.firstElementChild!, this.hint,
            this.choice(t("type"), this.type, TYPES.map(([type]) => type), (type) => { this.type = type; }),
            this.choice(t("body"), this.bodies[0]!, names, (name) => { this.bodies[0] = name; }),
            this.choice(t("to"), this.bodies[1]!, [GROUND, ...names], (name) => { this.bodies[1] = name; }),
            el("h4", {}, t("origin")), boxes(t("origin"), this.at, unit.size, unit.name),
            ...(this.hasAxis() ? [el("h4", {}, t("axis")), boxes(t("axis"), this.along, 1, "")] : []),
            el("div", { class: "buttons" }, el("button", { type: "button", class: "main", id: "join", click: () => void app.input(() => this.join()) }, t("Join")),
               el("button", { type: "button", id: "pick-again", click: () => { this.step = 0; this.show(); } }, t("Pick again"))));
        this.show();
    }

    private show(): void {
        this.hint.textContent = PICKS[Math.min(this.step, PICKS.length - 1)]!;
        this.sign.visible = this.app.picks && this.step > 0;
        if (this.along.lengthSq() > 0) {
            this.sign.position.copy(this.at);
            this.sign.setDirection(this.along.clone().normalize());
            this.sign.setLength(0.2 * this.app.scene.modelSize());
        }
        this.app.scene.invalidate();
    }

    private pick(x: number, y: number): void {
        const found = this.app.scene.feature(x, y), name = found ? this.model?.bodies[found.body]?.name : undefined;
        if (this.step < 1 && !name)
            return;
        if (this.step < 2)
            this.bodies[this.step] = name ?? GROUND;
        if (found) {
            this.at.copy(found.at);
            this.along.copy(found.along);
        }
        this.step = Math.min(this.step + 1, PICKS.length - 1);
        this.app.highlight(this.bodies.map((one) => this.model!.bodies.findIndex((body) => body.name === one)), []);
        this.fill();
    }

    private async join(): Promise<void> {
        const { app, bodies: [a, b], at, along, type } = this;
        if (!a || a === b) {
            app.tell(t("A joint needs two bodies, or one and the ground."));
            return;
        }
        if (this.hasAxis() && !(along.lengthSq() > 0)) {
            app.tell(t("The axis of the joint is zero."));
            return;
        }
        const unit = along.clone().normalize(), before = await app.client.survey(), all = sectionsOf(app.source);
        const entry: { [key: string]: Value } = { type, a, ...(b === GROUND ? {} : { b: b! }), origin: at.toArray().map((one) => app.display.written(one)),
            ...(this.hasAxis() ? { axis: unit.toArray().map((one) => Number(one.toFixed(DIGITS))) } : {}) };
        const name = freshName(all, type, `${type}1`);
        if (!await app.rewrite(withEntry(app.source, "joints", name, entry)))
            return; /* why was told */
        await app.client.endChange();
        const { dof, redundant } = await app.client.survey(), more = redundant - before.redundant;
        app.tell(`${name} joins ${a} and ${b}: ${dof < 0 ? "" : `${dof} degree${dof === 1 ? "" : "s"} of freedom`}` +
            (more > 0 ? `; ${more} of its constraints repeat${more === 1 ? "s" : ""} others of the loop, the report says which` : "") + ".");
    }
}
