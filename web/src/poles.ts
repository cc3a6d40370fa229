/* poles.ts: instant centres of bodies in the plane, and of pairs of them.
 *
 * In: how bodies move at a moment. Out: the point of a body whose velocity is that of the other body, or of the ground.
 * With v the velocity of what is at the origin and w that of turning, the pole is z x v / w; of two bodies, of their
 * differences. By the theorem of Kennedy the poles of three bodies lie on a line.
 */
import { STILL, pointOf } from "./loops.ts";
import type { Motion, Pair } from "./loops.ts";

const NONE = 1e-9; /* share of the fastest: slower is no motion */

/* at: null: at infinity, across the direction of the translation. */
export interface Pole { one: number; other: number; at: Pair | null; along: Pair }

/* of a body, and of the ground, -1: the poles of all pairs that move against each other. */
export function polesOf(motions: Motion[], bodies: number[]): Pole[] {
    const at = (body: number) => ({ v: pointOf(motions[body] ?? STILL, [0, 0]).velocity, w: motions[body]?.turning ?? 0 });
    const fastest = Math.max(...bodies.map((body) => Math.abs(at(body).w)), 0);
    const speed = Math.max(...bodies.map((body) => Math.hypot(...(motions[body] ?? STILL).v)), 0);
    const pairs = bodies.flatMap((one, k): [number, number][] => [[one, -1], ...bodies.slice(k + 1).map((other): [number, number] => [one, other])]);
    return pairs.flatMap(([one, other]): Pole[] => {
        const a = at(one), b = at(other), w = a.w - b.w, v: Pair = [a.v[0] - b.v[0], a.v[1] - b.v[1]], size = Math.hypot(...v);
        if (Math.abs(w) > NONE * fastest)
            return [{ one, other, at: [-v[1] / w, v[0] / w], along: [0, 0] }];
        return size > NONE * speed && size > 0 ? [{ one, other, at: null, along: [-v[1] / size, v[0] / size] }] : [];
    });
}

/* The same motion at a speed at which the fastest body turns by 1 rad/s, or else goes 1 m/s. */
export function atUnitSpeed(way: Motion[]): Motion[] {
    const turning = Math.max(...way.map((one) => Math.abs(one.turning)), 0), going = Math.max(...way.map((one) => Math.hypot(...one.v)), 0);
    const by = turning > NONE * going ? turning : going || 1;
    return way.map((one) => ({ ...one, v: [one.v[0] / by, one.v[1] / by], turning: one.turning / by }));
}

export function standsStill(motions: Motion[]): boolean {
    return motions.every((one) => Math.hypot(...one.v) < NONE && Math.abs(one.turning) < NONE);
}
