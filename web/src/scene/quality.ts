/* quality.ts: how fine a picture is. One that stands is as fine as the screen; one that moves as fine
 * as the machine can make it often enough: shadows go first, then pixels.
 */
import * as THREE from "three";

const SLOW = 45;       /* ms between pictures: these are made plainer */
const SLOW_ONES = 4;   /* in a row */
const QUICK = 22;      /* ms: these may be finer again */
const QUICK_ONES = 180;
const STILL = 700;     /* ms without a change */
const GAP = 2000;      /* ms: longer is no slow picture but a page that was hidden */

const LEVELS = [{ shadows: true, pixels: 1 }, { shadows: false, pixels: 1 }, { shadows: false, pixels: 0.75 },
                { shadows: false, pixels: 0.5 }];

/* Whether the pictures of this browser are made by its processor. */
export function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const name = about ? String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Quality {
    level: number;
    private row = 0;    /* slow ones in a row; negative: quick ones */
    private last = 0;   /* ms: when a picture was asked for */
    private moving = false;
    private fine = true; /* the last picture was a fine one */

    /* Where the processor makes the pictures moving ones begin without shadows. */
    constructor(private readonly renderer: THREE.WebGLRenderer, private readonly sun: THREE.DirectionalLight,
                software: boolean) {
        this.level = software ? 1 : 0;
    }

    /* At each look at the scene; dirty: it has changed. What is to be done: nothing, a picture of a
     * motion, or a fine one. */
    look(now: number, dirty: boolean): "none" | "moving" | "still" {
        if (!dirty) {
            this.moving = false;
            return !this.fine && now - this.last > STILL ? "still" : "none";
        }
        if (this.moving)
            this.count(now - this.last);
        this.moving = true;
        this.last = now;
        return "moving";
    }

    private count(gap: number): void {
        if (gap > GAP)
            return;
        this.row = gap > SLOW ? Math.max(this.row, 0) + 1 : gap < QUICK ? Math.min(this.row, 0) - 1 : 0;
        const step = this.row >= SLOW_ONES ? 1 : this.row <= -QUICK_ONES ? -1 : 0;
        if (step === 0)
            return;
        this.level = Math.min(Math.max(this.level + step, 0), LEVELS.length - 1);
        this.row = 0;
    }

    /* Sets the renderer up; true: its canvas has another size now. */
    apply(fine: boolean): boolean {
        const { shadows, pixels } = LEVELS[fine ? 0 : this.level]!;
        const ratio = pixels * Math.min(devicePixelRatio, 2);
        this.fine = fine || this.level === 0;
        /* a light without shadows would be another shader to compile: they are left out, and unseen */
        this.renderer.shadowMap.autoUpdate = shadows;
        this.sun.shadow.intensity = shadows ? 1 : 0;
        if (this.renderer.getPixelRatio() === ratio)
            return false;
        this.renderer.setPixelRatio(ratio);
        return true;
    }
}
