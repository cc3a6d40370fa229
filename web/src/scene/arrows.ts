/* arrows.ts: forces and moments of joints, traces of markers, heads of arrows. */
import * as THREE from "three";
import { Bundle } from "./lines.ts";
import type { Head } from "./lines.ts";

const MOST_HEADS = 4096;

/* Cones at the tips of arrows, one draw call. */
export class Heads {
    readonly mesh: THREE.InstancedMesh;
    /* above: in front of everything. */
    constructor(above = false) {
        const cone = new THREE.ConeGeometry(0.32, 1, 16).translate(0, -0.5, 0);
        this.mesh = new THREE.InstancedMesh(cone, new THREE.MeshBasicMaterial({ depthTest: !above }),
                                            MOST_HEADS);
        this.mesh.renderOrder = above ? 4 : 0;
        this.mesh.frustumCulled = false;
        this.mesh.raycast = () => {};
        this.mesh.count = 0;
        this.mesh.setColorAt(0, new THREE.Color());
    }
    update(heads: Head[]): void {
        const matrix = new THREE.Matrix4(), q = new THREE.Quaternion(), up = new THREE.Vector3(0, 1, 0);
        this.mesh.count = Math.min(heads.length, MOST_HEADS);
        for (let k = 0; k < this.mesh.count; k++) {
            const { at, along, size, color } = heads[k]!;
            q.setFromUnitVectors(up, along);
            this.mesh.setMatrixAt(k, matrix.compose(at, q, new THREE.Vector3(size, size, size)));
            this.mesh.setColorAt(k, color);
        }
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor!.needsUpdate = true;
    }
}

const FORCE = new THREE.Color(0xd6336c), MOMENT = new THREE.Color(0x1c7ed6);
/* Of loads. */
export const PUSH = new THREE.Color(0xe8590c), TWIST = new THREE.Color(0x2b8a3e);

/* Of a row that was chosen. */
export const ROW = new THREE.Color(0xf08c00);

/* The wrenches of joints, or of loads, as arrows: forces single, moments with a double head. */
export class Forces {
    readonly bundle = new Bundle(3, 3, 1, true); /* what is inside bodies is to be seen */
    readonly heads = new Heads(true);
    readonly group = new THREE.Group();
    private largest = [1e-9, 1e-9]; /* N, N m: seen so far, for the scale */
    scale = 1;

    constructor(private readonly force = FORCE, private readonly moment = MOMENT) {
        this.group.add(this.bundle.object, this.heads.mesh);
    }
    reset(): void { this.largest = [1e-9, 1e-9]; }

    /* wrenches [joints][9]: place, force, moment; length of the longest arrow in m. */
    update(wrenches: Float64Array | null, length: number): void {
        this.bundle.begin();
        const heads: Head[] = [];
        const joints = wrenches ? wrenches.length / 9 : 0;
        for (let j = 0; j < joints; j++)
            for (const which of [0, 1]) {
                const i = 9 * j + 3 + 3 * which;
                const vector = new THREE.Vector3(wrenches![i], wrenches![i + 1], wrenches![i + 2]);
                this.largest[which] = Math.max(this.largest[which]!, vector.length());
            }
        for (let j = 0; j < joints; j++)
            for (const which of [0, 1])
                this.add(wrenches!, j, which, length, heads);
        this.bundle.end();
        this.heads.update(heads);
    }

    private add(w: Float64Array, j: number, which: number, length: number, heads: Head[]): void {
        const at = new THREE.Vector3(w[9 * j], w[9 * j + 1], w[9 * j + 2]);
        const i = 9 * j + 3 + 3 * which;
        const along = new THREE.Vector3(w[i], w[i + 1], w[i + 2])
            .multiplyScalar(this.scale * length / this.largest[which]!);
        const long = along.length();
        if (!(long > 0.02 * length) || !Number.isFinite(long))
            return;
        const color = which === 0 ? this.force : this.moment, tip = at.clone().add(along);
        const size = Math.min(0.14 * length, 0.4 * long), unit = along.clone().divideScalar(long);
        this.bundle.add(at, tip.clone().addScaledVector(unit, -size), color);
        heads.push({ at: tip, along: unit, size, color });
        if (which === 1)
            heads.push({ at: tip.clone().addScaledVector(unit, -0.7 * size), along: unit, size, color });
    }
}

const TRACE = new THREE.Color(0x7048e8), MOST_TRACE = 4000;

/* The ways of markers. */
export class Traces {
    readonly bundle = new Bundle(1.6, 1, 0.85);
    private ways: THREE.Vector3[][] = [];
    clear(): void { this.ways = []; }
    add(markers: Float64Array): void {
        for (let m = 0; 3 * m < markers.length; m++) {
            const way = this.ways[m] ??= [];
            const at = new THREE.Vector3(markers[3 * m], markers[3 * m + 1], markers[3 * m + 2]);
            const last = way[way.length - 1];
            if (!last || last.distanceToSquared(at) > 0)
                way.push(at);
            if (way.length > MOST_TRACE)
                this.ways[m] = way.filter((_, i) => i % 2 === 0);
        }
    }
    draw(show: boolean): void {
        this.bundle.begin();
        if (show)
            for (const way of this.ways)
                for (let k = 1; k < way.length; k++)
                    this.bundle.add(way[k - 1]!, way[k]!, TRACE);
        this.bundle.end();
    }
}
