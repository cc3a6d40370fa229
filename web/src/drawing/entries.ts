/* entries.ts: entries of a model's text added and taken out, with comments and all else as it is written.
 *
 * Values are set by withEdits (yamltext.ts). Text in, text out: nothing here knows the page.
 */
import { parseModel, withEdits } from "../yamltext.ts";
import type { Value } from "../yamltext.ts";

/* As the text has it: mappings, lists, and plain texts, unquoted; numbers and truth are texts too. */
export type Written = string | Written[] | { [key: string]: Written };
export type Sections = { [section: string]: { [name: string]: Written } };

/* Sections in the order in which they are put into a text. */
const ORDER = ["parameters", "bodies", "joints", "couplings", "markers", "loads", "measures"];
const BEHIND = ["simulation", "record"]; /* what stays at the end */

function isMapping(value: Written | undefined): value is { [key: string]: Written } {
    return typeof value === "object" && !Array.isArray(value);
}

/* Everything that the text says; what is not understood (aliases, merge keys) is left out. */
export function sectionsOf(text: string): Sections {
    const all = parseModel(text) ?? "", found: Sections = {};
    for (const [name, value] of Object.entries(isMapping(all) ? all : {}))
        if (isMapping(value))
            found[name] = value;
    return found;
}
export function wordOf(text: string, key: string): string {
    const all = parseModel(text) ?? "", value = isMapping(all) ? all[key] : undefined;
    return typeof value === "string" ? value : "";
}

