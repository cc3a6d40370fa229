/* guide.ts: the first mechanism, step by step: a crank and a rocker. A step is done when it is drawn. */
import type { App } from "../app.ts";
import { el } from "../ui/dom.ts";
import type { Sketch } from "./sketch.ts";
import { t } from "../words/words.ts";

interface Step { title: string; text: string; done(sketch: Sketch, app: App): boolean }

const grounds = (sketch: Sketch): number => sketch.points.filter((point) => point.ground && point.joints.length > 0).length;
const driven = (sketch: Sketch): boolean =>
    Object.values(sketch.all.joints ?? {}).some((joint) => typeof joint === "object" && t("motor") in joint);

const STEPS: Step[] = [
    { title: t("A crank"), text: t("Choose bar (B). Click a place, then another one above it."),
      done: (sketch) => sketch.bars.length >= 1 },
    { title: t("It turns about the ground"), text: t("Choose ground (G) and click the lower end of the bar."),
      done: (sketch) => grounds(sketch) >= 1 },
    { title: t("A coupler"), text: t("Choose bar again. Begin at the upper end of the crank: the two are pinned there. End farther to the right."),
      done: (sketch) => sketch.bars.length >= 2 && sketch.points.some((point) => point.bodies.length >= 2) },
    { title: t("A rocker"), text: t("One more bar, from the end of the coupler down."),
      done: (sketch) => sketch.bars.length >= 3 },
    { title: t("The second ground"), text: t("Ground (G) at the lower end of the rocker. Now one freedom is left."),
      done: (sketch) => grounds(sketch) >= 2 },
    { title: t("A motor"), text: t("Choose motor (M) and click the ground pin of the crank."), done: driven },
    { title: t("It moves"), text: t("Press play (space). Drag points to change it, click a length to set it."),
      done: (_, app) => app.playing },
];

export class Guide {
    private on = false;
    private at = 0;
    private readonly title = el("b", {});
    private readonly text = el("p", {});
    readonly element = el("div", { class: "guide", hidden: true }, this.title, this.text,
        el("button", { type: "button", click: () => { this.start(false); this.changed(); } }, t("without guide")));

    constructor(private readonly changed: () => void) {}

    start(on: boolean): void {
        this.on = on;
        this.at = 0;
        this.element.hidden = !on;
    }

    follow(sketch: Sketch, app: App): void {
        while (this.on && this.at < STEPS.length && STEPS[this.at]!.done(sketch, app))
            this.at++;
        const step = STEPS[this.at];
        this.element.hidden = !this.on || !step;
        if (step) {
            this.title.textContent = `${this.at + 1}/${STEPS.length} ${step.title}`;
            this.text.textContent = step.text;
        }
    }
}
