/* display.ts: the units in which the page shows numbers and takes them, as its user chose them.
 *
 * One table. The engine computes in SI and the model's text keeps its own units: nothing here changes either. The
 * choice is remembered by the browser.
 */
import { readNumber, unitOf } from "./units.ts";
import { t } from "./words/words.ts";

const RAD = Math.PI / 180, INCH = 0.0254, MEMORY = "tenon-units";
const SMALL = 0.7; /* m: smaller mechanisms are shown in mm unless a unit was chosen */
const FINE = 1e-6; /* m: what a drawn length is told to */
const TIMES = ["", "/s", "/s²", "/s³"];

/* size: SI in one of it. word: in a model's text. digits: behind the point while it moves. step: of a key, in units. */
export interface Shown { name: string; word: string; size: number; digits: number; step: number }
export type Quantity = "length" | "angle" | "turning";

const unit = (name: string, size: number, digits: number, step: number, word = name): Shown => ({ name, word, size, digits, step });
export const TABLE: Record<Quantity, { title: string; units: Shown[] }> = {
    length: { title: t("lengths"), units: [unit("mm", 1e-3, 2, 1), unit("cm", 1e-2, 3, 0.1), unit("m", 1, 4, 0.01), unit("in", INCH, 3, 0.05)] },
    angle: { title: t("angles"), units: [unit("°", RAD, 2, 1, "deg"), unit("rad", 1, 4, 0.02)] },
    turning: { title: t("turning"), units: [unit("°/s", RAD, 2, 1, "deg/s"), unit("rad/s", 1, 4, 0.02), unit("rpm", Math.PI / 30, 3, 1)] },
};
export const BY_SIZE = ""; /* the choice of a length that goes with the size of the mechanism */

export class Display {
    private readonly choice: Record<Quantity, string> = { length: BY_SIZE, angle: "deg", turning: "deg/s" };

    /* size: of the mechanism that is shown, m. */
    constructor(private readonly size: () => number) {
        try {
            const kept = JSON.parse(localStorage.getItem(MEMORY) ?? "{}") as Partial<Record<Quantity, string>>;
            for (const quantity of Object.keys(TABLE) as Quantity[])
                this.take(quantity, kept?.[quantity] ?? this.choice[quantity]);
        } catch { /* no memory, or something else in it */ }
    }

    private take(quantity: Quantity, word: string): void {
        if ((quantity === "length" && word === BY_SIZE) || TABLE[quantity].units.some((one) => one.word === word))
            this.choice[quantity] = word;
    }
    chosen(quantity: Quantity): string { return this.choice[quantity]; }
    choose(quantity: Quantity, word: string): void {
        this.take(quantity, word);
        try {
            localStorage.setItem(MEMORY, JSON.stringify(this.choice));
        } catch { /* it holds for this page */ }
    }

    private unit(quantity: Quantity): Shown {
        const word = this.choice[quantity] || (this.size() < SMALL ? "mm" : "m");
        return TABLE[quantity].units.find((one) => one.word === word)!;
    }

    /* How a number in that unit is shown: lengths, angles and their rates as chosen, everything else as it is. */
    of(si: string): Shown {
        const own = unitOf(si), [length, mass, time, angle] = own?.of ?? [0, 0, 0, 0], rate = TIMES[-time];
        if (!own || mass !== 0 || length + angle !== 1 || length * angle !== 0 || rate === undefined)
            return unit(si === "1" ? "" : si, 1, 3, 1);
        if (angle === 1 && time === -1)
            return { ...this.unit("turning"), size: this.unit("turning").size / own.size };
        const one = this.unit(angle === 1 ? "angle" : "length");
        return { ...one, name: one.name + rate, word: one.word + rate.replace("²", "^2").replace("³", "^3"), size: one.size / own.size };
    }

    /* A length, to a micrometre, with its unit. */
    length(metres: number): string {
        const one = this.unit("length");
        return `${fine(metres, one.size)} ${one.name}`;
    }
    angle(radians: number): string {
        const one = this.unit("angle");
        return `${(radians / one.size).toFixed(one.digits - 1)}${one.name === "°" ? "" : " "}${one.name}`;
    }

    /* A length as a model's text has it: in the unit of what stood there; where nothing did, in the one that was
     * chosen, or in mm. to: m, what it is told to. */
    written(metres: number, before?: unknown, to = FINE): string {
        const all = [before ?? "0"].flat().map(String), own = all.map(lengthUnit).find((one) => one !== "");
        if (own === undefined && all.some((one) => Number(one) !== 0))
            return String(fine(metres, 1, to)); /* m, without a word */
        const word = own ?? (this.choice.length || "mm");
        return `${fine(metres, unitOf(word)!.size, to)} ${word}`;
    }
}

/* As many digits as a micrometre needs, or nearly. */
function fine(metres: number, size: number, to = FINE): number {
    return Number((metres / size).toFixed(Math.max(0, Math.round(Math.log10(size / to)))));
}

/* The unit of a length that is written as a number; "": it says none. */
function lengthUnit(text: string): string {
    const word = /[a-zµ°]+$/i.exec(text.trim())?.[0] ?? "", known = word !== "" && typeof readNumber(text, "m") === "number";
    return known ? word : "";
}

/* The unit in which a text says a number, if it fits one of SI; else mm, degrees, or that one. */
export function ownUnit(text: string | null | undefined, si: string): { word: string; size: number } {
    const said = /^[-+]?[\d.]+(?:e[-+]?\d+)?\s*(.*)$/i.exec(text?.trim() ?? "")?.[1] ?? "";
    const word = said !== "" && typeof readNumber(text!, si) === "number" ? said
        : si === "m" ? "mm" : si === "rad" ? "deg" : si === "1" ? "" : si;
    return { word, size: word === "" ? 1 : unitOf(word)!.size / (unitOf(si)?.size ?? 1) };
}
