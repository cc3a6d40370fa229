/* spots.ts: named places of the plane, over the picture: where they stand goes with the view. */
import * as THREE from "three";

/* m; act: of one that can be clicked, which says its title. */
export interface Spot { name: string; x: number; y: number; title?: string; act?: () => void }

export class Spots {
    readonly layer = document.createElement("div");
    private shown: { element: HTMLElement; at: THREE.Vector3 }[] = [];
    constructor(private readonly changed: () => void) {
        this.layer.className = "labels spots";
    }

    set(spots: Spot[]): void {
        if (spots.length === 0 && this.shown.length === 0)
            return;
        this.shown = spots.map(({ name, x, y, title, act }) => {
            const element = document.createElement(act ? "button" : "div");
            element.className = act ? "spot choice drawn" : "spot";
            element.textContent = name;
            if (act) {
                element.title = title ?? "";
                element.addEventListener("click", act);
            } else {
                element.setAttribute("aria-hidden", "true"); /* a table says the same */
            }
            return { element, at: new THREE.Vector3(x, y, 0) };
        });
        this.layer.replaceChildren(...this.shown.map(({ element }) => element));
        this.changed();
    }

    place(camera: THREE.Camera, width: number, height: number): void {
        const p = new THREE.Vector3();
        for (const { element, at } of this.shown) {
            p.copy(at).project(camera);
            element.style.visibility = Math.abs(p.x) < 1 && Math.abs(p.y) < 1 ? "visible" : "hidden";
            element.style.transform = `translate(${((0.5 + 0.5 * p.x) * width).toFixed(1)}px, ${((0.5 - 0.5 * p.y) * height).toFixed(1)}px)`;
        }
    }
}
