/* moves.ts: the numbers of a text that a point follows from. */
import { mentions } from "./entries.ts";
import type { Sections } from "./entries.ts";

const MOST = 6; /* numbers that are changed at once */

/* Plain numbers that a parameter's formula names, itself or by others; pairs of numbers are not among them. */
export function lengthNames(all: Sections, name: string, found: string[] = []): string[] {
    const said = all.parameters?.[name];
    for (const [other, value] of Object.entries(all.parameters ?? {}))
        if (other !== name && !found.includes(other) && mentions(said, other) && typeof value === "string") {
            if (!value.startsWith("="))
                found.push(other);
            else
                lengthNames(all, other, found);
        }
    return found.slice(0, MOST);
}
