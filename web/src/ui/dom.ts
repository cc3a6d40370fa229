/* dom.ts: elements made of data. Texts are texts: nothing here ever takes HTML. */
import { readNumber } from "../units.ts";
import { t } from "../words/words.ts";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
    name: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function")
            element.addEventListener(key, value);
        else if (key in element && key !== "list" && key !== "role")
            (element as any)[key] = value;
        else if (value !== undefined && value !== false)
            element.setAttribute(key, String(value));
    }
    element.append(...children.filter((child): child is Node | string => !!child || child === ""));
    return element;
}

/* Icons: paths on a square of 24. */
const icons: Record<string, string> = {
    play: "M7 4.5v15l12.5-7.5z",
    pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
    step: "M5 5v14l9-7zM16 5h3v14h-3z",
    back: "M19 5v14l-9-7zM5 5h3v14H5z",
    reset: "M12 5a7 7 0 1 1-6.3 4l1.8.9A5 5 0 1 0 12 7v3L7.5 6 12 2z",
    loop: "M7 7h9V4l5 4.5-5 4.5v-3H8v4H5V9a2 2 0 0 1 2-2zm10 10H8v3l-5-4.5L8 11v3h8v-4h3v5a2 2 0 0 1-2 2z",
    undo: "M9 5 3 10.5 9 16v-3.6c5 0 8 1.4 10.6 5.1C18.700 12 15 8.700 9 8.500z",
    redo: "M15 5l6 5.500L15 16v-3.600c-5 0-8 1.400-10.600 5.100C5.300 12 9 8.700 15 8.500z",
    help: "M11 16h2v2h-2zm1-11a4 4 0 0 0-4 4h2a2 2 0 1 1 3 1.700c-1.300.8-2 1.500-2 3.300h2c0-1 .4-1.300 1.300-1.900A4 4 0 0 0 12 5z",
    theme: "M12 3a9 9 0 1 0 0 18zM12 3v18a9 9 0 0 0 0-18z",
    lock: "M7 10V8a5 5 0 0 1 10 0v2h1v10H6V10zm2 0h6V8a3 3 0 0 0-6 0z",
};

/* One of those, or a path. */
export function icon(name: string): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", icons[name] ?? name);
    svg.append(path);
    return svg;
}

export function button(name: string, label: string, act: () => void, key = ""): HTMLButtonElement {
    return el("button", { type: "button", class: "icon", title: key ? `${label} (${key})` : label,
                          "aria-label": label, click: act }, icon(name));
}

/* A number as people read it: as many digits as it takes, no more than that. */
export function show(value: number, digits = 4): string {
    if (!Number.isFinite(value))
        return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
    if (Math.abs(value) < 1e-15)
        return "0";
    const size = Math.abs(value);
    const text = size >= 1e6 || size < 1e-3 ? value.toExponential(digits - 1)
                                            : String(Number(value.toPrecision(digits)));
    return text.replace("-", "−").replace("e+", "e");
}

export function field(label: string, input: HTMLElement, unit: string | HTMLElement = ""): HTMLLabelElement {
    return el("label", { class: "field" }, el("span", {}, label), input,
              typeof unit === "string" && unit ? el("span", { class: "unit" }, unit) : unit || null);
}

/* A box for a number, which may say its own unit; act hears of what is understood only (empty: NaN, if that
 * means something). What is not understood is marked, with the reason under it. */
export function numberBox(value: number, label: string, act: (value: number) => void,
                          empty = "", unit: string | (() => string) = ""): HTMLInputElement {
    const input = el("input", { type: "text", inputMode: "decimal", class: "number",
                                placeholder: empty, "aria-label": label });
    const why = el("small", { class: "why", role: "alert", "aria-label": t("what is wrong with {0}", label) });
    input.value = Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "";
    input.addEventListener("change", () => {
        const text = input.value.trim();
        const number = text === "" ? (empty === "" ? "a number is missing" : NaN) : readNumber(text, typeof unit === "string" ? unit : unit());
        const wrong = typeof number === "string";
        input.classList.toggle("wrong", wrong);
        input.setAttribute("aria-invalid", String(wrong));
        why.textContent = input.title = wrong ? number : "";
        if (wrong)
            (input.closest(".head, .pair, .field") ?? input).after(why);
        else
            why.remove();
        if (!wrong) {
            if (text !== "" && !Number.isNaN(number))
                input.value = String(Number(number.toPrecision(7)));
            act(number);
        }
    });
    return input;
}

export function save(name: string, blob: Blob): void {
    const link = el("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
