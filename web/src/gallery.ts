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
    private live = -1;
    private readonly tiles: HTMLCanvasElement[] = [];
    private readonly back = el("button", { type: "button", class: "back", hidden: true,
                                           click: () => this.close() }, "← all");
    private chain: Promise<void> = Promise.resolve(); /* one model after the other */

    constructor(private readonly app: App, private readonly host: HTMLElement,
                private readonly exhibits: Exhibit[]) {
        host.classList.add("showing");
        document.body.append(this.grid, this.back);
        exhibits.forEach((exhibit, k) => {
            const canvas = el("canvas", { width: WIDTH, height: HEIGHT });
            this.tiles.push(canvas);
            const tile = el("button", { type: "button", class: "tile" }, canvas, el("span", {}, exhibit.title));
            tile.addEventListener("pointerenter", () => this.wake(k));
            tile.addEventListener("focus", () => this.wake(k));
            tile.addEventListener("pointerleave", () => this.leave());
            tile.addEventListener("blur", () => this.leave());
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
    }

    /* A still of each, one after the other. */
    async fill(): Promise<void> {
        for (let k = 0; k < this.exhibits.length; k++)
            await this.after(async () => {
                await this.app.load(this.exhibits[k]!.text, this.exhibits[k]!.name);
                this.draw(k);
            });
    }
    private after(work: () => Promise<void>): Promise<void> {
        this.chain = this.chain.then(work);
        return this.chain;
    }

    private wake(k: number): void {
        this.live = -1;
        this.wanted = k;
        void this.after(async () => {
            if (this.wanted !== k || !this.host.classList.contains("showing"))
                return;
            await this.app.load(this.exhibits[k]!.text, this.exhibits[k]!.name);
            if (this.wanted !== k)
                return;
            this.live = k;
            this.app.play();
        });
    }
    private wanted = -1;
    /* A tile that goes away because another view opens does not stop that. */
    private leave(): void {
        if (this.host.classList.contains("showing"))
            this.sleep();
    }
    private sleep(): void {
        this.wanted = -1;
        this.live = -1;
        this.app.pause();
    }

    private open(k: number): void {
        this.sleep();
        void this.after(async () => {
            this.host.classList.remove("showing");
            this.grid.hidden = true;
            this.back.hidden = false;
            await this.app.load(this.exhibits[k]!.text, this.exhibits[k]!.name);
            this.app.play();
        });
    }
    private close(): void {
        this.app.pause();
        this.host.classList.add("showing");
        this.grid.hidden = false;
        this.back.hidden = true;
    }
}
