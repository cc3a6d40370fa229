/* copies.ts: bodies of a drawing copied to another place, with their joints and all that is on them.
 *
 * In: the text, its sketch, names of bodies, and motions of the plane, one for each copy. Out: the text with new entries;
 * what stood there stays. Points that are moved onto another point are that point: copies turned about a pin share it.
 * A body that is not copied stays the partner of the copied joints. Formulas keep their form, with the names of the copy.
 */
import { closureOf, freshName, freshPoint, mentions, sectionsOf, withEntry } from "./entries.ts";
import type { Item, Sections, Written } from "./entries.ts";
import { fieldOf, wordIn } from "./sketch.ts";
import type { Sketch } from "./sketch.ts";
import { readNumber } from "../units.ts";

const SAME = 1e-7; /* m: nearer points are one */
const BEHIND = ["couplings", "markers", "loads", "measures"]; /* in the order in which they name each other */

export interface Place { x: number; y: number }
/* p -> to + R (p - from), with R a turn by angle, or, mirrored, the reflection in the line at half of that angle. */
export interface Motion { from: Place; to: Place; angle: number; mirrored: boolean }

function direction({ angle, mirrored }: Motion, { x, y }: Place): Place {
    const [c, s] = [Math.cos(angle), Math.sin(angle)], side = mirrored ? -1 : 1;
    return { x: c * x - side * s * y, y: s * x + side * c * y };
}
export function moved(motion: Motion, place: Place): Place {
    const way = direction(motion, { x: place.x - motion.from.x, y: place.y - motion.from.y });
    return { x: motion.to.x + way.x, y: motion.to.y + way.y };
}

export const shifted = (from: Place, to: Place, times: number): Motion =>
    ({ from, to: { x: from.x + times * (to.x - from.x), y: from.y + times * (to.y - from.y) }, angle: 0, mirrored: false });
export const turned = (about: Place, angle: number): Motion => ({ from: about, to: about, angle, mirrored: false });
export const mirrored = (one: Place, other: Place): Motion =>
    ({ from: one, to: one, angle: 2 * Math.atan2(other.y - one.y, other.x - one.x), mirrored: true });

const isFormula = (said: string): boolean => said.startsWith("=");
const isMapping = (value: Written | undefined): value is { [key: string]: Written } => typeof value === "object" && !Array.isArray(value);
const negative = (said: string): string => isFormula(said) ? `=-(${said.slice(1)})` : said.startsWith("-") ? said.slice(1) : `-${said}`;
const short = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/* A pair of numbers with their unit, changed as numbers; null: it is none. */
function pair(value: Written | undefined, change: (place: Place) => Place): string[] | null {
    if (!Array.isArray(value) || value.length !== 2)
        return null;
    const parts = value.map((one) => typeof one === "string" ? /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([^\d\s].*)?$/i.exec(one) : null);
    const unit = parts.map((one) => one?.[2] ?? "").find((one) => one !== "") ?? "";
    if (parts.some((one) => one === null || (one[2] ?? unit) !== unit))
        return null;
    const { x, y } = change({ x: Number(parts[0]![1]), y: Number(parts[1]![1]) });
    return [x, y].map((one) => `${short(one, unit === "" ? 12 : 6)} ${unit}`.trim());
}

class Copier {
    private readonly points = new Map<string, string>(); /* names of what is copied, then of the copy */
    private readonly items = new Map<string, string>();
    constructor(public text: string, private readonly all: Sections, private readonly motion: Motion,
                private readonly written: (metres: number) => string) {}

