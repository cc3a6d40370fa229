/* design.ts: a model's text with other values of its parameters; all else stays as it is written,
 * formulas and comments too.
 */
import { yamlLanguage } from "@codemirror/lang-yaml";
import type { SyntaxNode } from "@lezer/common";

function plain(text: string): string {
    const quoted = /^(["'])(.*)\1$/s.exec(text.trim());
    return quoted ? quoted[2]! : text.trim();
}

/* The value of a key of a mapping. */
function valueOf(mapping: SyntaxNode, key: string, text: string): SyntaxNode | null {
    for (const pair of mapping.getChildren("Pair")) {
        const name = pair.getChild("Key"), value = pair.lastChild;
        if (name && value && value.from > name.to && plain(text.slice(name.from, name.to)) === key)
            return value;
    }
    return null;
}

/* The first mapping in a node, behind comments and marks: of a document its own. */
function mappingIn(node: SyntaxNode | null): SyntaxNode | null {
    if (!node || node.name === "BlockMapping" || node.name === "FlowMapping")
        return node;
    for (let child = node.firstChild; child; child = child.nextSibling)
        if (child.name === "Document" || child.name.endsWith("Mapping"))
            return mappingIn(child);
    return null;
}

/* settings: values as texts, by name. missing: those that the text does not have, or only by a part or
 * another file. */
export function withParameters(text: string, settings: Map<string, string>):
    { text: string; missing: string[] } {
    const root = mappingIn(yamlLanguage.parser.parse(text).topNode);
    const section = root && mappingIn(valueOf(root, "parameters", text));
    const places: { from: number; to: number; value: string }[] = [], missing: string[] = [];
    for (const [name, value] of settings) {
        const node = section && valueOf(section, name, text);
        if (node)
            places.push({ from: node.from, to: node.to, value });
        else
            missing.push(name);
    }
    for (const { from, to, value } of places.sort((a, b) => b.from - a.from))
        text = text.slice(0, from) + value + text.slice(to);
    return { text, missing };
}
