/* polygons.ts: polygons of velocities and accelerations, as SVG: from one pole an arrow to the velocity of each pin, and
 * between pins of one link its image, which is the link turned by a right angle and made larger by its speed.
 */
import type { Pair } from "../loops.ts";
import { el } from "./dom.ts";

const SPACE = "http://www.w3.org/2000/svg";
const WIDE = 280, HIGH = 200, EDGE = 26; /* pixels */
const NEAR = 2e-3; /* share of the longest: shorter vectors end at the pole, by less than half a pixel */

/* vector: of a pin as a point of a body, -1: the ground. */
export interface End { name: string; body: number; vector: Pair }

function shape(name: string, attributes: Record<string, string>, text = ""): SVGElement {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes))
        element.setAttribute(key, value);
    element.textContent = text;
    return element;
}

/* title: what is drawn; said: of a length, with its unit. */
export function polygon(title: string, ends: End[], said: (length: number) => string): HTMLElement {
    const longest = Math.max(...ends.map(({ vector }) => Math.hypot(...vector)), 0);
    const moving = ends.filter(({ vector }) => Math.hypot(...vector) > NEAR * longest), all: Pair[] = [[0, 0], ...moving.map((one) => one.vector)];
    const [low, high] = [Math.min, Math.max].map((least) => [0, 1].map((k) => least(...all.map((one) => one[k]!)))) as [number[], number[]];
    const size = Math.max((high[0]! - low[0]!) / (WIDE - 2 * EDGE), (high[1]! - low[1]!) / (HIGH - 2 * EDGE)) || 1;
    const at = ([x, y]: Pair): Pair => [WIDE / 2 + (x - (low[0]! + high[0]!) / 2) / size, HIGH / 2 - (y - (low[1]! + high[1]!) / 2) / size];
    const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "polygon", role: "img", "aria-label": title });
    const line = (from: Pair, to: Pair, kind: string) => svg.append(shape("line",
        { class: kind, x1: from[0].toFixed(1), y1: from[1].toFixed(1), x2: to[0].toFixed(1), y2: to[1].toFixed(1) }));
    const bodies = [...new Set(ends.map((one) => one.body))].filter((body) => body >= 0);
    for (const body of bodies) { /* the image of each link */
        const mine = ends.filter((one) => one.body === body);
        mine.forEach((one, k) => mine.slice(k + 1).forEach((other) => line(at(one.vector), at(other.vector), "image")));
    }
    const tips: { at: Pair; names: string[] }[] = []; /* pins whose vectors are one have one arrow */
    for (const { name, vector } of moving) {
        const [x, y] = at(vector), there = tips.find((one) => Math.hypot(one.at[0] - x, one.at[1] - y) < 0.5);
        if (!there)
            tips.push({ at: [x, y], names: [name] });
        else if (!there.names.includes(name))
            there.names.push(name);
    }
    const o = at([0, 0]);
    for (const { at: [x, y], names } of tips) {
        line(o, [x, y], "vector");
        svg.append(shape("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: "2.5" }), shape("text", { x: (x + 5).toFixed(1), y: (y - 4).toFixed(1) }, names.join(", ")));
    }
    svg.append(shape("circle", { class: "pole", cx: o[0].toFixed(1), cy: o[1].toFixed(1), r: "3" }), shape("text", { x: (o[0] + 5).toFixed(1), y: (o[1] + 12).toFixed(1) }, "o"));
    const figure = el("figure", {}, el("figcaption", {}, `${title}, longest ${said(longest)}`));
    figure.append(svg);
    return figure;
}
