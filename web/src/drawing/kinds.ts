/* kinds.ts: another kind of joint in the place of one: a pin, a weld, a slider, a pin in a slot.
 *
 * What acts along its coordinates goes, with couplings, loads and measures of them: those of the new kind are others.
 */
import { sectionsOf, withValue, withoutItems } from "./entries.ts";
import type { Item } from "./entries.ts";
import { fieldOf } from "./sketch.ts";
import type { Sketch } from "./sketch.ts";
import { withEdits } from "../yamltext.ts";
import { t } from "../words/words.ts";

export const KINDS: [type: string, title: string][] =
    [["hinge", t("pin")], ["solid", t("weld")], ["slider", t("slider")], ["slotted_hinge", t("pin in a slot")]];
const ALONG = ["slider", "slotted_hinge"]; /* they have an axis */
const BY_COORDINATE = ["motor", "drive", "friction", "spring", "range", "restitution", "locked", "armature", "friction_radius"];

/* The line of a bar that the joint is on, else the horizontal. */
function axisAt({ all, bars }: Sketch, joint: string): string | number[] {
    const bar = ["b", "a"].map((end) => bars.find(({ body }) => body === fieldOf(all.joints![joint], end))).find((one) => one);
    return bar ? `=${bar.to.name} - ${bar.from.name}` : [1, 0];
}

export function withKind(text: string, sketch: Sketch, joint: string, type: string): string {
    const all = sectionsOf(text), said = new RegExp(`(^|[^\\w.])${joint.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\.[a-z]`);
    const gone = ["couplings", "loads", "measures"].flatMap((section) => Object.entries(all[section] ?? {})
        .filter(([, entry]) => said.test(JSON.stringify(entry))).map(([name]): Item => [section, name]));
    const rest = withoutItems(text, gone), entry = all.joints![joint];
    const idle = [...BY_COORDINATE, ...(ALONG.includes(type) ? [] : ["axis"])].filter((key) => fieldOf(entry, key) !== undefined);
    const bare = withEdits(rest, idle.map((key) => ({ path: ["joints", joint, key], value: null }))).text;
    const now = withValue(bare, ["joints", joint, "type"], type);
    if (!ALONG.includes(type) || fieldOf(entry, "axis") !== undefined)
        return now;
    return withEdits(now, [{ path: ["joints", joint, "axis"], value: axisAt(sketch, joint), adds: true }]).text;
}
