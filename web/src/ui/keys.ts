/* keys.ts: everything that matters by keyboard. */
import type { App } from "../app.ts";

const TABS = ["joints", "look", "report", "plots", "text", "out"] as const;

export function keys(app: App): void {
    const plain: Record<string, () => void> = {
        " ": () => app.toggle(),
        ".": () => void app.step(),
        r: () => void app.reset(),
        l: () => document.getElementById("loop")!.click(),
        d: () => app.setDark(document.documentElement.dataset.theme !== "dark"),
        f: () => app.scene.view.look("first"),
        x: () => app.scene.view.look("x"),
        y: () => app.scene.view.look("y"),
        z: () => app.scene.view.look("z"),
        "?": () => app.tour.start(),
        "+": () => speed(1),
        "-": () => speed(-1),
    };
    const speed = (way: number) => {
        const select = document.getElementById("speed") as HTMLSelectElement;
        select.selectedIndex = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + way));
        select.dispatchEvent(new Event("change"));
    };
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
        const act = plain[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (act) {
            event.preventDefault();
            act();
        }
    });
}
