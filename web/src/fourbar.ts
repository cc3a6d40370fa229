/* fourbar.ts: what the lengths of a four-bar say of its motion: which links turn round, dead points, extremes of the
 * output, transmission angle.
 *
 * In: a loop's links in the plane, one of them the ground, all joints pins. a: input, b: coupler, c: output, d: ground;
 * phi: angle of the input from the line between the pins on the ground, seen from its own. Grashof: the shortest link
 * turns round if s + l < p + q. Dead points of the input: coupler and output in line. Extremes of the output: input and
 * coupler in line.
 */
import type { Pair, Piece } from "./loops.ts";

const ALIKE = 1e-9; /* share of the lengths by which sums may differ at a change point */

/* ground joints are those of input and output; angles rad. */
export interface FourBar {
    names: { input: string; coupler: string; output: string };
    a: number; b: number; c: number; d: number;
    joint: number;    /* of the input with the ground */
    phi: number;      /* of the input now */
    side: number;     /* of the output's end: 1 to the left of the line from the input's pin to the output's, else -1 */
    transmission: number; /* angle between coupler and output now, 0 .. pi / 2 */
}

const turnOf = ([x, y]: Pair, [u, v]: Pair): number => Math.atan2(x * v - y * u, x * u + y * v);
const minus = ([x, y]: Pair): Pair => [-x, -y];
const acute = (angle: number): number => { const turn = Math.abs(angle) % Math.PI; return Math.min(turn, Math.PI - turn); };

/* driven: joints that have a motor or a prescribed motion. null: it is no four-bar. */
export function fourBarOf(pieces: Piece[], driven: number[]): FourBar | null {
    const at = pieces.findIndex((one) => one.name === "ground");
    if (pieces.length !== 4 || at < 0 || pieces.some((one) => one.slides))
        return null;
    /* in the order of the loop: ground from pin 1 to pin 2, then a link, the coupler, a link back to pin 1 */
    const [ground, next, coupler, last] = [0, 1, 2, 3].map((k) => pieces[(at + k) % 4]!) as [Piece, Piece, Piece, Piece];
    const byNext = driven.includes(ground.to) || !driven.includes(ground.from);
    const input = byNext ? next : last, output = byNext ? last : next, line = byNext ? minus(ground.r) : ground.r;
    const inward = byNext ? input.r : minus(input.r), outward = byNext ? minus(output.r) : output.r; /* from their pins on the ground */
    return { names: { input: input.name, coupler: coupler.name, output: output.name }, joint: byNext ? ground.to : ground.from,
             a: Math.hypot(...input.r), b: Math.hypot(...coupler.r), c: Math.hypot(...output.r), d: Math.hypot(...ground.r),
             phi: turnOf(line, inward), side: turnOf(line, outward) < 0 ? -1 : 1, transmission: acute(turnOf(coupler.r, output.r)) };
}

export function kindOf({ names, a, b, c, d }: FourBar): string {
    const sorted = [a, b, c, d].sort((x, y) => x - y) as [number, number, number, number], [s, p, q, l] = sorted;
    const excess = (s + l - p - q) / (s + l + p + q);
    if (Math.abs(excess) < ALIKE)
        return "change point: all links can lie in line, where it may go on in two ways (s + l = p + q)";
    if (excess > 0)
        return "triple rocker: no link turns round (s + l > p + q)";
    return s === a ? `crank-rocker: ${names.input} turns round, ${names.output} rocks (s + l < p + q)`
        : s === c ? `rocker-crank: ${names.output} turns round, ${names.input} rocks (s + l < p + q)`
        : s === d ? `double crank: ${names.input} and ${names.output} turn round (s + l < p + q)`
        : `double rocker: ${names.coupler} turns round, ${names.input} and ${names.output} rock (s + l < p + q)`;
}

/* The angle between sides x and y of a triangle, whose third side is z; NaN: there is no such triangle. */
const angleIn = (x: number, y: number, z: number): number => Math.acos((x * x + y * y - z * z) / (2 * x * y));

/* phi where coupler and output are in line: the input goes no farther. */
export function deadPoints({ a, b, c, d }: FourBar): number[] {
    return [b + c, Math.abs(b - c)].map((far) => angleIn(a, d, far)).filter((phi) => phi > 0 && phi < Math.PI).flatMap((phi) => [phi, -phi]);
}

/* phi where input and coupler are in line, and the output turns back: of an input that turns round. */
export function extremes(bar: FourBar): number[] {
    const { a, b, c, d, side } = bar;
    if (deadPoints(bar).length > 0 || Math.min(a, b, c, d) !== a)
        return [];
    const [far, near] = [angleIn(d, b + a, c), angleIn(d, b - a, c)];
    return [side * far, side * near - side * Math.PI].filter(Number.isFinite);
}

/* The range of the transmission angle while the input turns round, rad, as the angle that links and their extensions
 * enclose: 0 .. pi / 2. null: it does not turn round. */
export function transmissionRange(bar: FourBar): [number, number] | null {
    const { a, b, c, d } = bar, ends = [d - a, d + a].map((far) => angleIn(b, c, Math.abs(far)));
    if (deadPoints(bar).length > 0 || ends.some((one) => !Number.isFinite(one)))
        return null;
    const [low, high] = ends as [number, number];
    return [Math.min(acute(low), acute(high)), low <= Math.PI / 2 && high >= Math.PI / 2 ? Math.PI / 2 : Math.max(acute(low), acute(high))];
}

/* How much longer the output takes one way than back, at an even speed of the input. */
export function timeRatio(bar: FourBar): number {
    const [one, other] = extremes(bar);
    if (one === undefined || other === undefined)
        return NaN;
    const turn = ((one - other) % (2 * Math.PI) + 2 * Math.PI) % (2 * Math.PI);
    return Math.max(turn, 2 * Math.PI - turn) / Math.min(turn, 2 * Math.PI - turn);
}
