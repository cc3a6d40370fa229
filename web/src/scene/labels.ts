/* labels.ts: texts at places of the scene, as elements over the picture: always upright and sharp.
 * What was written by the user is set as text, never as HTML.
 */
import * as THREE from "three";
import type { Frame } from "../timeline.ts";
import type { Hidden } from "./hidden.ts";
import { Kind, Primitive, count } from "./parts.ts";

const MOST = 60; /* more hide the mechanism */

interface Label { element: HTMLElement; at: THREE.Vector3; text: string; width: number }

export class Labels {
    readonly layer = document.createElement("div");
    private labels: Label[] = [];

    constructor(private readonly hidden: Hidden) {
        this.layer.className = "labels";
        this.layer.setAttribute("aria-hidden", "true");
    }

    private at(k: number): Label {
        if (!this.labels[k]) {
            const element = document.createElement("div");
            element.className = "label";
            this.layer.append(element);
            this.labels[k] = { element, at: new THREE.Vector3(), text: "", width: 0 };
        }
        return this.labels[k]!;
    }

    /* The value of a coordinate, as it is to be read. */
    valueOf: (joint: number, coordinate: number, frame: Frame) => string = () => "";

    update(frame: Frame, show: boolean): void {
        const { list } = frame;
        let used = 0;
        const n = show ? count(list) : 0;
        for (let i = 0; i < n && used < MOST; i++) {
            const p = new Primitive(list, i);
            if (p.kind !== Kind.Label || this.hidden.has(p))
                continue;
            const label = this.at(used++);
            const text = p.coordinate >= 0 ? this.valueOf(p.joint, p.coordinate, frame) : p.text;
            if (label.text !== text) {
                label.element.textContent = text;
                label.element.classList.toggle("value", p.coordinate >= 0);
                label.text = text;
                label.width = 7 * text.length;
            }
            label.at.set(p.real(3), p.real(4), p.real(5));
        }
        this.labels.forEach((label, k) => { label.element.hidden = k >= used; });
    }

    /* Where they stand on a picture of that size; those that would cover others step down. */
    place(camera: THREE.Camera, width: number, height: number): void {
        const p = new THREE.Vector3(), taken: [number, number, number][] = [];
        for (const label of this.labels) {
            if (label.element.hidden)
                continue;
            p.copy(label.at).project(camera);
            const x = (0.5 * p.x + 0.5) * width + 8;
            let y = (0.5 - 0.5 * p.y) * height - 10;
            for (const [tx, ty, tw] of taken)
                if (Math.abs(y - ty) < 15 && x < tx + tw && tx < x + label.width)
                    y = ty + 15;
            taken.push([x, y, label.width]);
            label.element.style.visibility = p.z < 1 ? "visible" : "hidden";
            label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }
}
