/* values.ts: numbers of a drawing that stand beside what they belong to, to be changed there: speeds of motors,
 * strengths of springs and dampers, sizes of forces; and the lines by which springs, rods and forces are chosen.
 *
 * In: the sketch. Out: places and texts. An empty text takes the thing away.
 */
import { mentions, sectionsOf, withValue, withoutItems } from "./entries.ts";
import type { Item, Sections, Written } from "./entries.ts";
import { fieldOf, wordIn } from "./sketch.ts";
import type { Point, Sketch } from "./sketch.ts";
import { readNumber } from "../units.ts";
import { withEdits } from "../yamltext.ts";

export const PUSH = 1000; /* N/m: an arrow of 10 mm is 10 N */
const OFFERED: [string, string][] = [["stiffness", "N/m"], ["damping", "N s/m"]];

export interface Place { x: number; y: number } /* m */
export interface Value {
    kind: "motor" | "spring" | "load"; of: string; /* the name that is shown and spoken */
    text: string; at: Place;
    changed(text: string, typed: string): string; /* the model's text; throws where it cannot be read */
}
export interface Line { item: Item; from: Place; to: Place }

/* A point that a formula is, or begins with. */
function pointIn(sketch: Sketch, said: string): Point | undefined {
    const name = /^=(?:turn\()?(\w+)(?: - .*)?$/.exec(said)?.[1];
    return sketch.points.find((one) => one.parameter && one.name === name);
}

/* Joints along a line, and forces. */
export function linesOf(sketch: Sketch): Line[] {
    const { all } = sketch, found: Line[] = [];
    for (const [name, joint] of Object.entries(all.joints ?? {})) {
        if (!["distance", "rod"].includes(wordIn(joint, "type")))
            continue;
        const [from, to] = ["frame_c", "frame_d"].map((frame) => pointIn(sketch, wordIn(fieldOf(joint, frame), "position")));
        if (from && to)
            found.push({ item: ["joints", name], from, to });
    }
    for (const [name, load] of Object.entries(all.loads ?? {})) {
        const from = pointIn(sketch, wordIn(all.markers?.[wordIn(load, "marker")], "position")), force = forceOf(load);
        if (from && force)
            found.push({ item: ["loads", name], from, to: { x: from.x + force[0]! / PUSH, y: from.y + force[1]! / PUSH } });
    }
    return found;
}

/* N, of two numbers that are written as such. */
function forceOf(load: Written | undefined): number[] | null {
    const said = fieldOf(load, "force"), numbers = Array.isArray(said) && said.length === 2
        ? said.map((one) => typeof one === "string" ? readNumber(one, "N") : "") : [];
    return numbers.length === 2 && numbers.every((one) => typeof one === "number") ? numbers as number[] : null;
}

/* A force with its marker, if that has nothing else to do. */
function loadItems(all: Sections, name: string): Item[] {
    const marker = wordIn(all.loads?.[name], "marker");
    const idle = !["loads", "measures"].some((section) => Object.entries(all[section] ?? {}).some(([other, one]) =>
        other !== name && mentions(one, marker)));
    return [["loads", name], ...(idle ? [["markers", marker] as Item] : [])];
}
/* What goes with a chosen thing when it is taken away. */
export function itemsWith(text: string, items: Item[]): Item[] {
    const all = sectionsOf(text);
    return items.flatMap((item) => item[0] === "loads" ? loadItems(all, item[1]) : [item]);
}

function motorsOf({ all, points }: Sketch): Value[] {
    return points.flatMap((point) => point.joints.flatMap((joint): Value[] => {
        const motor = fieldOf(all.joints![joint], "motor");
        return ["theta", "z"].flatMap((coordinate): Value[] => {
            const said = wordIn(fieldOf(motor, coordinate), "speed");
            return said === "" ? [] : [{ kind: "motor", of: `motor of ${joint}`, text: said, at: point, changed: (text, typed) => typed === ""
                ? withEdits(text, [{ path: ["joints", joint, "motor"], value: null }]).text
                : withValue(text, ["joints", joint, "motor", coordinate, "speed"], typed) }];
        });
    }));
}

export function valuesOf(sketch: Sketch): Value[] {
    const { all } = sketch, lines = linesOf(sketch);
    const middle = ({ from, to }: Line): Place => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
    const along = lines.flatMap((line): Value[] => {
        const [section, name] = line.item;
        if (section === "loads") {
            const [x, y] = forceOf(all.loads![name]) as [number, number], size = Math.hypot(x, y);
            return size === 0 ? [] : [{ kind: "load", of: name, text: `${Number(size.toPrecision(4))} N`, at: line.to, changed: (text, typed) => {
                if (typed === "")
                    return withoutItems(text, loadItems(sectionsOf(text), name));
                const wanted = readNumber(typed, "N");
                if (typeof wanted === "string")
                    throw new Error(wanted);
                return withValue(text, ["loads", name, "force"], [x, y].map((part) => `${Number((part / size * wanted).toFixed(4))} N`));
            } }];
        }
        const spring = fieldOf(fieldOf(all.joints![name], "spring"), "length");
        return OFFERED.filter(([key]) => wordIn(spring, key) !== "").map(([key, unit]): Value => ({ kind: "spring",
            of: `${key} of ${name}`, text: wordIn(spring, key), at: middle(line), changed: (text, typed) => {
                if (typed === "")
                    return withoutItems(text, [line.item]);
                const bare = typeof readNumber(typed, unit) === "number" && /^[-+\d.,e\s]+$/i.test(typed);
                return withValue(text, ["joints", name, "spring", "length", key], bare ? `${typed} ${unit}` : typed);
            } }));
    });
    return [...motorsOf(sketch), ...along];
}