    /* Formulas, references such as joint.theta, and names. */
    private renamed(value: Written): Written {
        if (Array.isArray(value))
            return value.map((one) => this.renamed(one));
        if (isMapping(value))
            return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.renamed(one)]));
        const { points, items } = this;
        return !isFormula(value) ? value.replace(/^[A-Za-z_]\w*(?=$|\.[a-z])/i, (word) => items.get(word) ?? word)
            : value.replace(/(^|[^\w.])([A-Za-z_]\w*)(\.\w+)?/g, (_, before: string, word: string, part = "") => {
                const [first, second] = part === "" || part === ".x" || part === ".y" ? [points, items] : [items, points];
                return before + (first.get(word) ?? second.get(word) ?? word) + part;
            });
    }
    private follows(value: Written | undefined): boolean { return [...this.points.keys()].some((name) => mentions(value, name)); }

    private turnedAngle(said: string): string {
        const { angle, mirrored: flips } = this.motion, way = `${short(angle * 180 / Math.PI, 6)} deg`;
        const number = readNumber(said || "0 deg", "deg");
        if (!isFormula(said) && typeof number === "number")
            return `${short(angle * 180 / Math.PI + (flips ? -number : number), 6)} deg`;
        return `=${way} ${flips ? "-" : "+"} (${said.slice(1)})`;
    }

    /* In the body's frame: its y axis is on the other side where it is mirrored. */
    private flipped(value: Written): Written {
        if (!this.motion.mirrored || this.follows(value))
            return value;
        if (isMapping(value))
            return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === "points" && Array.isArray(one)
                ? one.map((point) => pair(point, ({ x, y }) => ({ x, y: -y })) ?? point)
                : key === "angle" && typeof one === "string" ? negative(one)
                : pair(one, ({ x, y }) => ({ x, y: key === "size" ? y : -y })) ?? this.flipped(one)]));
        return Array.isArray(value) ? value.map((one) => this.flipped(one)) : value;
    }

    point(name: string, place: Place, there: { name: string; x: number; y: number }[]): void {
        const to = moved(this.motion, place), known = there.find((one) => Math.hypot(one.x - to.x, one.y - to.y) < SAME);
        const fresh = known?.name ?? freshPoint(sectionsOf(this.text));
        this.points.set(name, fresh);
        if (known)
            return;
        this.text = withEntry(this.text, "parameters", fresh, [to.x, to.y].map(this.written));
        there.push({ name: fresh, ...to });
    }

    /* A joint that is called as its point is called as the new one. */
    private add(section: string, name: string, value: Written): void {
        const all = sectionsOf(this.text), stem = name.replace(/_?\d+$/, ""), pin = section === "joints" ? this.points.get(stem) : undefined;
        const fresh = pin ? freshName({ joints: all.joints ?? {} }, `${pin}_`, pin) : freshName(all, stem, `${stem}1`);
        this.text = withEntry(this.text, section, fresh, this.renamed(value));
        this.items.set(name, fresh);
    }

    /* Two points of it or more, and all of them stay: the copy would lie on the original. Joints that such bodies alone
     * have are not copied either. */
    stays(body: string): boolean {
        const own = [...this.points].filter(([name]) => mentions(this.all.bodies![body], name));
        return own.length >= 2 && own.every(([name, copy]) => name === copy);
    }
    isOn(joint: string, bodies: string[]): boolean {
        return ["a", "b"].some((end) => bodies.includes(wordIn(this.all.joints![joint], end)));
    }

    body(name: string): string {
        const entry = { ...this.all.bodies![name] as { [key: string]: Written } }, { angle } = entry;
        const position = pair(entry.position, (place) => moved(this.motion, place)) ?? entry.position;
        if (position !== undefined)
            entry.position = position;
        if (entry.shapes !== undefined)
            entry.shapes = this.flipped(entry.shapes);
        if (!this.follows(angle) && !this.follows(entry.shapes) && (this.motion.angle !== 0 || this.motion.mirrored))
            entry.angle = this.turnedAngle(typeof angle === "string" ? angle : "");
        this.add("bodies", name, entry);
        return this.items.get(name)!;
    }

    /* Angles of a mirrored joint go the other way. */
    private reversed(value: Written, name: string): Written {
        if (typeof value === "string")
            return negative(value);
        if (Array.isArray(value))
            return value.map((one) => this.reversed(one, name)).reverse();
        return Object.fromEntries(Object.entries(value).map(([key, one]) => {
            if (["speed", "position"].includes(key) && typeof one !== "string")
                throw new Error(`the motion of ${name} is more than a number, and cannot be mirrored here`);
            return [key, ["speed", "position"].includes(key) ? this.reversed(one, name) : one];
        }));
    }
    joint(name: string): void {
        const entry = { ...this.all.joints![name] as { [key: string]: Written } };
        for (const [key, change] of [["origin", (place: Place) => moved(this.motion, place)],
                                     ["axis", (way: Place) => direction(this.motion, way)]] as const)
            entry[key] = pair(entry[key], change) ?? entry[key]!;
        for (const key of ["origin", "axis"])
            if (entry[key] === undefined)
                delete entry[key];
        for (const key of ["motor", "drive", "range", "initial"]) {
            const said = entry[key], theta = fieldOf(said, "theta");
            if (this.motion.mirrored && isMapping(said) && theta !== undefined)
                entry[key] = { ...said, theta: this.reversed(theta, name) };
        }
        this.add("joints", name, entry);
    }

    rest(section: string, name: string): void {
        const entry = this.all[section]![name]!;
        if (!isMapping(entry)) {
            this.add(section, name, entry);
            return;
        }
        const changed: { [key: string]: Written } = { ...entry };
        for (const key of ["force", "position"])
            if (changed[key] !== undefined)
                changed[key] = pair(changed[key], (place) => key === "force" ? direction(this.motion, place)
                    : this.motion.mirrored ? { x: place.x, y: -place.y } : place) ?? changed[key]!;
        this.add(section, name, changed);
    }
}

/* The text with a copy of these bodies for each motion, and the names of the new ones. */
export function withCopies(text: string, sketch: Sketch, bodies: string[], motions: Motion[],
                           written: (metres: number) => string): { text: string; bodies: string[] } {
    const { all } = sketch, made: string[] = [], own = closureOf(all, bodies.map((name): Item => ["bodies", name]));
    const mine = own.filter(([section]) => section === "joints").map(([, name]) => name);
    const others = Object.keys(all.joints ?? {}).filter((name) => !mine.includes(name)); /* a coupling with one of these has no copy */
    const chosen = own.filter(([section, name]) => section !== "couplings" || !others.some((one) => mentions(all.couplings![name], one)));
    const points = sketch.points.filter((point) => point.parameter && chosen.some(([section, name]) => mentions(all[section]![name], point.name)));
    const there = sketch.points.filter((point) => point.parameter).map(({ name, x, y }) => ({ name, x, y }));
    for (const motion of motions) {
        const copier = new Copier(text, all, motion, written);
        points.forEach((point) => copier.point(point.name, point, there));
        const moving = bodies.filter((name) => !copier.stays(name));
        made.push(...moving.map((name) => copier.body(name)));
        const joints = mine.filter((name) => copier.isOn(name, moving));
        joints.forEach((name) => copier.joint(name));
        const on: Item[] = closureOf(all, moving.map((name): Item => ["bodies", name]));
        for (const section of BEHIND)
            chosen.filter(([one, name]) => one === section && on.some(([s, n]) => s === one && n === name))
                .forEach(([, name]) => copier.rest(section, name));
        text = copier.text;
    }
    return { text, bodies: made };
}
