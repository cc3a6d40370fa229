/* yamltext.ts: values of a YAML text set or taken out; all else stays as it is written, formulas, order
 * and comments too. What is JSON stays JSON.
 */
import { yamlLanguage } from "@codemirror/lang-yaml";
import type { SyntaxNode } from "@lezer/common";

export type Value = number | boolean | string | Value[] | { [key: string]: Value };
/* The keys that lead to a value; null: the last of them goes. */
export interface Edit {
    path: string[]; value: Value | null;
    written?: string; /* the value as it is to stand */
    adds?: boolean;   /* an item that the section has not got is put there */
}

/* Section and name: who is not in the text (but in a part or another file) is not put there. */
const ITEM = 2;

function plain(text: string): string {
    const quoted = /^(["'])(.*)\1$/s.exec(text.trim());
    return quoted ? quoted[2]! : text.trim();
}

function pairOf(mapping: SyntaxNode, key: string, text: string): SyntaxNode | null {
    return mapping.getChildren("Pair").find((pair) => {
        const name = pair.getChild("Key");
        return name !== null && plain(text.slice(name.from, name.to)) === key;
    }) ?? null;
}

/* The value of a pair; null: none is written. */
function valueOf(pair: SyntaxNode): SyntaxNode | null {
    let value = pair.lastChild;
    while (value && value.name === "Comment")
        value = value.prevSibling;
    return value && value.from > (pair.getChild("Key")?.to ?? 0) && value.name !== ":" ? value : null;
}

/* The mapping that a node is, behind comments and marks: of a document its own. */
function mappingIn(node: SyntaxNode | null): SyntaxNode | null {
    if (!node || node.name.endsWith("Mapping"))
        return node;
    if (node.name.endsWith("Sequence"))
        return null;
    for (let child = node.firstChild; child; child = child.nextSibling)
        if (child.name === "Document" || child.name.endsWith("Mapping"))
            return mappingIn(child);
    return null;
}

function written(value: Value, quotes: boolean): string {
    if (typeof value === "number")
        return Number.isFinite(value) ? String(value) : value > 0 ? ".inf" : "-.inf";
    if (typeof value === "boolean")
        return String(value);
    if (typeof value === "string")
        return quotes ? JSON.stringify(value) : value;
    if (Array.isArray(value))
        return `[${value.map((one) => written(one, quotes)).join(", ")}]`;
    return `{${Object.entries(value).map(([key, one]) => pairText(key, one, quotes)).join(", ")}}`;
}

function pairText(key: string, value: Value, quotes: boolean): string {
    return `${quotes ? JSON.stringify(key) : key}: ${written(value, quotes)}`;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
};

/* The end of what a node says: some contain the line break behind them. */
function endOf(node: SyntaxNode, text: string): number {
    return node.from + text.slice(node.from, node.to).trimEnd().length;
}

const spliced = (text: string, from: number, to: number, by: string): string =>
    text.slice(0, from) + by + text.slice(to);

/* A new key behind the last one of a mapping, and behind what is said of that on its line. */
function inserted(text: string, mapping: SyntaxNode, pair: string): string {
    const pairs = mapping.getChildren("Pair"), last = pairs[pairs.length - 1];
    if (!last)
        return spliced(text, mapping.from + 1, mapping.from + 1, pair);
    const end = endOf(last, text);
    if (mapping.name === "FlowMapping")
        return spliced(text, end, end, `, ${pair}`);
    const column = pairs[0]!.from - lineStart(text, pairs[0]!.from), line = lineEnd(text, end);
    return spliced(text, line, line, `\n${" ".repeat(column)}${pair}`);
}

/* A key taken out with its value, and with the mapping that would be left empty. */
function removed(text: string, pairs: SyntaxNode[]): string {
    let depth = pairs.length - 1;
    while (depth > ITEM && pairs[depth]!.parent!.getChildren("Pair").length === 1)
        depth--;
    const pair = pairs[depth]!, end = endOf(pair, text);
    if (pair.parent!.name !== "FlowMapping") {
        const from = lineStart(text, pair.from), to = Math.min(lineEnd(text, end) + 1, text.length);
        return text.slice(from, pair.from).trim() === "" ? spliced(text, from, to, "") : text;
    }
    const behind = /^\s*,\s*/.exec(text.slice(end)), before = /,\s*$/.exec(text.slice(0, pair.from));
    if (before)
        return spliced(text, pair.from - before[0].length, end, "");
    return spliced(text, pair.from, end + (behind?.[0].length ?? 0), "");
}

/* null: there is no such place in this text. */
function withEdit(text: string, { path, value, written: stands, adds }: Edit, quotes: boolean): string | null {
    let mapping = mappingIn(yamlLanguage.parser.parse(text).topNode);
    const pairs: SyntaxNode[] = [];
    for (let depth = 0; depth < path.length; depth++) {
        const pair = mapping && pairOf(mapping, path[depth]!, text);
        if (!mapping || (!pair && depth < (adds ? 1 : ITEM)))
            return null;
        if (!pair) {
            const nested = path.slice(depth + 1).reduceRight<Value | null>((inner, key) =>
                inner === null ? null : { [key]: inner }, value);
            const said = stands !== undefined && depth === path.length - 1 && !quotes
                ? `${path[depth]!}: ${stands}` : nested !== null && pairText(path[depth]!, nested, quotes);
            return nested === null || said === false ? text : inserted(text, mapping, said);
        }
        pairs.push(pair);
        mapping = mappingIn(valueOf(pair));
    }
    const node = valueOf(pairs[pairs.length - 1]!);
    if (value === null)
        return removed(text, pairs);
    return node && spliced(text, node.from, endOf(node, text), stands !== undefined && !quotes ? stands : written(value, quotes));
}

/* missing: the paths that the text does not have. */
export function withEdits(text: string, edits: Edit[]): { text: string; missing: string[] } {
    const quotes = /^\s*\{\s*"/.test(text), missing: string[] = [];
    for (const edit of edits) {
        const next = withEdit(text, edit, quotes);
        if (next === null)
            missing.push(edit.path.slice(1).join("."));
        text = next ?? text;
    }
    return { text, missing };
}

/* The whole text as mappings, lists and texts; null: nothing that can be told. Aliases are left out. */
export type Plain = string | Plain[] | { [key: string]: Plain };
function plainOf(node: SyntaxNode | null, text: string): Plain | null {
    if (!node)
        return null;
    if (node.name.endsWith("Mapping")) {
        const found: { [key: string]: Plain } = {};
        for (const pair of node.getChildren("Pair")) {
            const key = pair.getChild("Key"), value = plainOf(valueOf(pair), text);
            if (key && value !== null)
                Object.defineProperty(found, plain(text.slice(key.from, key.to)),
                                      { value, enumerable: true, configurable: true, writable: true });
        }
        return found;
    }
    if (node.name.endsWith("Sequence"))
        return node.getChildren("Item").map((item) => plainOf(item.firstChild, text) ?? "");
    if (node.name === "Literal" || node.name === "QuotedLiteral")
        return plain(text.slice(node.from, endOf(node, text)));
    for (let child = node.firstChild; child; child = child.nextSibling) {
        const inside = child.name === "Comment" || child.name === "Alias" ? null : plainOf(child, text);
        if (inside !== null)
            return inside;
    }
    return null;
}
export function parseModel(text: string): Plain | null {
    return plainOf(yamlLanguage.parser.parse(text).topNode, text);
}
