/* locks.ts: what no drag moves: points, bodies, and lengths and angles of bars.
 *
 * They stand in the model's text, `draw: {locked: [A, bar1, bar2.length, bar2.angle]}`, so that they are saved, sent
 * and undone with it; the engine does not read them. A locked body keeps all of its points where they are.
 */
import { sectionsOf, withEntry, withValue } from "./entries.ts";
import type { Sections } from "./entries.ts";
import { withEdits } from "../yamltext.ts";
import { fieldOf } from "./sketch.ts";
import type { Bar, Point, Sketch } from "./sketch.ts";
import { t } from "../words/words.ts";

const SAME = 1e-8; /* m: more than what a text with nanometres leaves of a length */

export function locksOf(all: Sections): string[] {
    const said = fieldOf(all.draw, "locked");
    return Array.isArray(said) ? said.filter((one): one is string => typeof one === "string") : [];
}

export function withLocks(text: string, names: string[]): string {
    const { draw } = sectionsOf(text);
    if (names.length > 0)
        return draw && t("locked") in draw ? withValue(text, ["draw", "locked"], names) : withEntry(text, "draw", "locked", names);
    const only = Object.keys(draw ?? {}).length === 1;
    return locksOf({ draw: draw ?? {} }).length === 0 ? text
        : withEdits(text, [{ path: only ? ["draw"] : ["draw", "locked"], value: null }]).text;
}

/* Without the locks of what is no longer there. */
export function withoutIdleLocks(text: string): string {
    const all = sectionsOf(text), names = locksOf(all);
    const there = (name: string) => ["parameters", "bodies", "joints"].some((section) => all[section]?.[name] !== undefined);
    const left = names.filter((name) => there(name) || there(name.replace(/\.(length|angle)$/, "")));
    return left.length === names.length ? text : withLocks(text, left);
}

/* Why a point stays where it is; "": nothing holds it. */
export function holdOf(locks: string[], point: Point): string {
    if (locks.includes(point.name))
        return `${point.name} is locked`;
    const body = point.bodies.find((one) => locks.includes(one));
    return body ? `${point.name} is a point of ${body}, which is locked` : "";
}

type Place = { x: number; y: number };
const between = (a: Place, b: Place): Place => ({ x: b.x - a.x, y: b.y - a.y });

/* The locks that do not hold any more where the points are now, each as it is said. at: places by name. */
export function disturbed(locks: string[], { points, bars }: Sketch, at: Map<string, Place>): string[] {
    const now = (point: Point): Place => at.get(point.name) ?? point;
    const off = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y) > SAME;
    const found = points.filter((point) => holdOf(locks, point) !== "" && off(now(point), point))
        .map((point) => holdOf(locks, point));
    for (const { body, from, to } of bars) {
        const was = between(from, to), is = between(now(from), now(to)), size = Math.hypot(was.x, was.y), long = Math.hypot(is.x, is.y);
        if (locks.includes(`${body}.length`) && Math.abs(long - size) > SAME)
            found.push(`the length of ${body} is locked`);
        const across = Math.abs(was.x * is.y - was.y * is.x) / size, along = was.x * is.x + was.y * is.y;
        if (locks.includes(`${body}.angle`) && (across > SAME || along < 0))
            found.push(`the angle of ${body} is locked`);
    }
    return [...new Set(found)];
}

/* Where a point may go that a locked length or angle of one of its bars leads: the nearest such place, and what
 * leads it. null: nothing does, or more than one. */
export function led(locks: string[], bars: Bar[], point: Point, to: Place): { place: Place; by: string } | null {
    const ways = bars.filter(({ from, to: end }) => from.name === point.name || end.name === point.name).flatMap((bar) =>
        ["length", "angle"].filter((kind) => locks.includes(`${bar.body}.${kind}`)).map((kind) => ({ kind, bar })));
    if (ways.length !== 1)
        return null;
    const [{ kind, bar }] = ways as [{ kind: string; bar: Bar }], other = bar.from.name === point.name ? bar.to : bar.from;
    const was = between(other, point), wish = between(other, to), size = Math.hypot(was.x, was.y);
    const share = kind === "length" ? size / Math.hypot(wish.x, wish.y) : (was.x * wish.x + was.y * wish.y) / size ** 2;
    const way = kind === "length" ? wish : was;
    return share > 0 && Number.isFinite(share)
        ? { place: { x: other.x + share * way.x, y: other.y + share * way.y }, by: `the ${kind} of ${bar.body} is locked` } : null;
}
