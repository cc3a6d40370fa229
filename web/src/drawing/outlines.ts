/* outlines.ts: a mechanism in the plane as outlines to scale: DXF and SVG in mm, a layer for each body.
 *
 * In: the draw list, poses included. A circle stays a circle; what a solid hides of another is drawn too.
 */
import type { DrawList } from "../engine.ts";
import { Kind, Primitive, Role, count } from "../scene/parts.ts";

type Place = [number, number]; /* mm */
/* points: a closed polygon; or a circle. */
interface Outline { layer: string; points: Place[]; centre: Place; radius: number }

const MARGIN = 10, DIGITS = 6; /* mm round a picture; digits behind the point */
const ROUND = 32;              /* sides of a half round end */
const number = (x: number): string => String(Number(x.toFixed(DIGITS)));

/* What a solid covers, in its own frame, seen along its z: a polygon, or a circle. */
function shapeOf(p: Primitive): { points: Place[]; radius: number } | null {
    const [x, y, z] = p.size, end = Math.PI / ROUND;
    switch (p.kind) {
    case Kind.Box: return { points: [[-x / 2, -y / 2], [x / 2, -y / 2], [x / 2, y / 2], [-x / 2, y / 2]], radius: 0 };
    case Kind.Cylinder: case Kind.Sphere: case Kind.Capsule: return { points: [], radius: x };
    case Kind.Ellipsoid: return { radius: 0, points: Array.from({ length: 2 * ROUND }, (_, k): Place =>
        [x * Math.cos(k * end), y * Math.sin(k * end)]) };
    case Kind.Prism: return z >= 0 ? { radius: 0, points: Array.from({ length: p.points }, (_, k): Place => {
        const at = 3 * (p.first + k);
        return [p.list.points[at]!, p.list.points[at + 1]!];
    }) } : null;
    default: return null;
    }
}

/* bodies: names. Only what lies in the plane, with its z along that of the world, has an outline here. */
export function outlinesOf(list: DrawList, bodies: string[]): Outline[] {
    const found: Outline[] = [];
    for (let k = 0; k < count(list); k++) {
        const p = new Primitive(list, k), [w, i, j, l] = [p.real(6), p.real(7), p.real(8), p.real(9)];
        const shape = p.role === Role.Body || p.role === Role.Fixed ? shapeOf(p) : null;
        if (!shape || Math.hypot(i, j) > 1e-9 && Math.hypot(w, l) > 1e-9)
            continue;
        /* the first two columns of the rotation, of which a turn upside down is one */
        const a: Place = [1 - 2 * (j * j + l * l), 2 * (i * j + w * l)], b: Place = [2 * (i * j - w * l), 1 - 2 * (i * i + l * l)];
        const put = ([x, y]: Place): Place => [1e3 * (p.real(3) + a[0] * x + b[0] * y), 1e3 * (p.real(4) + a[1] * x + b[1] * y)];
        found.push({ layer: bodies[p.body] ?? "ground", points: shape.points.map(put), centre: put([0, 0]), radius: 1e3 * shape.radius });
    }
    return found;
}

/* AutoCAD R12, which every program reads: lines of code and value. */
export function dxfOf(outlines: Outline[]): string {
    const lines: (string | number)[] = [0, "SECTION", 2, "HEADER", 9, "$ACADVER", 1, "AC1009", 9, "$INSUNITS", 70, 4, 0, "ENDSEC",
                                        0, "SECTION", 2, "ENTITIES"];
    for (const { layer, points, centre, radius } of outlines) {
        const name = layer.replace(/[^A-Za-z0-9_$-]/g, "_").slice(0, 31) || "0";
        if (points.length === 0) {
            lines.push(0, "CIRCLE", 8, name, 10, number(centre[0]), 20, number(centre[1]), 30, 0, 40, number(radius));
            continue;
        }
        lines.push(0, "POLYLINE", 8, name, 66, 1, 10, 0, 20, 0, 30, 0, 70, 1);
        for (const [x, y] of points)
            lines.push(0, "VERTEX", 8, name, 10, number(x), 20, number(y), 30, 0);
        lines.push(0, "SEQEND", 8, name);
    }
    lines.push(0, "ENDSEC", 0, "EOF");
    return lines.join("\r\n") + "\r\n";
}

/* On paper as large as it is: one unit is a millimetre. */
export function svgOf(outlines: Outline[]): string {
    const corners = outlines.flatMap(({ points, centre: [x, y], radius }): Place[] =>
        points.length > 0 ? points : [[x - radius, y - radius], [x + radius, y + radius]]);
    const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => -y);
    const range = (all: number[]) => all.length > 0 ? [Math.min(...all) - MARGIN, Math.max(...all) + MARGIN] : [0, 2 * MARGIN];
    const [left, right] = range(xs) as Place, [top, bottom] = range(ys) as Place;
    const [width, height] = [number(right - left), number(bottom - top)];
    const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
    const shapes = outlines.map(({ layer, points, centre, radius }) => {
        const at = (place: Place) => [number(place[0]), number(-place[1])];
        const shape = points.length > 0 ? `polygon points="${points.map((one) => at(one).join()).join(" ")}"`
            : `circle cx="${at(centre)[0]}" cy="${at(centre)[1]}" r="${number(radius)}"`;
        return `<${shape}><title>${escaped(layer)}</title></${shape.split(" ")[0]}>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" ` +
        `viewBox="${number(left)} ${number(top)} ${width} ${height}" fill="none" stroke="#000" stroke-width="0.25">\n${shapes.join("\n")}\n</svg>\n`;
}
