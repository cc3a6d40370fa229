/* tour.ts: what there is, in eight short steps, on the first opening and on demand. */
import { el } from "./dom.ts";
import { t } from "../words/words.ts";

const STEPS: [string, string, string][] = [
    [".stage canvas", t("Turn it"), t("Drag the ground to turn the view, two fingers or the right button to shift it, wheel or pinch to come nearer. Arrow keys do too.")],
    [".transport .play", t("Let it run"), t("Space plays and pauses. The simulation runs here in your browser, exactly as the tool computes it.")],
    [".transport .timeline", t("Go back"), t("Everything that was simulated stays: drag the time line. Marks are events, such as a limit that was reached.")],
    [".stage canvas", t("Take it"), t("Drag a body. In pause the mechanism follows with all joints closed; while it runs a spring pulls.")],
    ["[data-tab=joints]", t("Set joints"), t("Sliders set coordinates, loops included. Open “range, drives, softness” for limits, motors, friction and springs.")],
    ["[data-tab=report]", t("What is redundant"), t("The report lists loops and rows that repeat others. Click one: it lights up.")],
    ["[data-tab=text]", t("Change the model"), t("Edit its text; mistakes are told under the line, and without any the mechanism follows. Ctrl+Enter runs it.")],
    ["[data-tab=out]", t("Take it with you"), t("Pictures, film, numbers, the model as it stands now, or this page.")],
];

export class Tour {
    private at = 0;
    private readonly title = el("h2", {});
    private readonly text = el("p", {});
    private readonly next = el("button", { type: "button", class: "main", click: () => this.go(this.at + 1) }, t("next"));
    readonly element = el("div", { class: "tour", role: "dialog", "aria-label": t("tour"), hidden: true },
        this.title, this.text,
        el("div", { class: "buttons" }, this.next,
           el("button", { type: "button", click: () => this.end() }, t("close"))));
    private before: Element | null = null;

    constructor() {
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape")
                this.end();
        });
    }

    start(): void {
        this.before = document.activeElement;
        this.element.hidden = false;
        this.go(0);
        this.next.focus();
    }

    private go(step: number): void {
        document.querySelectorAll(".pointed").forEach((one) => one.classList.remove("pointed"));
        if (step >= STEPS.length) {
            this.end();
            return;
        }
        this.at = step;
        const [where, title, text] = STEPS[step]!;
        document.querySelector(where)?.classList.add("pointed");
        this.title.textContent = `${step + 1}/${STEPS.length}  ${title}`;
        this.text.textContent = text;
        this.next.textContent = step + 1 < STEPS.length ? t("next") : t("done");
    }

    end(): void {
        this.element.hidden = true;
        document.querySelectorAll(".pointed").forEach((one) => one.classList.remove("pointed"));
        try {
            localStorage.setItem("tenon-tour", "seen");
        } catch { /* a page from a file may have no memory */ }
        (this.before as HTMLElement | null)?.focus?.();
    }

    static seen(): boolean {
        try {
            return localStorage.getItem("tenon-tour") !== null;
        } catch {
            return true;
        }
    }
}
