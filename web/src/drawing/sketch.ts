/* sketch.ts: what a model's text draws in the plane: points, the bodies that meet there, bars between them. */
import type { Model } from "../engine.ts";
import { readNumber } from "../units.ts";
import { mentions, sectionsOf } from "./entries.ts";
import type { Sections, Written } from "./entries.ts";

export interface Survey {
    dof: number;       /* -1: it cannot be told */
    redundant: number; conflicts: number;
    moves: string[][]; /* the bodies that move in each way to move */
    places: Float64Array; /* [joints][3] m */
}

export interface Point {
    name: string; x: number; y: number; /* m */
    parameter: boolean; /* it is one of the text's parameters, and others may say its name */
    place: string[] | null; /* of the pair of numbers in the text; null: it follows from formulas */
    bodies: string[]; joints: string[]; ground: boolean;
}
export interface Bar { body: string; from: Point; to: Point }
export interface Wheel { body: string; at: Point; radius: number } /* m */
export interface Sketch { all: Sections; points: Point[]; bars: Bar[]; wheels: Wheel[] }

const SAME = 1e-9; /* m */

export function fieldOf(entry: Written | undefined, key: string): Written | undefined {
    return typeof entry === "object" && !Array.isArray(entry) ? entry[key] : undefined;
}
export function wordIn(entry: Written | undefined, key: string): string {
    const value = fieldOf(entry, key);
    return typeof value === "string" ? value : "";
}
export const isGround = (name: string): boolean => name === "" || name === "ground";

/* Two numbers that stand there as such. */
function isPair(value: Written | undefined): boolean {
    return Array.isArray(value) && value.length === 2 &&
        value.every((one) => typeof one === "string" && !one.startsWith("="));
}

function withJoints(points: Point[], all: Sections, model: Model, places: Float64Array): void {
    model.joints.forEach((joint, j) => {
        const entry = all.joints?.[joint.name], x = places[3 * j]!, y = places[3 * j + 1]!;
        if (!entry || !Number.isFinite(x) || joint.type === "distance" || joint.type === "rod")
            return;
        let point = points.find((one) => Math.hypot(one.x - x, one.y - y) < SAME);
        if (!point) {
            const origin = isPair(fieldOf(entry, "origin"));
            point = { name: joint.name, x, y, parameter: false, bodies: [], joints: [], ground: false,
                      place: origin ? ["joints", joint.name, "origin"] : null };
            points.push(point);
        }
        point.joints.push(joint.name);
        for (const body of [wordIn(entry, "a"), wordIn(entry, "b")])
            if (isGround(body))
                point.ground = true;
            else if (!point.bodies.includes(body))
                point.bodies.push(body);
    });
}

/* Is a point one of a body: of its place or of corners of it? How large it is may follow from other points. */
function isCornerOf(body: Written, name: string): boolean {
    const corners = (value: Written | undefined): boolean => Array.isArray(value) ? value.some(corners)
        : typeof value === "object" && Object.entries(value).some(([key, one]) => key === "points" ? mentions(one, name) : corners(one));
    return ["position", "angle"].some((key) => mentions(fieldOf(body, key), name)) || corners(fieldOf(body, "shapes"));
}

