/* atlas.ts: the paths of many points of one body in the plane, from the rows that were recorded of its motion.
 *
 * In: place and angle of the body, row by row. Out: of points of a grid in the body's frame, about the joints that it has,
 * where each of them was.
 */
import type { Pair } from "./loops.ts";

export interface Path { at: Pair; /* m, in the body's frame */ x: Float64Array; y: Float64Array }

const REACH = 0.6; /* how far the grid goes beyond the joints, as a share of their distance */

/* so many points each way over the rectangle that holds the joints, along the line between the first two of them. */
export function gridOf(joints: Pair[], count: number): Pair[] {
    const [first, second] = [joints[0] ?? [0, 0], joints[1] ?? joints[0] ?? [0, 0]] as [Pair, Pair], far = Math.hypot(second[0] - first[0], second[1] - first[1]) || 0.1;
    const along: Pair = far > 0 && joints.length > 1 ? [(second[0] - first[0]) / far, (second[1] - first[1]) / far] : [1, 0];
    const across: Pair = [-along[1], along[0]];
    const in2 = joints.map(([x, y]): Pair => [(x - first[0]) * along[0] + (y - first[1]) * along[1], (x - first[0]) * across[0] + (y - first[1]) * across[1]]);
    const range = (k: 0 | 1): Pair => {
        const all = in2.length > 0 ? in2.map((one) => one[k]) : [0];
        return [Math.min(...all) - REACH * far, Math.max(...all) + REACH * far];
    };
    const steps = ([low, high]: Pair) => Array.from({ length: count }, (_, k) => count === 1 ? (low + high) / 2 : low + k * (high - low) / (count - 1));
    return steps(range(1)).flatMap((v) => steps(range(0)).map((u): Pair => [first[0] + u * along[0] + v * across[0], first[1] + u * along[1] + v * across[1]]));
}

export function pathsOf(points: Pair[], x: Float64Array, y: Float64Array, angle: Float64Array): Path[] {
    const cos = angle.map(Math.cos), sin = angle.map(Math.sin);
    return points.map(([u, v]): Path => ({ at: [u, v], x: x.map((one, k) => one + cos[k]! * u - sin[k]! * v), y: y.map((one, k) => one + sin[k]! * u + cos[k]! * v) }));
}
