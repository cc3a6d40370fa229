/* look.ts: what is shown and from where. */
import * as THREE from "three";
import type { App } from "../app.ts";
import { DRAW } from "../scene/parts.ts";
import type { View } from "../scene/camera.ts";
import { TABLE } from "../display.ts";
import type { Quantity } from "../display.ts";
import { el, field } from "./dom.ts";
import { unitSelect } from "./unitselect.ts";
import { t } from "../words/words.ts";

const PARTS = [t("all parts"), t("constraint"), t("compliance"), t("lock"), t("limit"), t("prescribed motion"), t("motor"),
               t("friction"), "spring"];

const MOST_BODIES = 200; /* in the list */

export class LookPanel {
    readonly element = el("div", { class: "look" });
    constructor(private readonly app: App) {}

    private check(label: string, on: boolean, act: (on: boolean) => void): HTMLElement {
        const input = el("input", { type: "checkbox", checked: on });
        input.addEventListener("change", () => act(input.checked));
        return field(label, input);
    }
    private drawn(label: string, bit: number): HTMLElement {
        return this.check(label, (this.app.what & bit) !== 0, (on) => {
            this.app.what = on ? this.app.what | bit : this.app.what & ~bit;
            void this.app.refresh(true);
        });
    }
    private slide(label: string, value: number, act: (value: number) => void): HTMLElement {
        const input = el("input", { type: "range", min: "0", max: "1", step: "any", value: String(value),
                                    "aria-label": label });
        input.addEventListener("input", () => act(Number(input.value)));
        return field(label, input);
    }

    build(): void {
        const { app } = this, { scene } = app;
        this.element.replaceChildren(
            el("h3", {}, t("View")), this.views(), this.tracked(),
            this.check(t("parallel projection"), scene.view.parallel, (on) => {
                scene.view.setParallel(on);
                scene.view.look("first");
            }),
            el("h3", {}, t("Units")), ...(Object.keys(TABLE) as Quantity[]).map((quantity) =>
                field(TABLE[quantity].title, unitSelect(app, quantity))),
            el("p", { class: "quiet" }, t("Of numbers shown and typed. The text of the model keeps its own.")),
            el("h3", {}, t("Shown")),
            this.drawn(t("joints"), DRAW.shapes), this.drawn(t("frames C and D"), DRAW.frames),
            this.drawn(t("couplings and springs"), DRAW.couplings), this.drawn(t("ground marks, points"), DRAW.marks),
            this.drawn(t("ranges"), DRAW.limits), this.drawn(t("values"), DRAW.values),
            this.check(t("names"), scene.look.labels, (on) => {
                scene.look.labels = on;
                app.what = on ? app.what | DRAW.labels : app.what & ~DRAW.labels;
                void app.refresh(true);
            }),
            this.check(t("traces of markers"), scene.look.traces, (on) => {
                scene.look.traces = on;
                void app.refresh();
            }),
            this.check(t("loads"), app.loads, (on) => {
                app.loads = on;
                void app.refresh();
            }),
            this.check(t("ground"), scene.look.ground, (on) => {
                scene.look.ground = on;
                scene.refreshGround();
            }),
            this.bodies(),
            el("h3", {}, t("Forces in the joints")), this.forces(),
            el("h3", {}, t("Inside")),
            this.slide(t("solid"), scene.solids.bodyOpacity, (value) => {
                scene.solids.setOpacity(Math.max(0.08, value));
                scene.invalidate();
            }),
            this.slide(t("apart"), scene.solids.explode, (value) => {
                scene.solids.explode = 1.5 * value;
                void app.refresh();
            }),
            this.section());
    }

    private views(): HTMLElement {
        const names: [View, string][] = [["first", t("home")], ["x", "+x"], ["-x", "−x"], ["y", "+y"],
                                         ["-y", "−y"], ["z", "+z"], ["-z", "−z"]];
        return el("div", { class: "chips" }, ...names.map(([view, name]) =>
            el("button", { type: "button", class: "chip", "aria-label": t("look from {0}", name),
                           click: () => this.app.scene.view.look(view) }, name)));
    }

    /* The body that the view moves with. */
    private tracked(): HTMLElement {
        const { app } = this, names = ["", ...app.model!.bodies.slice(0, MOST_BODIES).map((body) => body.name)];
        const select = el("select", { id: "track", "aria-label": t("body that the view follows"), change: () => {
            app.tracked = select.value;
            void app.refresh();
        } }, ...names.map((name) => el("option", { value: name }, name === "" ? t("none") : name)));
        app.tracked = select.value = names.includes(app.tracked) ? app.tracked : "";
        return field(t("view follows"), select);
    }

    /* Each body shown or not; "only": all others away. */
    private bodies(): HTMLElement {
        const { app } = this, model = app.model!, { hidden } = app.scene, names = model.bodies.slice(0, MOST_BODIES).map((body) => body.name);
        const boxes = new Map<string, HTMLInputElement>(), list = el("details", { class: "bodies" }, el("summary", {}, t("Bodies")));
        const apply = (away: string[]) => {
            hidden.set(model, away);
            for (const [name, box] of boxes)
                box.checked = !hidden.isHidden(name);
            void app.refresh(true);
        };
        const all = model.bodies.map((body) => body.name);
        for (const name of names) {
            const box = el("input", { type: "checkbox", checked: !hidden.isHidden(name), "aria-label": t("show {0}", name), change: () =>
                apply(box.checked ? hidden.all().filter((one) => one !== name) : [...hidden.all(), name]) });
            boxes.set(name, box);
            list.append(field(name, box, el("button", { type: "button", class: "chip", "aria-label": t("show only {0}", name), click: () =>
                apply(all.filter((one) => one !== name)) }, t("only"))));
        }
        list.append(el("button", { type: "button", id: "show-all", click: () => apply([]) }, t("show all")));
        list.open = hidden.any;
        return list;
    }

    private forces(): HTMLElement {
        const select = el("select", { "aria-label": t("parts of the forces") },
            el("option", { value: "off" }, t("not shown")),
            ...PARTS.map((name, k) => el("option", { value: String(k - 1) }, name)));
        select.value = this.app.wrench === null ? "off" : String(this.app.wrench);
        select.addEventListener("change", () => {
            this.app.wrench = select.value === "off" ? null : Number(select.value);
            this.app.scene.forces.reset();
            void this.app.refresh();
        });
        const size = this.slide(t("length"), 0.5, (value) => {
            this.app.scene.forces.scale = 4 ** (2 * value - 1);
            void this.app.refresh();
        });
        return el("div", {}, field(t("arrows"), select), size);
    }

    private section(): HTMLElement {
        let axis: THREE.Vector3 | null = null, share = 0.5;
        const select = el("select", { "aria-label": t("section") }, ...["none", "x", "y", "z"].map((name) =>
            el("option", { value: name }, name === "none" ? t("none") : name)));
        const apply = () => this.app.scene.setSection(axis, share);
        select.addEventListener("change", () => {
            const k = ["x", "y", "z"].indexOf(select.value);
            axis = k < 0 ? null : new THREE.Vector3().setComponent(k, 1);
            apply();
        });
        return el("div", {}, field(t("section across"), select), this.slide(t("at"), share, (value) => {
            share = value;
            apply();
        }));
    }
}
