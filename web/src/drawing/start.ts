/* start.ts: where one begins: an empty drawing, the guided one, a file, or one of the templates. */
import type { App } from "../app.ts";
import { el } from "../ui/dom.ts";
import { BLANK } from "./board.ts";
import { TEMPLATES, textOf } from "./templates.ts";
import type { Template } from "./templates.ts";
import { t } from "../words/words.ts";

/* text: made when it is first read, 33 of them take as long as all else that the page does at its start. */
interface Tile { template: Template; tile: HTMLElement; picture: HTMLImageElement; readonly text: string }
function tileOf(template: Template, tile: HTMLElement, picture: HTMLImageElement): Tile {
    let made: string | null = null;
    return { template, tile, picture, get text() { return made ??= textOf(template); } };
}

export class StartPage {
    readonly element = el("div", { class: "start", role: "dialog", "aria-label": t("begin"), hidden: true });
    private readonly tiles: Tile[] = [];
    private readonly search = el("input", { type: "search", placeholder: t("find a mechanism"), "aria-label": t("find a mechanism"),
                                            input: () => this.filter() });
    private kind = "";
    private readonly chips: HTMLButtonElement[] = [];
    private readonly none = el("p", { class: "quiet", hidden: true }, t("No mechanism is called so."));
    private drawing = false;

    constructor(private readonly app: App, openFile: () => void, restore: () => (() => void) | null) {
        this.restore = restore;
        const act = (name: string, story: string, id: string, does: () => void, main = false) =>
            el("button", { type: "button", class: main ? "begin main" : "begin", id, click: () => { this.close(); does(); } },
               el("b", {}, name), el("span", {}, story));
        this.again = act(t("Go on"), t("what was drawn in this browser last"), "start-again", () => this.restore()?.());
        const kinds = [...new Set(TEMPLATES.map((one) => one.kind))];
        for (const kind of ["", ...kinds])
            this.chips.push(el("button", { type: "button", class: "chip", "aria-pressed": String(kind === ""), click: () => {
                this.kind = kind;
                this.chips.forEach((chip, k) => chip.setAttribute("aria-pressed", String(["", ...kinds][k] === kind)));
                this.filter();
            } }, kind || t("all")));
        const grid = el("div", { class: "templates" });
        for (const template of TEMPLATES) {
            const picture = el("img", { alt: "" });
            const tile = el("button", { type: "button", class: "template", click: () => {
                this.close();
                void app.board.begin(entry.text, `${template.title}.yaml`);
            } }, picture, el("b", {}, template.title), el("span", {}, template.story));
            const entry = tileOf(template, tile, picture);
            this.tiles.push(entry);
            grid.append(tile);
        }
        this.element.append(el("div", { class: "begins" },
            act(t("Draw"), t("an empty drawing"), "start-blank", () => void app.board.begin(BLANK, "mechanism.yaml"), true),
            act(t("First mechanism"), t("seven steps to a crank and a rocker"), "start-guided",
                () => void app.board.begin(BLANK, "mechanism.yaml", true)),
            act(t("Open"), t("a model file, URDF or MJCF with its meshes, outlines in DXF or SVG; or drop them anywhere on the page"), "start-open", openFile), this.again,
            el("button", { type: "button", class: "close", "aria-label": t("close"), click: () => this.close() }, "×")),
            el("div", { class: "find" }, this.search, ...this.chips), grid, this.none);
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape")
                this.close();
            event.stopPropagation();
        });
    }
    private readonly restore: () => (() => void) | null;
    private readonly again: HTMLButtonElement;

    open(): void {
        this.element.hidden = false;
        this.again.hidden = this.restore() === null;
        this.search.focus();
        void this.draw();
    }
    close(): void { this.element.hidden = true; }

    private filter(): void {
        const word = this.search.value.trim().toLowerCase();
        let found = 0;
        for (const { template, tile } of this.tiles) {
            const fits = (this.kind === "" || template.kind === this.kind) &&
                `${template.title} ${template.story} ${template.kind}`.toLowerCase().includes(word);
            tile.hidden = !fits;
            found += Number(fits);
        }
        this.none.hidden = found > 0;
    }

    /* Pictures come one after the other while the page is open. */
    private async draw(): Promise<void> {
        if (this.drawing)
            return;
        this.drawing = true;
        for (const one of this.tiles) {
            const { picture } = one;
            if (picture.src !== "" || this.element.hidden)
                continue;
            const svg = await this.app.client.sketch(one.text);
            if (svg !== "") /* an image runs no script and loads nothing */
                picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
        }
        this.drawing = false;
    }
}
