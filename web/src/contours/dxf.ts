/* dxf.ts: a DXF file as contours in mm: lines, arcs, circles, ellipses, polylines with bulges, splines, and blocks that are put in.
 *
 * In: text of pairs, a code and its value on two lines each (AutoCAD R12 and later). Lengths in the unit of $INSUNITS, else mm.
 */
import { CHORD, addContour, addPiece, arcPoints, bulgePoints, emptyDrawing, leave, splinePoints } from "./contour.ts";
import type { Drawing, Place } from "./contour.ts";

const UNITS: Record<number, number> = { 1: 25.4, 2: 304.8, 4: 1, 5: 10, 6: 1000 }; /* mm of one, by $INSUNITS */
const DEEPEST = 8;           /* blocks in blocks */
const MOST_ENTITIES = 50_000;
const QUIET = new Set(["VIEWPORT", "SEQEND", "ATTDEF", "ATTRIB"]); /* draw nothing of a shape */
const DEGREE = Math.PI / 180;

type Pair = [code: number, value: string];
interface Entity { type: string; pairs: Pair[]; vertices: Entity[] }
type Move = (place: Place) => Place;
/* How much larger a length gets, by the area of a square. */
function sizeOf(move: Move): number {
    const [x, y] = move([0, 0]), [a, b] = move([1, 0]), [c, d] = move([0, 1]);
    return Math.sqrt(Math.abs((a - x) * (d - y) - (b - y) * (c - x))) || 1;
}

function pairsOf(text: string): Pair[] {
    const lines = text.split(/\r\n|\n|\r/), pairs: Pair[] = [];
    for (let k = 0; k + 1 < lines.length; k += 2) {
        const code = Number(lines[k]!.trim());
        if (lines[k]!.trim() === "" || !Number.isInteger(code))
            throw new Error(`line ${k + 1} of the DXF file is no group code`);
        pairs.push([code, lines[k + 1]!.trim()]);
    }
    return pairs;
}

function valueOf(text: string): number {
    const value = Number(text);
    if (!Number.isFinite(value))
        throw new Error(`the DXF file has '${text.slice(0, 20)}' in place of a number`);
    return value;
}
const numbers = ({ pairs }: Entity, code: number): number[] => pairs.filter(([one]) => one === code).map(([, value]) => valueOf(value));
const numberOf = (entity: Entity, code: number, otherwise = 0): number => numbers(entity, code)[0] ?? otherwise;
const wordOf = ({ pairs }: Entity, code: number): string => pairs.find(([one]) => one === code)?.[1] ?? "";
function places(entity: Entity, code: number): Place[] {
    const ys = numbers(entity, code + 10);
    return numbers(entity, code).map((x, k): Place => [x, ys[k] ?? 0]);
}
const placeOf = (entity: Entity, code: number): Place => places(entity, code)[0] ?? [0, 0];

/* Entities of a list of pairs; the vertices of a polyline belong to it. */
function entitiesOf(pairs: Pair[]): Entity[] {
    const all: Entity[] = [];
    let open: Entity | null = null;
    for (const [code, value] of pairs) {
        if (code !== 0) {
            const holder = open?.vertices[open.vertices.length - 1] ?? all[all.length - 1];
            holder?.pairs.push([code, value]);
            continue;
        }
        if (value === "VERTEX" && open) {
            open.vertices.push({ type: value, pairs: [], vertices: [] });
            continue;
        }
        const entity: Entity = { type: value, pairs: [], vertices: [] };
        open = value === "POLYLINE" ? entity : null;
        all.push(entity);
        if (all.length > MOST_ENTITIES)
            throw new Error(`the DXF file has more than ${MOST_ENTITIES} entities`);
    }
    return all;
}

function sectionsOf(pairs: Pair[]): Map<string, Pair[]> {
    const found = new Map<string, Pair[]>();
    let now: Pair[] | null = null, named = false;
    for (const pair of pairs) {
        const [code, value] = pair;
        if (code === 0 && value === "SECTION") {
            named = true;
        } else if (named && code === 2) {
            named = false;
            found.set(value, now = []);
        } else if (code === 0 && value === "ENDSEC") {
            now = null;
        } else {
            now?.push(pair);
        }
    }
    return found;
}

