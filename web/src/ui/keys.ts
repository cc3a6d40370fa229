/* keys.ts: everything that matters by keyboard: one table, which the keys follow and the list of them shows. */
import type { App } from "../app.ts";
import { TOOLS } from "../drawing/tools.ts";
import { el } from "./dom.ts";
import { t } from "../words/words.ts";

const TABS = ["joints", "look", "report", "plots", "text", "out"] as const;

type Key = [key: string, what: string, act: (app: App) => void];
const PLAIN: Key[] = [
    [" ", t("play, pause"), (app) => app.toggle()],
    [".", t("one step"), (app) => void app.step()],
    ["r", t("back to the start"), (app) => void app.reset()],
    ["l", t("repeat"), () => document.getElementById("loop")!.click()],
    ["+", t("faster"), () => speed(1)],
    ["-", t("slower"), () => speed(-1)],
    ["f", t("first view"), (app) => app.scene.view.look("first")],
    ["x", t("seen along x"), (app) => app.scene.view.look("x")],
    ["y", t("seen along y"), (app) => app.scene.view.look("y")],
    ["z", t("seen along z"), (app) => app.scene.view.look("z")],
    ["d", t("dark or light"), (app) => app.setDark(document.documentElement.dataset.theme !== "dark")],
    ["?", t("this list"), (app) => app.keyList.open()],
];
/* Keys of other places: their texts. */
const ELSEWHERE: [title: string, rows: [keys: string, what: string][]][] = [
    [t("Everywhere"), [[`1 to ${TABS.length}`, `panels: ${TABS.join(", ")}`], ["Ctrl Z, Ctrl Shift Z", t("undo, redo")], ["Ctrl S", t("save")],
                    ["Tab, Shift Tab", t("to the next control, back")], ["Escape", t("close the list or the tour")]]],
    [t("In the picture"), [[t("arrows"), t("turn the view")], [t("Shift arrows"), t("shift it")], [t("Page up, Page down"), t("nearer, farther")]]],
    [t("While you draw"), [[t("arrows"), t("move the pick to the next place of the grid")], [t("Shift arrows"), t("ten places")],
                        ["Enter", t("pick; with select: take a point up, put it down")], ["Enter", t("end a plate that was clicked")],
                        ["Escape", t("drop the picks, then select")], ["Del", t("take away what is selected")],
                        ["L", t("lock what is selected: no drag moves it; unlock")]]],
    [t("In the text"), [["Ctrl Enter", t("run it")], ["Ctrl Space", t("keys of the schema")]]],
];

/* The list of keys: "?". */
export class KeyList {
    private before: Element | null = null;
    readonly element = el("div", { class: "keylist", role: "dialog", "aria-label": t("keys"), "aria-modal": "true", hidden: true });

    constructor(tour: () => void) {
        const table = (title: string, rows: [string, string][]) => el("section", {}, el("h3", {}, title), el("dl", {},
            ...rows.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)])));
        const named = (key: string) => key === " " ? t("space") : key.toUpperCase();
        this.element.append(
            el("div", { class: "buttons" }, el("h2", {}, t("Keys")),
               el("button", { type: "button", click: () => { this.close(); tour(); } }, t("show me round")),
               el("button", { type: "button", class: "close", "aria-label": t("close"), click: () => this.close() }, "×")),
            el("div", { class: "tables" }, table(t("Time and view"), PLAIN.map(([key, what]) => [named(key), what])),
               table(t("Tools, while you draw"), TOOLS.map((tool) => [tool.key, tool.title])),
               ...ELSEWHERE.map(([title, rows]) => table(title, rows))));
        this.element.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Escape" || event.key === "?")
                this.close();
        });
    }

    open(): void {
        this.before = document.activeElement;
        this.element.hidden = false;
        this.element.querySelector<HTMLElement>(".close")!.focus();
    }
    private close(): void {
        this.element.hidden = true;
        (this.before as HTMLElement | null)?.focus?.();
    }
}

function speed(way: number): void {
    const select = document.getElementById("speed") as HTMLSelectElement;
    select.selectedIndex = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + way));
    select.dispatchEvent(new Event("change"));
}

export function keys(app: App): void {
    document.addEventListener("keydown", (event) => {
        const target = event.target as HTMLElement;
        const typing = target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, .cm-editor");
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
            event.preventDefault();
            void (event.shiftKey ? app.redo() : app.undo());
            return;
        }
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
            event.preventDefault();
            void app.files.save();
            return;
        }
        if (typing || event.ctrlKey || event.metaKey || event.altKey)
            return;
        if (event.key === " " && target.closest("button, summary"))
            return; /* it presses them */
        const number = Number(event.key);
        if (number >= 1 && number <= TABS.length) {
            app.open(TABS[number - 1]!);
            return;
        }
        const act = PLAIN.find(([key]) => key === event.key.toLowerCase())?.[2];
        if (act) {
            event.preventDefault();
            act(app);
        }
    });
}
