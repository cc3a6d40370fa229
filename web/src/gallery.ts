/* gallery.ts: many mechanisms on one page: tiles that move under the pointer or the focus, and open.
 *
 * One engine and one picture serve all: each tile keeps a still, and the chosen one is drawn live.
 */
import type { App } from "./app.ts";
import { el } from "./ui/dom.ts";

export interface Exhibit { name: string; title: string; text: string }

const WIDTH = 480, HEIGHT = 300;

export class Gallery {
    private readonly grid = el("main", { class: "gallery", "aria-label": "gallery" });
    private readonly tiles: HTMLCanvasElement[] = [];
    private readonly drawn: boolean[] = []; /* has a still */
    private readonly back = el("button", { type: "button", class: "back", hidden: true,
                                           click: () => this.close() }, "← all");
    private pointed = -1; /* the tile under the pointer or with the focus */
    private live = -1;    /* the tile that moves */
    private opened = -1;
    private shown = -1;   /* the model in the engine */
    private working = false;

    constructor(private readonly app: App, private readonly host: HTMLElement,
                private readonly exhibits: Exhibit[]) {
        host.classList.add("showing");
        document.body.append(this.grid, this.back);
        exhibits.forEach((exhibit, k) => {
            const canvas = el("canvas", { width: WIDTH, height: HEIGHT });
            this.tiles.push(canvas);
            this.drawn.push(false);
            const tile = el("button", { type: "button", class: "tile" }, canvas, el("span", {}, exhibit.title));
            tile.addEventListener("pointerenter", () => this.point(k));
            tile.addEventListener("focus", () => this.point(k));
            tile.addEventListener("pointerleave", () => this.point(-1));
            tile.addEventListener("blur", () => this.point(-1));
            tile.addEventListener("click", () => this.open(k));
            this.grid.append(tile);
        });
        const copy = () => {
            requestAnimationFrame(copy);
            if (this.live >= 0)
                this.draw(this.live);
        };
        requestAnimationFrame(copy);
    }

    private draw(k: number): void {
        const { scene } = this.app;
        scene.draw(true);
        this.tiles[k]!.getContext("2d")!.drawImage(scene.canvas, 0, 0, WIDTH, HEIGHT);
        this.drawn[k] = true;
    }

    /* A still of each; the rest comes when one that was opened meanwhile is closed. */
    fill(): Promise<void> { return this.work(); }

    /* What is wanted now: the opened one, then the still under the pointer and all others, then motion. */
    private next(): number {
        if (this.opened >= 0)
            return this.opened;
        const missing = this.drawn.indexOf(false);
        return missing < 0 || this.drawn[this.pointed] === false ? this.pointed : missing;
    }

    /* Loads one after the other until what is wanted is there: whatever was pointed at or clicked while a
     * model was on its way is looked at when that is done. */
    private async work(): Promise<void> {
        if (this.working)
            return;
        this.working = true;
        for (let k = this.next(); k >= 0; k = this.next()) {
            if (this.shown !== k) {
                await this.app.load(this.exhibits[k]!.text, this.exhibits[k]!.name);
                this.shown = k;
                continue;
            }
            if (this.opened < 0 && !this.drawn[k]) {
                this.draw(k);
                continue;
            }
            this.live = this.opened < 0 ? k : -1;
            this.app.play();
            break;
        }
        this.working = false;
    }

    private point(k: number): void {
        if (this.opened >= 0)
            return; /* the tile goes away because a view opens */
        this.pointed = k;
        if (this.live !== k) {
            this.live = -1;
            this.app.pause();
        }
        void this.work();
    }

    private open(k: number): void {
        this.opened = k;
        this.live = -1;
        this.app.pause();
        this.host.classList.remove("showing");
        this.grid.hidden = true;
        this.back.hidden = false;
        void this.work();
    }
    private close(): void {
        this.opened = this.pointed = -1;
        this.shown = -1; /* it may have been changed: a tile shows it as it was */
        this.app.pause();
        this.host.classList.add("showing");
        this.grid.hidden = false;
        this.back.hidden = true;
        void this.work();
    }
}
