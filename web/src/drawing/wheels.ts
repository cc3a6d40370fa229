/* wheels.ts: wheels on their axles, and teeth between two of them.
 *
 * An axle is a joint whose theta is the turn of its wheel against a base: the ground, or an arm that carries both
 * centres. Against that arm the rims have the same speed: r1 (t1 - arm) + r2 (t2 - arm) = 0 where the wheels touch
 * between their centres, r1 (t1 - arm) - r2 (t2 - arm) = 0 where the larger one is a ring round the other (Willis).
 */
import { freshName } from "./entries.ts";
import { groundedOn, isGround, wordIn } from "./sketch.ts";
import type { Point, Sketch, Wheel } from "./sketch.ts";
import type { Maker, Pick } from "./tools.ts";

const LEAST = 0.02; /* of the distance of the centres: the smallest wheel */

interface Axle { joint: string; base: string } /* base "": the ground */

/* The body that carries a centre; "": the ground, or none. A wheel does not carry itself. */
function carrierOf(sketch: Sketch, point: Point | null): string {
    const isOwn = (body: string) => sketch.wheels.some((wheel) => wheel.body === body && wheel.at === point);
    return point && !point.ground ? point.bodies.find((body) => !isOwn(body)) ?? "" : "";
}

/* The joint about whose axis a body turns at a point; b: the partner that is meant. */
function hingeAt({ all }: Sketch, point: Point, body: string, b?: string): Axle | null {
    const joint = point.joints.find((name) => {
        const entry = all.joints![name], other = wordIn(entry, "b");
        return wordIn(entry, "type") === "hinge" && wordIn(entry, "a") === body && (b === undefined || (isGround(other) ? "" : other) === b);
    });
    const other = joint === undefined ? "" : wordIn(all.joints![joint], "b");
    return joint === undefined ? null : { joint, base: isGround(other) ? "" : other };
}

/* Of a wheel that is there: its own, or that of the body to which it is keyed. */
function axleOf(sketch: Sketch, { body, at }: Wheel): Axle | null {
    const key = at.joints.map((name) => sketch.all.joints![name]).find((one) => wordIn(one, "type") === "solid" && wordIn(one, "a") === body);
    return hingeAt(sketch, at, key === undefined ? body : wordIn(key, "b"));
}

/* A new wheel turns on the arm where that carries its centre; on the ground it is keyed to what turns there, unless that is the arm. */
function newAxle(maker: Maker, pick: Pick, name: string, wheel: string, arm: string): Axle {
    const held = pick.point && groundedOn(maker.sketch, pick.point), turns = held ? wordIn(maker.all.joints![held], "a") : "";
    if (!held || turns === arm) {
        const base = pick.point && !pick.point.ground ? arm : "";
        return { joint: maker.pin(name, wheel, base), base };
    }
    maker.joint("solid", freshName(maker.all, "key", "key1"), wheel, turns, { origin: `=${name}` });
    return { joint: held, base: "" };
}

/* Two wheels that touch; where a wheel of that size is on a centre it is one of them. */
export function geared(maker: Maker, picks: Pick[]): void {
    const [one, other, touch] = picks as [Pick, Pick, Pick], { sketch } = maker;
    const far = Math.hypot(other.x - one.x, other.y - one.y);
    const rim = ((touch.x - one.x) * (other.x - one.x) + (touch.y - one.y) * (other.y - one.y)) / far ** 2;
    const there = [one, other].map((pick, k) => sketch.wheels.find((wheel) =>
        wheel.at === pick.point && Math.abs(wheel.radius - far * Math.abs(k === 0 ? rim : 1 - rim)) < touch.near));
    const inside = rim > 0 && rim < 1, side = inside ? 1 : -1;
    /* where the rims are: as a wheel that is there says, else as clicked */
    const kept = there[0] ? Math.sign(rim) * there[0].radius / far : there[1] ? 1 - Math.sign(1 - rim) * there[1].radius / far : rim;
    const part = Number(kept.toFixed(4)), shares = [Math.abs(part), Number(Math.abs(1 - part).toFixed(4))];
    if (shares.some((share) => share < LEAST))
        throw new Error("the wheels touch between their centres, or beyond that of the smaller one");
    const arms = [one, other].map((pick) => carrierOf(sketch, pick.point)), arm = arms[0] || arms[1] || "";
    if (arms.some((body) => body !== "" && body !== arm))
        throw new Error("both centres must be on the ground or on one body");
    const names = [one, other].map((pick) => maker.point(pick)), line = `norm(${names[1]} - ${names[0]})`;
    const axles = [one, other].map((pick, k): Axle => {
        const wheel = there[k], found = wheel && axleOf(sketch, wheel);
        if (wheel && !found)
            throw new Error(`${wheel.body} does not turn on its centre`);
        const radius = `${shares[k]}*${line}`, ring = !inside && shares[k]! > shares[1 - k]!;
        return found ?? newAxle(maker, pick, names[k]!, ring ? maker.ring(names[k]!, radius) : maker.wheel(names[k]!, radius), arm);
    }) as [Axle, Axle];
    const name = freshName(maker.all, "gears", "gears1"), [p, q] = shares as [number, number];
    if (axles[0].base === axles[1].base) {
        maker.add("couplings", name, { gear: { a: `${axles[0].joint}.theta`, b: `${axles[1].joint}.theta`,
                                               ratio: `=${inside ? "-" : ""}${p}/${q}` } });
        return;
    }
    const grounded = axles[0].base === "" ? one : other;
    const turns = grounded.point && hingeAt(sketch, grounded.point, arm, "");
    if (!turns || axles.some(({ base }) => base !== "" && base !== arm))
        throw new Error(`${arm} must turn about the other centre on the ground`);
    /* each wheel that turns against the ground has the turn of the arm taken away */
    const ratios = [p, side * q], terms = axles.map(({ joint }, k) => ({ coordinate: `${joint}.theta`, ratio: String(ratios[k]) }));
    const away = -axles.reduce((sum, { base }, k) => sum + (base === "" ? ratios[k]! : 0), 0);
    maker.add("couplings", name, { terms: [...terms, { coordinate: `${turns.joint}.theta`, ratio: String(Number(away.toFixed(4))) }] });
}
