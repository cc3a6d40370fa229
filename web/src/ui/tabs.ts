/* tabs.ts: the panels beside the picture: one of them open, or all folded away. */
import { t } from "../words/words.ts";
import { el } from "./dom.ts";

export type Tab = "joints" | "look" | "report" | "plots" | "text" | "out";

export class Tabs {
    readonly element = el("aside", { class: "side", "aria-label": t("panels") });
    private tabs = new Map<Tab, { button: HTMLButtonElement; panel: HTMLElement }>();

    /* opened: called when a panel is shown, or asked for again. */
    constructor(all: [Tab, string, HTMLElement][], private readonly opened: (tab: Tab) => void) {
        const list = el("div", { class: "tabs", role: "tablist", "aria-label": t("panels") });
        for (const [tab, name, element] of all) {
            const chosen = el("button", { type: "button", role: "tab", id: `tab-${tab}`, "data-tab": tab,
                "aria-controls": `panel-${tab}`, click: () => this.open(tab, true) }, name);
            const panel = el("div", { class: "panel", role: "tabpanel", id: `panel-${tab}`,
                                      "aria-labelledby": `tab-${tab}`, hidden: true }, element);
            this.tabs.set(tab, { button: chosen, panel });
            list.append(chosen);
        }
        list.addEventListener("keydown", (event) => this.move(event));
        this.element.append(list, ...[...this.tabs.values()].map(({ panel }) => panel));
    }

    /* Without a model there is nothing to set but its text. */
    setEmpty(empty: boolean): void {
        for (const [name, { panel }] of this.tabs)
            panel.inert = empty && name !== "text";
    }

    isOpen(tab: Tab): boolean { return !this.tabs.get(tab)!.panel.hidden; }

    private move(event: KeyboardEvent): void {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way)
            return;
        event.stopPropagation();
        const names = [...this.tabs.keys()];
        const now = names.findIndex((tab) => this.tabs.get(tab)!.button === document.activeElement);
        const tab = names[(now + way + names.length) % names.length]!;
        this.open(tab);
        this.tabs.get(tab)!.button.focus();
    }

    /* Shows a panel; the open one once more: folds it away, to see more of the picture. */
    open(tab: Tab, toggles = false): void {
        const fold = toggles && this.isOpen(tab) && !this.element.classList.contains("folded");
        this.element.classList.toggle("folded", fold);
        for (const [name, { button, panel }] of this.tabs) {
            panel.hidden = name !== tab;
            button.setAttribute("aria-selected", String(name === tab));
            button.tabIndex = name === tab ? 0 : -1;
        }
        this.element.classList.toggle("wide", tab === "text" || tab === "plots");
        this.opened(tab);
    }
}
