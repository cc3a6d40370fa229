/* wheels.ts: wheels on their axles, and teeth or a belt between two of them.
 *
 * An axle is a joint whose theta is the turn of its wheel against a base: the ground, or an arm that carries both
 * centres. Against that arm the rims have the same speed: r1 (t1 - arm) + r2 (t2 - arm) = 0 where the wheels touch
 * between their centres, r1 (t1 - arm) - r2 (t2 - arm) = 0 where the larger one is a ring round the other (Willis), or a belt runs round both.
 */
import { freshName } from "./entries.ts";
import { groundedOn, isGround, wordIn } from "./sketch.ts";
import type { Point, Sketch, Wheel } from "./sketch.ts";
import type { Maker, Pick } from "./tools.ts";

const PULLEY = "20 mm"; /* radius of a new wheel of a belt */
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

/* Of the wheel that is there, or of one that is made. */
function axleFor(maker: Maker, pick: Pick, name: string, there: Wheel | undefined, made: () => string, arm: string): Axle {
    const found = there && axleOf(maker.sketch, there);
    if (there && !found)
        throw new Error(`${there.body} does not turn on its centre`);
    return found ?? newAxle(maker, pick, name, made(), arm);
}

/* The moving body on which one of two centres is; "": both are on the ground. */
function armOf(sketch: Sketch, picks: Pick[]): string {
    const arms = picks.map((pick) => carrierOf(sketch, pick.point)), arm = arms.find((body) => body !== "") ?? "";
    if (arms.some((body) => body !== "" && body !== arm))
        throw new Error("both centres must be on the ground or on one body");
    return arm;
}

/* Two wheels that touch; where a wheel of that size is on a centre it is one of them. */
export function geared(maker: Maker, picks: Pick[]): void {
    const [one, other, touch] = picks as [Pick, Pick, Pick], { sketch } = maker;
    const far = Math.hypot(other.x - one.x, other.y - one.y);
    const rim = ((touch.x - one.x) * (other.x - one.x) + (touch.y - one.y) * (other.y - one.y)) / far ** 2;
    const there = [one, other].map((pick, k) => sketch.wheels.find((wheel) =>
        wheel.at === pick.point && Math.abs(wheel.radius - far * Math.abs(k === 0 ? rim : 1 - rim)) < touch.near));
    const inside = rim > 0 && rim < 1;
    /* where the rims are: as a wheel that is there says, else as clicked */
    const kept = there[0] ? Math.sign(rim) * there[0].radius / far : there[1] ? 1 - Math.sign(1 - rim) * there[1].radius / far : rim;
    const part = Number(kept.toFixed(4)), shares = [Math.abs(part), Number(Math.abs(1 - part).toFixed(4))];
    if (shares.some((share) => share < LEAST))
        throw new Error("the wheels touch between their centres, or beyond that of the smaller one");
    const arm = armOf(sketch, [one, other]), names = [one, other].map((pick) => maker.point(pick)), line = `norm(${names[1]} - ${names[0]})`;
    const axles = [one, other].map((pick, k) => {
        const radius = `${shares[k]}*${line}`, ring = !inside && shares[k]! > shares[1 - k]!;
        return axleFor(maker, pick, names[k]!, there[k], () => ring ? maker.ring(names[k]!, radius) : maker.wheel(names[k]!, radius), arm);
    }) as [Axle, Axle];
    couple(maker, inside ? "gear" : "ring", [one, other], axles, arm, shares as [number, number]);
}

/* r1 (t1 - arm) = -+ r2 (t2 - arm), of the axles that turn against the ground with the turn of the arm taken away. */
function couple(maker: Maker, kind: "gear" | "ring" | "belt", picks: [Pick, Pick], axles: [Axle, Axle], arm: string,
                [p, q]: [number, number]): void {
    const stem = kind === "belt" ? "belt" : "gears", name = freshName(maker.all, stem, `${stem}1`), { sketch } = maker;
    if (axles[0].base === axles[1].base) {
        maker.add("couplings", name, { [kind === "belt" ? "belt" : "gear"]: { a: `${axles[0].joint}.theta`, b: `${axles[1].joint}.theta`,
                                                                             ratio: `=${kind === "gear" ? "-" : ""}${p}/${q}` } });
        return;
    }
    const grounded = picks[axles[0].base === "" ? 0 : 1], turns = grounded.point && hingeAt(sketch, grounded.point, arm, "");
    if (!turns || axles.some(({ base }) => base !== "" && base !== arm))
        throw new Error(`${arm} must turn about the other centre on the ground`);
    const ratios = [p, kind === "gear" ? q : -q], terms = axles.map(({ joint }, k) => ({ coordinate: `${joint}.theta`, ratio: String(ratios[k]) }));
    const away = -axles.reduce((sum, { base }, k) => sum + (base === "" ? ratios[k]! : 0), 0);
    maker.add("couplings", name, { terms: [...terms, { coordinate: `${turns.joint}.theta`, ratio: String(Number(away.toFixed(4))) }] });
}

/* A belt round two wheels, new ones where none is: they turn the same way. */
export function belted(maker: Maker, picks: Pick[]): void {
    const { sketch } = maker, [one, other] = picks as [Pick, Pick], arm = armOf(sketch, picks);
    const there = picks.map((pick) => sketch.wheels.find((wheel) => wheel.at === pick.point));
    const names = picks.map((pick) => maker.point(pick));
    const axles = picks.map((pick, k) => axleFor(maker, pick, names[k]!, there[k], () => maker.wheel(names[k]!, PULLEY), arm)) as [Axle, Axle];
    const radius = (k: number) => there[k] ? Number((1000 * there[k].radius).toFixed(3)) : parseFloat(PULLEY); /* mm */
    couple(maker, "belt", [one, other], axles, arm, [radius(0), radius(1)]);
}
