/* contour.ts: closed contours in the plane, in mm: curves made of straight pieces, pieces joined end to end, which lie inside
 * which. Drawings of other programs become these (dxf.ts, svg.ts); bodies are made of them (drawing/cutouts.ts).
 */
export type Place = [number, number]; /* mm */

/* radius > 0: a circle about points[0]. layer: as its drawing calls it. */
export interface Contour { layer: string; points: Place[]; radius: number }

/* What a drawing holds: pieces are open lines, to be joined. left: what was not read, with how many of it. */
export interface Drawing { contours: Contour[]; pieces: { layer: string; points: Place[] }[]; left: Map<string, number>; size: number }

export const CHORD = 0.02;    /* mm that a straight piece leaves its curve at most */
const MEET = 0.01;            /* mm: ends nearer than that are one */
const MOST_PIECES = 720;      /* of one curve */
const STRAIGHT = 0.002;       /* mm: a corner nearer to the line between its neighbours is left out */
export const MOST_CORNERS = 20_000; /* of a whole drawing */

const MOST_LINES = 20_000, MOST_POINTS = 200_000; /* that are read before any is joined */

export const emptyDrawing = (): Drawing => ({ contours: [], pieces: [], left: new Map(), size: 0 });
/* size counts what was read: a small file can say a great deal. */
export function grow(drawing: Drawing, points: number): void {
    drawing.size += points;
    if (drawing.size > MOST_POINTS || drawing.pieces.length + drawing.contours.length >= MOST_LINES)
        throw new Error(`the drawing has more than ${MOST_LINES} lines or ${MOST_POINTS} points`);
}
export function addPiece(drawing: Drawing, layer: string, points: Place[]): void {
    grow(drawing, points.length);
    drawing.pieces.push({ layer, points });
}
export function addContour(drawing: Drawing, contour: Contour): void {
    grow(drawing, contour.points.length);
    drawing.contours.push(contour);
}
export function leave(drawing: Drawing, what: string): void { drawing.left.set(what, (drawing.left.get(what) ?? 0) + 1); }

export const far = ([a, b]: Place, [c, d]: Place): number => Math.hypot(c - a, d - b);

/* How many straight pieces an arc takes. chord here and below: what they may leave the curve, in the units of its numbers. */
function piecesOf(radius: number, angle: number, chord: number): number {
    const each = radius > chord ? 2 * Math.acos(1 - chord / radius) : Math.PI / 2;
    return Math.max(2, Math.min(MOST_PIECES, Math.ceil(Math.abs(angle) / each)));
}

/* Points of an arc of an ellipse from angle start on, with both ends: centre, the two half axes as vectors. */
export function arcPoints([x, y]: Place, a: Place, b: Place, start: number, sweep: number, chord = CHORD): Place[] {
    const count = piecesOf(Math.max(Math.hypot(...a), Math.hypot(...b)), sweep, chord);
    return Array.from({ length: count + 1 }, (_, k): Place => {
        const t = start + sweep * k / count, c = Math.cos(t), s = Math.sin(t);
        return [x + a[0] * c + b[0] * s, y + a[1] * c + b[1] * s];
    });
}

/* The points behind the first of an arc from one place to the next, as DXF has it: bulge is the tangent of a quarter of its angle. */
export function bulgePoints(from: Place, to: Place, bulge: number, chord: number): Place[] {
    const angle = 4 * Math.atan(bulge);
    if (bulge === 0 || far(from, to) < 1e-12)
        return [to];
    const lift = (1 / bulge - bulge) / 4, dx = to[0] - from[0], dy = to[1] - from[1];
    const centre: Place = [(from[0] + to[0]) / 2 - lift * dy, (from[1] + to[1]) / 2 + lift * dx];
    const radius = far(centre, from), start = Math.atan2(from[1] - centre[1], from[0] - centre[0]);
    return [...arcPoints(centre, [radius, 0], [0, radius], start, angle, chord).slice(1, -1), to];
}

/* The points behind the first of a Bezier curve, cut in halves until its control points lie within the chord's tolerance. */
export function bezierPoints(control: Place[], chord: number, depth = 0): Place[] {
    const first = control[0]!, last = control[control.length - 1]!, span = far(first, last);
    const away = Math.max(...control.map((p) => span < 1e-9 ? far(p, first)
        : Math.abs((p[0] - first[0]) * (last[1] - first[1]) - (p[1] - first[1]) * (last[0] - first[0])) / span));
    if (depth >= 12 || (away <= chord && depth > 0))
        return [last];
    const left: Place[] = [], right: Place[] = [];
    for (let row = control; row.length > 0; row = row.slice(1).map(([x, y], k): Place => [(x + row[k]![0]) / 2, (y + row[k]![1]) / 2])) {
        left.push(row[0]!);
        right.unshift(row[row.length - 1]!);
    }
    return [...bezierPoints(left, chord, depth + 1), ...bezierPoints(right, chord, depth + 1)];
}

