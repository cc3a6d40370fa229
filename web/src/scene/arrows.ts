/* arrows.ts: forces and moments of joints, traces of markers, heads of arrows. */
import * as THREE from "three";
import { Bundle } from "./lines.ts";
import type { Head } from "./lines.ts";
import type { KnownTrail, Trail } from "../series.ts";

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

/* Of velocities, with one head, and accelerations, with two. */
export const SPEED = new THREE.Color(0x099268), PULL = new THREE.Color(0x9c36b5);

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

const TRACE = new THREE.Color(0x7048e8), MOST_TRACE = 4000; /* pieces drawn of a marker's way */

/* The ways of markers up to the present, as they were recorded. */
export class Traces {
    readonly bundle = new Bundle(1.6, 1, 0.85);
    private points: Float64Array = new Float64Array(0); /* [rows][markers][3] */
    private rows = 0;
    private version = -1;
    private shown = 0;
    private now: Float64Array = new Float64Array(0); /* [markers][3] */

    clear(): void {
        this.version = -1;
        this.rows = this.shown = 0;
    }
    get known(): KnownTrail { return { version: this.version, rows: this.rows }; }

    take(trail: Trail, markers: Float64Array): void {
        this.now = markers;
        if (trail.from > 0 && (trail.version !== this.version || trail.from > this.rows))
            return; /* the next frame has them all */
        const row = markers.length, from = trail.from * row, need = from + trail.points.length;
        if (need > this.points.length) {
            const grown = new Float64Array(2 * need);
            grown.set(this.points.subarray(0, from));
            this.points = grown;
        }
        this.points.set(trail.points, from);
        this.version = trail.version;
        this.rows = row > 0 ? need / row : 0;
        this.shown = Math.min(trail.shown, this.rows);
    }

    draw(show: boolean): void {
        this.bundle.begin();
        const row = this.now.length, every = Math.max(1, Math.ceil(this.shown / MOST_TRACE));
        for (let m = 0; show && this.shown > 0 && m < row; m += 3) {
            const at = (k: number) => new THREE.Vector3().fromArray(this.points, k * row + m);
            let last = at(0);
            const to = (next: THREE.Vector3) => {
                if (next.distanceToSquared(last) > 0)
                    this.bundle.add(last, next, TRACE);
                last = next;
            };
            for (let k = every; k < this.shown; k += every)
                to(at(k));
            to(new THREE.Vector3().fromArray(this.now, m));
        }
        this.bundle.end();
    }
}
