/* signs.ts: what the board writes over the picture: points, names, lengths, numbers of the text, padlocks, and where there is room
 * for them. In: the sketch. Out: elements, each with what puts it in its place for the present view.
 */
import { el, icon } from "../ui/dom.ts";
import { t } from "../words/words.ts";
import { locksOf } from "./locks.ts";
import type { Bar, Point, Sketch } from "./sketch.ts";
import { MOTOR } from "./tools.ts";
import { valuesOf } from "./values.ts";
import type { Value } from "./values.ts";

const LETTER = 7, HIGH = 17; /* pixels of a letter of a label, and of its line */
const ROUND = 6;             /* pixels about a point that labels leave free */
const SVG = "http://www.w3.org/2000/svg";

export interface Mark { element: HTMLElement | SVGElement; place: () => void }

export function shape(name: string, attributes: Record<string, string>): SVGElement {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
        element.setAttribute(key, value);
    return element;
}

export class Signs {
    /* screen: pixels of a place in m; said: a length as it is shown; edit, editValue: a label was pressed. */
    constructor(private readonly screen: (x: number, y: number) => [number, number], private readonly said: (metres: number) => string,
                private readonly edit: (bar: Bar, label: HTMLElement) => void, private readonly editValue: (value: Value, label: HTMLElement) => void) {}

    of(sketch: Sketch, isWeld: (joint: string) => boolean): Mark[] {
        const { points, bars } = sketch;
        return [...points.map((point) => this.circle(point, isWeld)), ...points.map((point) => this.text(point.name, "name", point.x, point.y, 8, -22)),
                ...bars.map((bar) => this.length(bar)), ...valuesOf(sketch).map((value) => this.value(value)), ...this.padlocks(sketch)];
    }
    /* All labels are put in place anew. */
    clear(): void { this.covered = []; }

    /* A padlock at each thing that is locked. */
    private padlocks({ bars, points, all }: Sketch): Mark[] {
        const locks = locksOf(all);
        const at = (name: string, x: number, y: number, dx: number, dy: number): Mark => {
            const element = el("span", { class: "mark padlock", title: t("{0} is locked", name), "data-lock": name }, icon("lock"));
            return { element, place: () => {
                const [left, top] = this.screen(x, y);
                element.style.transform = `translate(${left + dx}px, ${top + dy}px)`;
            } };
        };
        return locks.flatMap((name) => {
            const [body, what] = name.split("."), bar = bars.find((one) => one.body === body);
            const point = points.find((one) => one.name === name), mine = points.filter((one) => one.bodies.includes(name));
            const along = (share: number): [number, number] =>
                [bar!.from.x + share * (bar!.to.x - bar!.from.x), bar!.from.y + share * (bar!.to.y - bar!.from.y)];
            if (bar)
                return what === "length" ? [at(name, ...along(0.5), -7, -7)] : what === "angle" ? [at(name, ...along(0.25), -7, -7)]
                    : [at(name, ...along(0.75), -7, -7)];
            if (point)
                return [at(name, point.x, point.y, -22, -8)];
            const mean = (of: "x" | "y") => mine.reduce((sum, one) => sum + one[of], 0) / mine.length;
            return mine.length > 0 ? [at(name, mean("x"), mean("y"), -7, -7)] : [];
        });
    }

    private covered: [number, number, number, number][] = []; /* left, top, right, bottom of what is placed already */
    /* The middle of a label: the first of these places where it covers nothing, else the first one. */
    private letter(element: HTMLElement, places: [number, number][]): void {
        const wide = LETTER * (element.textContent ?? "").length / 2 + HIGH / 2, boxes = places.map(([x, y]): [number, number, number, number] =>
            [x - wide, y - HIGH / 2, x + wide, y + HIGH / 2]);
        const isFree = ([a, b, c, d]: [number, number, number, number]) => !this.covered.some(([p, q, r, s]) => a < r && p < c && b < s && q < d);
        const at = Math.max(0, boxes.findIndex(isFree)), [x, y] = places[at]!;
        this.covered.push(boxes[at]!);
        element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    }

    private text(words: string, kind: string, x: number, y: number, dx: number, dy: number): Mark {
        const element = el("span", { class: `mark ${kind}` }, words);
        return { element, place: () => {
            const [left, top] = this.screen(x, y);
            this.covered.push([left + dx, top + dy, left + dx + LETTER * words.length, top + dy + HIGH]);
            element.style.transform = `translate(${left + dx}px, ${top + dy}px)`;
        } };
    }
    private circle(point: Point, isWeld: (joint: string) => boolean): Mark {
        const kind = point.ground ? "ground" : point.joints.length > 0 ? "joint" : "loose";
        const isWelded = !point.ground && point.joints.length > 0 && point.joints.every(isWeld);
        const element = shape(point.ground || isWelded ? "path" : "circle", { class: `point ${kind}`, r: "5", d: isWelded ? "M-5-5H5V5H-5z" : "M0 0-9 14H9z" });
        return { element, place: () => {
            const [left, top] = this.screen(point.x, point.y);
            this.covered.push([left - ROUND, top - ROUND, left + ROUND, top + ROUND]);
            element.setAttribute("transform", `translate(${left} ${top})`);
        } };
    }
    private length(bar: Bar): Mark {
        const { from, to } = bar, size = Math.hypot(to.x - from.x, to.y - from.y);
        const element = el("button", { type: "button", class: "mark dim", "aria-label": t("length of {0}", bar.body),
                                       click: () => this.edit(bar, element) }, this.said(size));
        return { element, place: () => {
            const [a, b] = this.screen(from.x, from.y), [c, d] = this.screen(to.x, to.y);
            const far = Math.hypot(c - a, d - b) || 1, side = c - a < 0 ? -1 : 1;
            element.hidden = far < 30;
            if (!element.hidden)
                this.letter(element, [0.5, 0.3, 0.7].flatMap((share) => [side, -side].map((way): [number, number] =>
                    [a + share * (c - a) + 22 * way * (d - b) / far, b + share * (d - b) - 16 * way * (c - a) / far])));
        } };
    }

    /* A number of the text beside what it belongs to. */
    private value(value: Value): Mark {
        const { kind, of, text, at } = value, motor = kind === "motor";
        const element = el("button", { type: "button", class: `mark dim value ${kind}`, "aria-label": of, title: t("{0}: click to change it", of),
            click: () => this.editValue(value, element) }, motor ? icon(MOTOR) : null, text);
        return { element, place: () => {
            const [x, y] = this.screen(at.x, at.y), wide = LETTER * text.length / 2 + 3 * HIGH / 2;
            this.letter(element, motor ? [[x, y + 28], [x - wide, y], [x + wide, y], [x, y - 28]]
                : [[x + wide, y + 18], [x - wide, y - 18], [x + wide, y - 18], [x - wide, y + 18]]);
        } };
    }
}
