/* ways.ts: ways to move: a mechanism shown to and fro along one of the velocities its rows allow. */
import type { Engine } from "./engine.ts";
import { nullSpace } from "./nullspace.ts";

const REACH = 0.25; /* rad, and with it the share of the size */

export class Ways {
    private readonly state: ArrayBuffer; /* from where it moves */
    private u: Float64Array = new Float64Array(0);

    constructor(private readonly engine: Engine) { this.state = engine.save(); }

    /* Motion k of a basis of the motions that are allowed; none where there are fewer. */
    begin(k: number, velocities: number): void {
        this.end();
        this.u = nullSpace(this.engine.jacobian())[k] ?? new Float64Array(velocities);
    }
    place(share: number): void {
        this.end();
        this.engine.displace(this.u, REACH * share);
    }
    end(): void { this.engine.restore(this.state); }
}
