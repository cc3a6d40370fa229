/* curves.ts: paths in the plane, thin, in colours that tell neighbours apart. */
import * as THREE from "three";
import { Bundle } from "./lines.ts";

const MOST_PIECES = 600; /* of one path */
const COLORS = [0x1971c2, 0x2f9e44, 0xe8590c, 0x9c36b5, 0x0c8599, 0xc2255c].map((one) => new THREE.Color(one));

export class Curves {
    readonly bundle = new Bundle(1, 3, 0.8, true);
    constructor(private readonly changed: () => void) {}

    /* x and y of each path. */
    set(paths: [Float64Array, Float64Array][]): void {
        this.bundle.begin();
        paths.forEach(([x, y], k) => {
            const every = Math.max(1, Math.ceil(x.length / MOST_PIECES)), at = (i: number) => new THREE.Vector3(x[i], y[i], 0);
            for (let i = every; i < x.length; i += every)
                this.bundle.add(at(i - every), at(i), COLORS[k % COLORS.length]!);
        });
        this.bundle.end();
        this.changed();
    }
}