/* In a flow mapping: in quotes where YAML would take it for something else. */
function flow(value: Value): string {
    if (typeof value === "string")
        return /[,[\]{}#'"\n]|: |:$|^[\s&*!|>%@`?]|^-(\s|$)|\s$|^$/.test(value) ? JSON.stringify(value) : value;
    if (Array.isArray(value))
        return `[${value.map(flow).join(", ")}]`;
    if (typeof value === "object")
        return `{${Object.entries(value).map(([key, one]) => `${flow(key)}: ${flow(one)}`).join(", ")}}`;
    return typeof value === "number" && !Number.isFinite(value) ? (value > 0 ? ".inf" : "-.inf") : String(value);
}

/* Where a section that is not there yet begins: behind those that go before it, in front of what ends a file. */
function placeFor(text: string, section: string): number {
    const lines = text.split("\n"), rank = ORDER.indexOf(section);
    let at = 0, place = -1;
    for (const line of lines) {
        const key = /^(["']?)([A-Za-z_]+)\1\s*:/.exec(line)?.[2] ?? "";
        if (place < 0 && (BEHIND.includes(key) || ORDER.indexOf(key) > rank))
            place = at;
        at += line.length + 1;
    }
    if (place < 0)
        return text.length;
    /* comments straight above a section belong to it */
    for (;;) {
        const start = text.lastIndexOf("\n", place - 2) + 1;
        if (place === 0 || !/^\s*#/.test(text.slice(start, place)))
            return place;
        place = start;
    }
}

/* A new entry behind the last one of its section, on a line of its own where the section has lines. */
export function withEntry(text: string, section: string, name: string, value: Value): string {
    const line = `${flow(name)}: ${flow(value)}`;
    const json = /^\s*\{/.test(text);
    const bare = new RegExp(`^(["']?)${section}\\1\\s*:[ \\t]*(\\{\\s*\\}|null|~)?[ \\t]*(#.*)?$`, "m").exec(text);
    if (json)
        return withEdits(text, [{ path: [section, name], value, adds: true }]).text;
    const held = sectionsOf(text)[section];
    if (bare && Object.keys(held ?? {}).length === 0) {
        const at = bare.index, head = `${section}:${bare[3] ? ` ${bare[3]}` : ""}`;
        return `${text.slice(0, at)}${head}\n  ${line}${text.slice(at + bare[0].length)}`;
    }
    if (held)
        return withEdits(text, [{ path: [section, name], value, written: flow(value), adds: true }]).text;
    const at = placeFor(text, section);
    const before = text.slice(0, at), gap = before === "" || before.endsWith("\n") ? "" : "\n";
    return `${before}${gap}${section}:\n  ${line}\n${text.slice(at)}`;
}

/* Another value of an entry, as it is to be written. */
export function withValue(text: string, path: string[], value: Value): string {
    return withEdits(text, [{ path, value, written: flow(value) }]).text;
}

/* Is a name said in a value? In formulas, references such as joint.theta, and words. */
export function mentions(value: Written | undefined, name: string): boolean {
    if (value === undefined)
        return false;
    if (typeof value === "string")
        return new RegExp(`(^|[^\\w.])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])`).test(value);
    return (Array.isArray(value) ? value : Object.values(value)).some((one) => mentions(one, name));
}

export type Item = [section: string, name: string];

/* What cannot be without an item: which keys of which section name one of its kind. */
const HANGS: { [section: string]: { in: string; keys: string[] }[] } = {
    bodies: [{ in: "joints", keys: ["a", "b"] }, { in: "markers", keys: ["body"] },
             { in: "loads", keys: ["body", "bodies"] }],
    joints: [{ in: "couplings", keys: [] }, { in: "loads", keys: ["coordinate"] }, { in: "measures", keys: [] }],
    couplings: [{ in: "loads", keys: ["coordinate"] }, { in: "measures", keys: [] }],
    markers: [{ in: "loads", keys: ["marker", "between"] }, { in: "measures", keys: [] }],
    parameters: [],
};
const EVERYWHERE = ["parameters", "bodies", "joints", "couplings", "markers", "loads", "measures"];

function hangsOn(entry: Written, keys: string[], name: string): boolean {
    if (keys.length === 0)
        return mentions(entry, name);
    return isMapping(entry) && keys.some((key) => mentions(entry[key], name));
}

/* An item with all that hangs on it: joints of a body, couplings and loads of a joint. */
export function closureOf(all: Sections, items: Item[]): Item[] {
    const found = [...items];
    for (const [section, name] of found) {
        const uses = section === "parameters" ? EVERYWHERE.map((one) => ({ in: one, keys: [] as string[] }))
                                              : HANGS[section] ?? [];
        for (const { in: other, keys } of uses)
            for (const [user, entry] of Object.entries(all[other] ?? {}))
                if (hangsOn(entry, keys, name) && !found.some(([s, n]) => s === other && n === user))
                    found.push([other, user]);
    }
    return found;
}

/* Without items and what hangs on them, and without the parameters that they alone used. */
export function withoutItems(text: string, items: Item[]): string {
    const before = sectionsOf(text), gone = closureOf(before, items);
    const strip = (now: string, [section, name]: Item): string => {
        const whole = Object.keys(sectionsOf(now)[section] ?? {}).length === 1;
        if (whole && section !== "bodies")
            return withEdits(now, [{ path: [section], value: null }]).text;
        const rest = withEdits(now, [{ path: [section, name], value: null }]).text;
        return rest.replace(/^bodies:[ \t]*(#.*)?$/m, (head, comment: string | undefined) =>
            whole ? `bodies: {}${comment ? ` ${comment}` : ""}` : head); /* a model has that section */
    };
    let rest = gone.reduce(strip, text);
    for (let changed = true; changed;) { /* parameters of parameters */
        const all = sectionsOf(rest), used = (name: string) => EVERYWHERE.some((section) =>
            Object.entries(all[section] ?? {}).some(([other, value]) =>
                !(section === "parameters" && other === name) && mentions(value, name)));
        const was = (name: string) => gone.some(([section, item]) => mentions(before[section]?.[item], name));
        const idle = Object.keys(all.parameters ?? {}).filter((name) => was(name) && !used(name));
        for (const name of idle) {
            gone.push(["parameters", name]);
            rest = strip(rest, ["parameters", name]);
        }
        changed = idle.length > 0;
    }
    return rest;
}

/* The first of stem, stem2, ... that no entry of these sections is called. */
export function freshName(all: Sections, stem: string, first = stem): string {
    const taken = (name: string) => EVERYWHERE.some((section) => all[section]?.[name] !== undefined);
    if (!taken(first))
        return first;
    for (let k = 2; ; k++)
        if (!taken(`${stem}${k}`))
            return `${stem}${k}`;
}
/* A to Z, then P1, P2, ...: the names of points. */
export function freshPoint(all: Sections): string {
    for (let k = 0; k < 26; k++) {
        const name = String.fromCharCode(65 + k);
        if (!EVERYWHERE.some((section) => all[section]?.[name] !== undefined))
            return name;
    }
    return freshName(all, "P", "P1");
}