interface Block { base: Place; entities: Entity[] }
function blocksOf(pairs: Pair[]): Map<string, Block> {
    const blocks = new Map<string, Block>();
    let now: Block | null = null;
    for (const entity of entitiesOf(pairs)) {
        if (entity.type === "BLOCK")
            blocks.set(wordOf(entity, 2), now = { base: placeOf(entity, 10), entities: [] });
        else if (entity.type === "ENDBLK")
            now = null;
        else
            now?.entities.push(entity);
    }
    return blocks;
}

/* A polyline's points: corners with a bulge to the next. */
function polyline(corners: { at: Place; bulge: number }[], closed: boolean, chord: number): Place[] {
    const points: Place[] = corners.length > 0 ? [corners[0]!.at] : [];
    corners.forEach(({ at, bulge }, k) => {
        const next = corners[k + 1] ?? (closed ? corners[0] : undefined);
        if (next)
            points.push(...bulgePoints(at, next.at, bulge, chord));
    });
    return points;
}

/* The bulges of a light polyline stand behind the corners that they belong to. */
function lightCorners({ pairs }: Entity): { at: Place; bulge: number }[] {
    const corners: { at: Place; bulge: number }[] = [];
    for (const [code, value] of pairs)
        if (code === 10)
            corners.push({ at: [valueOf(value), 0], bulge: 0 });
        else if (code === 20 && corners.length > 0)
            corners[corners.length - 1]!.at[1] = valueOf(value);
        else if (code === 42 && corners.length > 0)
            corners[corners.length - 1]!.bulge = valueOf(value);
    return corners;
}

function ellipse(entity: Entity, chord: number): Place[] {
    const [a, b] = placeOf(entity, 11), ratio = numberOf(entity, 40, 1), start = numberOf(entity, 41), end = numberOf(entity, 42, 2 * Math.PI);
    return arcPoints(placeOf(entity, 10), [a, b], [-b * ratio, a * ratio], start, end > start ? end - start : end - start + 2 * Math.PI, chord);
}

/* Adds what an entity draws; mirrored: seen from behind its x runs the other way. */
class Reader {
    readonly drawing: Drawing = emptyDrawing();
    private count = 0; /* blocks in blocks draw many times what the file holds */
    constructor(private readonly blocks: Map<string, Block>) {}

    add(entity: Entity, move: Move, inside: string, depth: number): void {
        if (++this.count > MOST_ENTITIES)
            throw new Error(`the DXF file draws more than ${MOST_ENTITIES} entities`);
        const { type } = entity, own = wordOf(entity, 8) || "0", layer = own === "0" && inside ? inside : own;
        const put: Move = numberOf(entity, 230, 1) < 0 && ["CIRCLE", "ARC", "LWPOLYLINE", "POLYLINE", "INSERT"].includes(type)
            ? ([x, y]) => move([-x, y]) : move;
        const piece = (points: Place[], moved = put) => { addPiece(this.drawing, layer, points.map(moved)); };
        const radius = numberOf(entity, 40), chord = CHORD / sizeOf(move);
        switch (type) {
        case "LINE": piece([placeOf(entity, 10), placeOf(entity, 11)], move); break;
        case "CIRCLE": this.circle(placeOf(entity, 10), radius, put, layer); break;
        case "ARC": {
            const start = numberOf(entity, 50) * DEGREE, end = numberOf(entity, 51, 360) * DEGREE;
            piece(arcPoints(placeOf(entity, 10), [radius, 0], [0, radius], start, end > start ? end - start : end - start + 2 * Math.PI, chord));
            break;
        }
        case "ELLIPSE": piece(ellipse(entity, chord), move); break;
        case "LWPOLYLINE": piece(polyline(lightCorners(entity), (numberOf(entity, 70) & 1) !== 0, chord)); break;
        case "POLYLINE": piece(polyline(entity.vertices.filter((one) => (numberOf(one, 70) & 16) === 0).map((one) =>
            ({ at: placeOf(one, 10), bulge: numberOf(one, 42) })), (numberOf(entity, 70) & 1) !== 0, chord)); break;
        case "SPLINE": this.spline(entity, piece, move); break;
        case "INSERT": this.insert(entity, put, layer, depth); break;
        default: if (!QUIET.has(type)) leave(this.drawing, type);
        }
    }