/* Points of a rational B-spline, both ends included (de Boor). knots: degree + 1 more than there are control points. */
export function splinePoints(degree: number, knots: number[], control: Place[], weights: number[]): Place[] {
    const at = (t: number): Place => {
        let span = degree;
        while (span < control.length - 1 && knots[span + 1]! <= t)
            span++;
        const d = Array.from({ length: degree + 1 }, (_, j) => {
            const k = span - degree + j, w = weights[k] ?? 1, [x, y] = control[k]!;
            return [x * w, y * w, w];
        });
        for (let r = 1; r <= degree; r++)
            for (let j = degree; j >= r; j--) {
                const k = span - degree + j, width = knots[k + degree - r + 1]! - knots[k]!, share = width > 0 ? (t - knots[k]!) / width : 0;
                d[j] = d[j]!.map((one, i) => (1 - share) * d[j - 1]![i]! + share * one);
            }
        const [x, y, w] = d[degree] as [number, number, number];
        return [x / w, y / w];
    };
    const low = knots[degree]!, high = knots[control.length]!, count = Math.min(MOST_PIECES, 16 * control.length);
    return Array.from({ length: count + 1 }, (_, k) => at(low + (high - low) * k / count));
}

/* Twice the area that points enclose; positive: counter-clockwise. */
export function twiceArea(points: Place[]): number {
    return points.reduce((sum, [x, y], k) => {
        const [a, b] = points[(k + 1) % points.length]!;
        return sum + x * b - a * y;
    }, 0);
}
export function centroidOf({ points, radius }: Contour): Place {
    if (radius > 0)
        return points[0]!;
    const area = twiceArea(points), sum: Place = [0, 0], [ox, oy] = points[0]!;
    points.forEach((one, k) => {
        const next = points[(k + 1) % points.length]!, [x, y] = [one[0] - ox, one[1] - oy], [a, b] = [next[0] - ox, next[1] - oy], cross = x * b - a * y;
        sum[0] += (x + a) * cross;
        sum[1] += (y + b) * cross;
    });
    return [ox + sum[0] / (3 * area), oy + sum[1] / (3 * area)];
}
export function contains({ points, radius }: Contour, [x, y]: Place): boolean {
    if (radius > 0)
        return far(points[0]!, [x, y]) < radius;
    let inside = false;
    points.forEach(([a, b], k) => {
        const [c, d] = points[(k + 1) % points.length]!;
        if (b > y !== d > y && x < a + (y - b) * (c - a) / (d - b))
            inside = !inside;
    });
    return inside;
}

/* Without points that repeat their neighbour or lie on the line to the next. */
function cleaned(points: Place[]): Place[] {
    const apart = points.filter((one, k) => far(one, points[(k + 1) % points.length]!) > MEET / 10);
    return apart.filter((one, k) => {
        const before = apart[(k + apart.length - 1) % apart.length]!, next = apart[(k + 1) % apart.length]!, chord = far(before, next);
        return chord < 1e-9 || Math.abs((one[0] - before[0]) * (next[1] - before[1]) - (one[1] - before[1]) * (next[0] - before[0])) / chord > STRAIGHT;
    });
}

/* Open pieces of a layer, end to end; what does not close is counted as left out. */
function joined(drawing: Drawing): Contour[] {
    const found: Contour[] = [], rest = drawing.pieces.filter(({ points }) => points.length > 1).map(({ layer, points }) => ({ layer, points: [...points] }));
    while (rest.length > 0) {
        const { layer, points } = rest.pop()!;
        for (let grown = true; grown && far(points[0]!, points[points.length - 1]!) > MEET;) {
            const end = points[points.length - 1]!, k = rest.findIndex((one) => one.layer === layer &&
                (far(one.points[0]!, end) <= MEET || far(one.points[one.points.length - 1]!, end) <= MEET));
            grown = k >= 0;
            if (grown) {
                const [next] = rest.splice(k, 1);
                points.push(...(far(next!.points[0]!, end) <= MEET ? next!.points : next!.points.reverse()).slice(1));
            }
        }
        if (points.length > 3 && far(points[0]!, points[points.length - 1]!) <= MEET)
            found.push({ layer, points: points.slice(0, -1), radius: 0 });
        else
            leave(drawing, "open line");
    }
    return found;
}

/* An outline with the contours right inside it: holes. What lies inside a hole is an outline again. */
export interface Part { outline: Contour; holes: Contour[] }
export function partsOf(drawing: Drawing): Part[] {
    const all = [...drawing.contours, ...joined(drawing)].map((one) => one.radius > 0 ? one : { ...one, points: cleaned(one.points) })
        .filter((one) => one.radius > 0 || (one.points.length > 2 && Math.abs(twiceArea(one.points)) > MEET));
    if (all.reduce((sum, one) => sum + one.points.length, 0) > MOST_CORNERS)
        throw new Error(`the drawing has more than ${MOST_CORNERS} corners`);
    const size = (one: Contour) => one.radius > 0 ? Math.PI * one.radius ** 2 : Math.abs(twiceArea(one.points)) / 2;
    all.sort((one, other) => size(other) - size(one));
    const within = (one: Contour) => one.radius > 0 ? [one.points[0]![0] + one.radius, one.points[0]![1]] as Place : one.points[0]!;
    const depth: number[] = [], parts: Part[] = [], ofContour = new Map<Contour, Part>();
    all.forEach((one, k) => {
        const around = all.slice(0, k).filter((other) => other.layer === one.layer && contains(other, within(one)));
        depth[k] = around.length;
        if (around.length % 2 === 0) {
            const part = { outline: one, holes: [] };
            parts.push(part);
            ofContour.set(one, part);
        } else {
            ofContour.get(around[around.length - 1]!)?.holes.push(one);
        }
    });
    return parts;
}
