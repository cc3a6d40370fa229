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

interface Level { shadows: boolean; pixels: number }
const LEVELS: Level[] = [{ shadows: true, pixels: 1 }, { shadows: false, pixels: 1 },
                         { shadows: false, pixels: 0.75 }, { shadows: false, pixels: 0.5 }];
/* Where the processor makes the pictures its samples cost as much as pixels: edges are made soft by
 * finer pixels, of still pictures only. */
const SOFTWARE_FINE: Level = { shadows: true, pixels: 2 };
const MOST_PIXELS = 2; /* for one of the page, along each side */

function isSoftware(gl: WebGL2RenderingContext): boolean {
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const name = about ? String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/* A canvas with what draws on it; software: this browser's processor makes the pictures. */
export function makeRenderer(): { renderer: THREE.WebGLRenderer; software: boolean } {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { antialias: false });
    if (context && isSoftware(context))
        return { renderer: new THREE.WebGLRenderer({ canvas, context }), software: true };
    return { renderer: new THREE.WebGLRenderer({ antialias: true }), software: false };
}

export class Quality {
    level: number;
    private row = 0;    /* slow ones in a row; negative: quick ones */
    private last = 0;   /* ms: when a picture was asked for */
    private moving = false;
    private fine = true; /* the last picture was a fine one */

    /* Where the processor makes the pictures moving ones begin without shadows. */
    constructor(private readonly renderer: THREE.WebGLRenderer, private readonly sun: THREE.DirectionalLight,
                private readonly software: boolean) {
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
        this.level = Math.min(Math.max(this.level + step, this.software ? 1 : 0), LEVELS.length - 1);
        this.row = 0;
    }

    /* Sets the renderer up; true: its canvas has another size now. */
    apply(fine: boolean): boolean {
        const level = fine ? this.software ? SOFTWARE_FINE : LEVELS[0]! : LEVELS[this.level]!;
        const ratio = Math.min(MOST_PIXELS, level.pixels * Math.min(devicePixelRatio, MOST_PIXELS));
        this.fine = fine || (this.level === 0 && !this.software);
        this.sun.castShadow = level.shadows;
        if (this.renderer.getPixelRatio() === ratio)
            return false;
        this.renderer.setPixelRatio(ratio);
        return true;
    }
}
