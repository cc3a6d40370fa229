/* loops.ts: the closure equations of loops in the plane, as vectors along their links.
 *
 * In: which bodies the joints of a loop join, where the joints are, how the bodies move. Out: a piece for each link between
 * two joints, r = (x, y) from one to the other, and one for each joint that slides. With w and a the speed and acceleration
 * of turning of a link, and s what slides in a joint, around a loop
 *
 *     sum r = 0,    sum w z x r + sum s' = 0,    sum (a z x r - w^2 r) + sum s'' = 0
 */
import type { Model } from "./engine.ts";

/* Of each body: place, angle, and their first and second rates; the last row is the ground. */
export interface Motion { x: number; y: number; v: [number, number]; a: [number, number]; turning: number; spin: number }
/* way: how the one freedom moves the bodies, of any speed; null: there is not just one. lambda: of the rows of each joint. */
export interface LoopState { places: Float64Array; motions: Motion[]; angles: number[]; way: Motion[] | null; lambda: number[][] }

export type Pair = [number, number];
/* name: of the link, or of the joint that slides. r, w and a stay 0 for the latter. from, to: joints at its ends. */
export interface Piece { name: string; slides: boolean; body: number; from: number; to: number; r: Pair; w: number; a: number; velocity: Pair; acceleration: Pair }

interface Link { body: number; from: number; to: number }

/* The links of a loop in the order in which they follow each other; null: the joints are no simple loop. */
function linksOf(model: Model, joints: number[]): Link[] | null {
    const [first, ...others] = joints, left = new Set(others), links: Link[] = [];
    if (first === undefined)
        return null;
    const start = model.joints[first]!.b;
    let body = model.joints[first]!.a, at = first;
    for (;;) {
        const next = [...left].find((j) => model.joints[j]!.a === body || model.joints[j]!.b === body);
        if (next === undefined)
            break;
        links.push({ body, from: at, to: next });
        left.delete(next);
        body = model.joints[next]!.a === body ? model.joints[next]!.b : model.joints[next]!.a;
        at = next;
    }
    return left.size > 0 || body !== start ? null : [...links, { body, from: at, to: first }];
}

export const STILL: Motion = { x: 0, y: 0, v: [0, 0], a: [0, 0], turning: 0, spin: 0 };
const turn = ([x, y]: Pair, w: number): Pair => [-w * y, w * x];
const sum = (...all: Pair[]): Pair => all.reduce<Pair>(([x, y], [u, v]) => [x + u, y + v], [0, 0]);
const less = ([x, y]: Pair, [u, v]: Pair): Pair => [x - u, y - v];

/* Velocity and acceleration of the point of a body that is at a place. */
export function pointOf({ x, y, v, a, turning: w, spin }: Motion, [px, py]: Pair): { velocity: Pair; acceleration: Pair } {
    const r: Pair = [px - x, py - y];
    return { velocity: sum(v, turn(r, w)), acceleration: sum(a, turn(r, spin), [-w * w * r[0], -w * w * r[1]]) };
}

export function loopOf(model: Model, names: string[], { places, motions }: LoopState): Piece[] | null {
    const joints = names.map((name) => model.joints.findIndex((joint) => joint.name === name));
    const links = joints.includes(-1) ? null : linksOf(model, joints);
    if (!links)
        return null;
    const place = (j: number): Pair => [places[3 * j]!, places[3 * j + 1]!], motion = (body: number) => motions[body] ?? STILL;
    return links.flatMap(({ body, from, to }, k): Piece[] => {
        const r = less(place(to), place(from)), { turning: w, spin } = motion(body);
        const link: Piece = { name: model.bodies[body]?.name ?? "ground", slides: false, body, from, to, r, w, a: spin, velocity: turn(r, w),
                              acceleration: sum(turn(r, spin), [-w * w * r[0], -w * w * r[1]]) };
        const next = links[(k + 1) % links.length]!, [here, there] = [body, next.body].map((one) => pointOf(motion(one), place(to)));
        const slide: Piece = { name: model.joints[to]!.name, slides: true, body, from: to, to, r: [0, 0], w: 0, a: 0,
                               velocity: less(there!.velocity, here!.velocity), acceleration: less(there!.acceleration, here!.acceleration) };
        const hasLength = Math.hypot(...r) > 1e-9; /* m: a block has its two joints at one place */
        return [...(hasLength ? [link] : []), ...(model.joints[to]!.coordinates.some((one) => !one.angular) ? [slide] : [])];
    });
}

export function sums(pieces: Piece[]): { position: Pair; velocity: Pair; acceleration: Pair } {
    return { position: sum(...pieces.map((one) => one.r)), velocity: sum(...pieces.map((one) => one.velocity)),
             acceleration: sum(...pieces.map((one) => one.acceleration)) };
}
