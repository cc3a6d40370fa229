/* drag.ts: bodies in the hand. In pause the mechanism follows with its joints closed; while it runs a
 * spring pulls the body to the hand.
 */
import * as THREE from "three";
import type { App } from "./app.ts";

const CLICK = 4; /* pixels: less is a click */

interface Taken { body: number; point: number[]; grip: THREE.Vector3; to: THREE.Vector3 }

export class Drag {
    private taken: Taken | null = null;
    private down: { x: number; y: number; joint: number } | null = null;
    private sending = false;
    private next: THREE.Vector3 | null = null;

    constructor(private readonly app: App) {
        const canvas = app.scene.canvas;
        canvas.addEventListener("pointerdown", (event) => this.start(event), { capture: true });
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.end(event));
        canvas.addEventListener("pointercancel", () => this.release());
    }

    get active(): boolean { return this.taken !== null; }

    private start(event: PointerEvent): void {
        if (event.button !== 0 || !event.isPrimary || !this.app.model || event.shiftKey || this.app.board.active || this.app.picks)
            return;
        const picked = this.app.scene.pick(event.clientX, event.clientY);
        this.down = { x: event.clientX, y: event.clientY, joint: picked?.joint ?? -1 };
        if (!picked)
            return;
        const body = picked.body >= 0 ? picked.body : this.bodyOf(picked.joint);
        if (body < 0 || this.app.model.bodies[body]!.kind === "fixed")
            return;
        event.stopImmediatePropagation(); /* the view stays */
        if (this.app.recorded) {
            this.app.tell("a recorded motion: it cannot be taken hold of");
            return;
        }
        this.app.scene.canvas.setPointerCapture(event.pointerId);
        this.app.scene.canvas.focus();
        const grip = picked.point;
        this.taken = { body, point: [], grip, to: grip.clone() };
        const { taken } = this;
        void this.app.act(async () => { taken.point = await this.app.client.bodyPoint(body, grip.toArray()); });
    }

    /* A joint is taken by its body A. */
    private bodyOf(joint: number): number { return this.app.model!.joints[joint]?.a ?? -1; }

    private move(event: PointerEvent): void {
        const taken = this.taken;
        if (!taken || taken.point.length === 0 || !this.down)
            return;
        if (Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < CLICK)
            return;
        const to = this.app.scene.facing(event.clientX, event.clientY, taken.grip);
        if (!to)
            return;
        taken.to = to;
        this.next = to;
        void this.send();
    }

    private async send(): Promise<void> {
        if (this.sending)
            return;
        this.sending = true;
        while (this.next && this.taken)
            await this.app.act(() => this.follow());
        this.sending = false;
    }
    private async follow(): Promise<void> {
        if (!this.next || !this.taken)
            return;
        const to = this.next, { body, point } = this.taken;
        this.next = null;
        if (this.app.playing) {
            await this.app.client.pull(body, point, to.toArray());
            const at = await this.app.client.worldPoint(body, point);
            if (this.taken)
                this.app.scene.setPull(new THREE.Vector3(...at), to);
        } else {
            await this.app.client.drag(body, point, to.toArray());
            await this.app.redraw();
        }
    }

    private release(): void {
        if (!this.taken)
            return;
        this.taken = null;
        this.next = null;
        this.app.scene.setPull(null, null);
        void this.app.act(async () => {
            await this.app.client.release();
            await this.app.client.endChange();
        });
    }

    private end(event: PointerEvent): void {
        const clicked = this.down &&
            Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < CLICK;
        if (clicked && this.down!.joint >= 0)
            this.app.select(this.down!.joint);
        this.release();
        this.down = null;
    }
}