/* Wheels and rings as the tools write them. */
function wheelsOf(all: Sections, points: Point[]): Wheel[] {
    const known = (name: string | undefined) => points.find((one) => one.parameter && one.name === name);
    return Object.entries(all.bodies ?? {}).flatMap(([body, entry]) => {
        const shapes = fieldOf(entry, "shapes"), first = Array.isArray(shapes) ? shapes[0] : undefined;
        const said = wordIn(fieldOf(first, "cylinder"), "radius") || wordIn(first, "position").replace(/^=turn\(\[/, "=");
        const at = known(wordIn(entry, "position").slice(1)), [, share, to, from] = /^=([\d.]+)\*norm\((\w+) - (\w+)\)/.exec(said) ?? [];
        const [a, b] = [known(to), known(from)], plain = readNumber(said || "?", "m");
        const radius = a && b ? Number(share) * Math.hypot(a.x - b.x, a.y - b.y) : typeof plain === "number" ? plain : 0;
        return at && radius > 0 ? [{ body, at, radius }] : [];
    });
}

export function sketchOf(text: string, model: Model, places: Float64Array): Sketch {
    const all = sectionsOf(text), points: Point[] = [];
    for (const { name, value } of model.parameters) {
        const said = all.parameters?.[name];
        if (said === undefined || value.length !== 2)
            continue;
        points.push({ name, x: value[0]!, y: value[1]!, parameter: true, joints: [], ground: false,
                      place: isPair(said) ? ["parameters", name] : null,
                      bodies: Object.keys(all.bodies ?? {}).filter((body) => isCornerOf(all.bodies![body]!, name)) });
    }
    withJoints(points, all, model, places);
    const bars: Bar[] = [];
    for (const [body, entry] of Object.entries(all.bodies ?? {})) {
        const ends = /^=\((\w+) *\+ *(\w+)\)\/2$/.exec(wordIn(entry, "position"));
        const [from, to] = [1, 2].map((k) => points.find((one) => one.parameter && one.name === ends?.[k]));
        if (from && to)
            bars.push({ body, from, to });
    }
    return { all, points, bars, wheels: wheelsOf(all, points) };
}

export interface Driven { joint: string; coordinate: string }
/* Of joints the one that has an axis to drive: one on the ground before others. */
function drivenOf({ all }: Sketch, joints: string[]): Driven | null {
    const found = joints.map((joint) => ({ joint, entry: all.joints![joint] }))
        .filter(({ entry }) => ["hinge", "slider"].includes(wordIn(entry, "type")))
        .sort((one, other) => Number(isGround(wordIn(other.entry, "b"))) - Number(isGround(wordIn(one.entry, "b"))))[0];
    return found ? { joint: found.joint, coordinate: wordIn(found.entry, "type") === "hinge" ? "theta" : "z" } : null;
}
/* What a motor drives that is put on a point, or else on the uppermost of the bodies there: its joint with the ground. */
export function driveable(sketch: Sketch, point: Point | null, under: string[]): Driven | null {
    const [body] = under, mine = Object.entries(sketch.all.joints ?? {}).filter(([, one]) =>
        wordIn(one, "a") === body && isGround(wordIn(one, "b"))).map(([name]) => name);
    return (point && drivenOf(sketch, point.joints)) ?? drivenOf(sketch, mine);
}

/* Is a joint's entry one between a body and the ground? */
export function groundedOn(sketch: Sketch, point: Point): string | null {
    return point.joints.find((joint) => {
        const entry = sketch.all.joints![joint];
        return wordIn(entry, "type") === "hinge" && isGround(wordIn(entry, "b"));
    }) ?? null;
}

/* What already holds a point's bodies to the ground there, as it is said; "": nothing does. Another pin there would repeat it. */
export function heldAt(sketch: Sketch, point: Point): string {
    const joint = point.joints.find((name) => isGround(wordIn(sketch.all.joints![name], "b")) || wordIn(sketch.all.joints![name], "a") === "ground");
    const body = joint === undefined ? "" : wordIn(sketch.all.joints![joint], "a"), type = joint === undefined ? "" : wordIn(sketch.all.joints![joint], "type");
    const how = { hinge: "pinned", solid: "welded", slider: "on a slider", slotted_hinge: "in a slot" }[type] ?? "held";
    return joint === undefined ? "" : `${body} is ${how} to the ground at ${point.name} already: select the point to change its kind`;
}

/* A point in a body's frame, as a formula; null: its frame is written in a way that is not known here. */
export function inFrame(all: Sections, body: string, point: string): string | null {
    const entry = all.bodies?.[body], position = fieldOf(entry, "position"), angle = wordIn(entry, "angle");
    if (["rpy", "quaternion", "matrix", "axes", "axis_angle"].some((key) => fieldOf(entry, key) !== undefined))
        return null;
    const number = (said: Written): string | null => typeof said !== "string" ? null
        : said.startsWith("=") ? said.slice(1) : /[a-z]/i.test(said.replace(/e[-+]?\d/i, "")) ? said : `${said} m`;
    let from = "";
    if (typeof position === "string" && position.startsWith("="))
        from = `(${position.slice(1)})`;
    else if (Array.isArray(position))
        from = `[${position.map(number).join(", ")}]`;
    const way = from ? `${point} - ${from}` : point;
    return angle === "" ? `=${way}` : `=turn(${way}, -(${angle.startsWith("=") ? angle.slice(1) : angle}))`;
}
