/* words.ts: menus, buttons and hints in the language that was chosen; English is what the table is read by.
 *
 * What the engine says stays English, as do names, units and texts of models. The choice is remembered by the browser and holds for
 * a page from its start.
 */
import { TABLE } from "./table.ts";

export const LANGUAGES = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"], ["es", "Español"], ["zh", "中文"]] as const;
export type Language = typeof LANGUAGES[number][0];
const MEMORY = "tenon-language";

function remembered(): Language {
    try {
        const kept = localStorage.getItem(MEMORY);
        return LANGUAGES.find(([code]) => code === kept)?.[0] ?? "en";
    } catch { /* no memory */
        return "en";
    }
}
export const language = remembered();
const column = LANGUAGES.findIndex(([code]) => code === language) - 1;

/* For the next page. */
export function remember(code: string): void {
    try {
        localStorage.setItem(MEMORY, code);
    } catch { /* there is none: English stays */ }
}

/* English words, with values for {0}, {1} ..., as they are shown. */
export function t(english: string, ...values: (string | number)[]): string {
    const words = column < 0 ? english : TABLE[english]?.[column] ?? english;
    return values.length === 0 ? words : words.replace(/\{(\d)\}/g, (all, k) => String(values[Number(k)] ?? all));
}