    /* A circle that is not scaled alike in both ways is an ellipse. */
    private circle(centre: Place, radius: number, move: Move, layer: string): void {
        const [x, y] = centre, at = move(centre), right = move([x + radius, y]), up = move([x, y + radius]);
        const a: Place = [right[0] - at[0], right[1] - at[1]], b: Place = [up[0] - at[0], up[1] - at[1]];
        const [long, wide] = [Math.hypot(...a), Math.hypot(...b)];
        if (!(long > 0) || !(wide > 0))
            leave(this.drawing, "CIRCLE without a radius");
        else if (Math.abs(long - wide) < 1e-6 * long && Math.abs(a[0] * b[0] + a[1] * b[1]) < 1e-6 * long * long)
            addContour(this.drawing, { layer, points: [at], radius: long });
        else
            addContour(this.drawing, { layer, points: arcPoints(at, a, b, 0, 2 * Math.PI).slice(0, -1), radius: 0 });
    }

    private spline(entity: Entity, piece: (points: Place[], move: Move) => void, move: Move): void {
        const degree = numberOf(entity, 71, 3), knots = numbers(entity, 40), control = places(entity, 10);
        if (degree < 1 || control.length <= degree || knots.length !== control.length + degree + 1 || knots.some((one, k) => one < (knots[k - 1] ?? one)))
            leave(this.drawing, "SPLINE without control points");
        else
            piece(splinePoints(degree, knots, control, numbers(entity, 41)), move);
    }

    private insert(entity: Entity, move: Move, layer: string, depth: number): void {
        const block = this.blocks.get(wordOf(entity, 2));
        if (!block || depth >= DEEPEST) {
            leave(this.drawing, "INSERT of a block that is not there");
            return;
        }
        const [x, y] = placeOf(entity, 10), turn = numberOf(entity, 50) * DEGREE, c = Math.cos(turn), s = Math.sin(turn);
        const [wide, high] = [numberOf(entity, 41, 1), numberOf(entity, 42, 1)], [bx, by] = block.base;
        const columns = Math.max(1, numberOf(entity, 70, 1)), rows = Math.max(1, numberOf(entity, 71, 1));
        if (columns * rows > 1000)
            throw new Error("a block of the DXF file is put in more than 1000 times at once");
        for (let i = 0; i < columns; i++)
            for (let k = 0; k < rows; k++) {
                const [dx, dy] = [i * numberOf(entity, 44), k * numberOf(entity, 45)];
                for (const one of block.entities)
                    this.add(one, ([a, b]) => {
                        const [p, q] = [wide * (a - bx) + dx, high * (b - by) + dy];
                        return move([x + c * p - s * q, y + s * p + c * q]);
                    }, layer, depth + 1);
            }
    }
}

export function readDxf(text: string): Drawing {
    if (text.startsWith("AutoCAD Binary DXF"))
        throw new Error("this is a binary DXF file: save it as text (ASCII)");
    const sections = sectionsOf(pairsOf(text)), header = sections.get("HEADER") ?? [], entities = sections.get("ENTITIES");
    if (!entities)
        throw new Error("the DXF file has no section ENTITIES");
    const at = header.findIndex(([code, value]) => code === 9 && value === "$INSUNITS"), unit = UNITS[Number(header[at + 1]?.[1] ?? 4)] ?? 1;
    const reader = new Reader(blocksOf(sections.get("BLOCKS") ?? []));
    for (const entity of entitiesOf(entities))
        reader.add(entity, ([x, y]) => [unit * x, unit * y], "", 0);
    return reader.drawing;
}
