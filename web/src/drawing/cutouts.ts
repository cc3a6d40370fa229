/* cutouts.ts: outlines of a DXF or SVG drawing as bodies of a mechanism in the plane: plates and wheels where they lie in the
 * drawing, with a point in each round hole, for pins to snap to.
 *
 * In: the text and what is drawn in it already. Out: the text with new points and bodies; all else stays.
 */
import { centroidOf, partsOf } from "../contours/contour.ts";
import type { Drawing, Place } from "../contours/contour.ts";
import { readDxf } from "../contours/dxf.ts";
import { readSvg } from "../contours/svg.ts";
import type { Sketch } from "./sketch.ts";
import { Maker, millimetres } from "./tools.ts";

const SAME = 0.005;    /* mm: a hole nearer than that to a point is there */
const MOST_PARTS = 200;

export const isOutlines = (name: string): boolean => /\.(dxf|svg)$/i.test(name);

/* What was made, and what of the drawing was not read. */
export interface Cutouts { text: string; bodies: number; holes: number; left: string[] }

export function saidOf({ bodies, holes, left }: Cutouts): string {
    const points = holes === 0 ? "" : holes === 1 ? ", a point in its round hole, whose material is counted"
        : `, a point in each of ${holes} round holes, whose material is counted`;
    return `${bodies} ${bodies === 1 ? "body" : "bodies"}${points}${left.length > 0 ? `. Not read: ${left.join(", ")}` : ""}.`;
}

const mm = (value: number): string => millimetres(value / 1000);

class Cutter {
    private readonly points: { name: string; at: Place }[];
    holes = 0;
    constructor(readonly maker: Maker, sketch: Sketch) {
        this.points = sketch.points.filter((one) => one.parameter).map(({ name, x, y }) => ({ name, at: [1000 * x, 1000 * y] }));
    }

    private pointAt([x, y]: Place): string | undefined {
        return this.points.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < SAME)?.name;
    }
    private put(at: Place, value: string | string[]): string {
        const name = this.maker.newPoint(value);
        this.points.push({ name, at });
        return name;
    }

    /* A body hangs on a point of its own: its first hole, or the middle of its area. */
    add({ outline, holes }: ReturnType<typeof partsOf>[number]): void {
        const round = holes.filter((one) => one.radius > 0).map((one) => one.points[0]!);
        const anchor = round.find((at) => this.pointAt(at) === undefined) ?? centroidOf(outline), from = this.put(anchor, anchor.map(mm));
        const relative = ([x, y]: Place): [string, string] => [mm(x - anchor[0]), mm(y - anchor[1])];
        const stem = outline.layer.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(\d)/, "part$1").replace(/^(part0|_*)$/, "") || "part";
        if (outline.radius > 0 && Math.hypot(outline.points[0]![0] - anchor[0], outline.points[0]![1] - anchor[1]) < SAME)
            this.maker.wheel(from, mm(outline.radius), stem);
        else if (outline.radius > 0)
            this.maker.disc(from, relative(outline.points[0]!), mm(outline.radius), stem);
        else
            this.maker.cutout(from, outline.points.map(relative), stem);
        this.holes += round.length;
        for (const at of round)
            if (this.pointAt(at) === undefined)
                this.put(at, `=${from} + [${relative(at).join(", ")}]`);
    }
}

function drawingOf(file: string, text: string): Drawing { return /\.dxf$/i.test(file) ? readDxf(text) : readSvg(text); }

export function withCutouts(text: string, sketch: Sketch, file: string, drawn: string): Cutouts {
    const drawing = drawingOf(file, drawn), parts = partsOf(drawing);
    if (parts.length > MOST_PARTS)
        throw new Error(`the drawing has ${parts.length} outlines, more than ${MOST_PARTS}`);
    if (parts.length === 0)
        throw new Error("there is no closed outline in it");
    const cutter = new Cutter(new Maker(text, sketch), sketch), odd = parts.reduce((sum, { holes }) => sum + holes.filter((one) => one.radius === 0).length, 0);
    parts.forEach((part) => cutter.add(part));
    return { text: cutter.maker.text, bodies: parts.length, holes: cutter.holes,
             left: [...drawing.left].map(([what, count]) => `${count} ${what}`).concat(odd > 0 ? [`${odd} hole that is not round`] : []) };
}
