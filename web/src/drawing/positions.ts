/* positions.ts: a four-bar that leads a body through three positions (Burmester's problem for three): each moving pivot has three
 * places, and the centre of the circle through them is its fixed pivot.
 *
 * In: picks of the hand, m. Out: bars, pins and markers in the text; what the mechanism does on its way is told.
 * Limits: places of a pivot on one line have no centre; whether all positions lie on one branch follows from the signs of the angle
 * between coupler and rocker (Sandor and Erdman, Advanced Mechanism Design 2, 1984, 2.7 and 3.1).
 */
import type { Maker, Pick } from "./tools.ts";

export interface Place { x: number; y: number }
const FLAT = 1e-6;   /* of the square of their distances: so little area three places have on a line */
const STEPS = 720;   /* of the crank between two positions, looked at for the way */

const minus = (a: Place, b: Place): Place => ({ x: a.x - b.x, y: a.y - b.y });
const cross = (a: Place, b: Place): number => a.x * b.y - a.y * b.x;
const square = ({ x, y }: Place): number => x * x + y * y;
const angleOf = ({ x, y }: Place): number => Math.atan2(y, x);

/* The centre of the circle through three places; null: they lie on a line. */
export function centreOf([a, b, c]: [Place, Place, Place]): Place | null {
    const p = minus(b, a), q = minus(c, a), twice = 2 * cross(p, q);
    if (Math.abs(twice) <= FLAT * Math.max(square(p), square(q)))
        return null;
    return { x: a.x + (square(p) * q.y - square(q) * p.y) / twice, y: a.y + (square(q) * p.x - square(p) * q.x) / twice };
}

/* Where a point of the body comes to: at is its place in the first position; each position is a place and a direction. */
export function placesOf(at: Place, positions: { at: Place; angle: number }[]): Place[] {
    const [first] = positions, arm = minus(at, first!.at);
    return positions.map((one) => {
        const turn = one.angle - first!.angle, c = Math.cos(turn), s = Math.sin(turn);
        return { x: one.at.x + c * arm.x - s * arm.y, y: one.at.y + s * arm.x + c * arm.y };
    });
}

/* A, D: fixed pivots; b, c: the places of the moving ones. Why a position is not reached from the first; "": it is. */
export function wayTo(k: number, a: Place, d: Place, b: Place[], c: Place[]): string {
    const side = (i: number) => Math.sign(cross(minus(c[i]!, b[i]!), minus(d, c[i]!)));
    if (side(k) !== side(0))
        return "lies on the other branch";
    const crank = Math.hypot(...Object.values(minus(b[0]!, a)) as [number, number]), coupler = Math.sqrt(square(minus(c[0]!, b[0]!))), rocker = Math.sqrt(square(minus(c[0]!, d)));
    const start = angleOf(minus(b[0]!, a)), turn = angleOf(minus(b[k]!, a)) - start, short = Math.atan2(Math.sin(turn), Math.cos(turn));
    const goes = (way: number) => Array.from({ length: STEPS + 1 }, (_, i) => start + way * i / STEPS).every((angle) => {
        const far = Math.hypot(d.x - a.x - crank * Math.cos(angle), d.y - a.y - crank * Math.sin(angle));
        return far <= (coupler + rocker) * (1 + 1e-9) && far >= Math.abs(coupler - rocker) * (1 - 1e-9);
    });
    return goes(short) || goes(short - Math.sign(short || 1) * 2 * Math.PI) ? "" : "lies beyond a dead point of the crank";
}

/* Picks: two points of the body in each of three positions (the second gives the direction), then its two moving pivots in the first. */
export function ledThrough(maker: Maker, picks: Pick[]): string {
    const positions = [0, 2, 4].map((k) => ({ at: picks[k]!, angle: angleOf(minus(picks[k + 1]!, picks[k]!)) })), pivots = [picks[6]!, picks[7]!];
    if (square(minus(pivots[0]!, pivots[1]!)) < 1e-12)
        throw new Error("the two moving pivots are one");
    const ways = pivots.map((one) => placesOf(one, positions)), centres = ways.map((way) => centreOf(way as [Place, Place, Place]));
    centres.forEach((centre, k) => {
        if (!centre)
            throw new Error(`the places of the ${k === 0 ? "first" : "second"} moving pivot lie on a line or coincide: no circle goes through them`);
    });
    const place = ({ x, y }: Place): Pick => ({ x, y, point: null, under: [], near: 0 });
    const [a, d] = centres.map((one) => maker.point(place(one!))), [b, c] = pivots.map((one) => maker.point({ ...one, under: [] }));
    const crank = maker.bar(a!, b!), coupler = maker.bar(b!, c!), rocker = maker.bar(d!, c!);
    maker.pin(a!, crank, "");
    maker.pin(b!, coupler, crank);
    maker.pin(c!, rocker, coupler);
    maker.pin(d!, rocker, "");
    maker.onBody(coupler, maker.point({ ...picks[0]!, under: [] }), "led");
    for (const k of [2, 4])
        maker.onBody("ground", maker.point({ ...picks[k]!, under: [] }), "goal");
    const why = [1, 2].flatMap((k) => {
        const word = wayTo(k, centres[0]!, centres[1]!, ways[0]!, ways[1]!);
        return word === "" ? [] : [`position ${k + 1} ${word}`];
    });
    return why.length === 0 ? `${crank} leads ${coupler} through all three positions.` : `${why.join("; ")}: other moving pivots may do better.`;
}
