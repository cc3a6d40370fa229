/* lines.ts: lines some pixels wide, all of one width in one draw call. */
import * as THREE from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { DrawList } from "../engine.ts";
import { Kind, Primitive, Role, count } from "./parts.ts";
import type { Hidden } from "./hidden.ts";

const ARC_STEP = Math.PI / 36;

/* Segments that are filled anew each frame. */
export class Bundle {
    readonly object: LineSegments2;
    private used = 0;
    private capacity = 256;
    private positions: Float32Array = new Float32Array(6 * this.capacity);
    private colors: Float32Array = new Float32Array(6 * this.capacity);

    constructor(width: number, order: number, opacity = 1, above = false) {
        const material = new LineMaterial({ linewidth: width, vertexColors: true, alphaToCoverage: false,
                                            transparent: opacity < 1, opacity, depthTest: !above });
        this.object = new LineSegments2(new LineSegmentsGeometry(), material);
        this.object.frustumCulled = false;
        this.object.renderOrder = order;
        this.object.raycast = () => {};
        this.allot();
    }

    private allot(): void {
        this.object.geometry.dispose();
        this.object.geometry = new LineSegmentsGeometry();
        this.object.geometry.setPositions(this.positions);
        this.object.geometry.setColors(this.colors);
        /* the geometry keeps the arrays it was given, as interleaved starts and ends */
        this.positions = this.data("instanceStart");
        this.colors = this.data("instanceColorStart");
    }
    private buffer(name: string): THREE.InterleavedBuffer {
        return (this.object.geometry.getAttribute(name) as THREE.InterleavedBufferAttribute).data;
    }
    private data(name: string): Float32Array { return this.buffer(name).array as Float32Array; }

    begin(): void { this.used = 0; }

    add(a: THREE.Vector3, b: THREE.Vector3, color: THREE.Color): void {
        if (this.used === this.capacity) {
            this.capacity *= 2;
            const grow = (old: Float32Array) => {
                const grown = new Float32Array(6 * this.capacity);
                grown.set(old);
                return grown;
            };
            this.positions = grow(this.positions);
            this.colors = grow(this.colors);
            this.allot();
        }
        const i = 6 * this.used++;
        this.positions.set([a.x, a.y, a.z, b.x, b.y, b.z], i);
        this.colors.set([color.r, color.g, color.b, color.r, color.g, color.b], i);
    }

    end(): void {
        this.object.geometry.instanceCount = this.used;
        this.object.visible = this.used > 0;
        this.buffer("instanceStart").needsUpdate = true;
        this.buffer("instanceColorStart").needsUpdate = true;
    }

    resize(width: number, height: number): void {
        (this.object.material as LineMaterial).resolution.set(width, height);
    }
    setClipping(planes: THREE.Plane[]): void {
        this.object.material.clippingPlanes = planes;
        (this.object.material as LineMaterial).clipping = planes.length > 0;
        this.object.material.needsUpdate = true;
    }
}

/* Pixels by what a line means. */
const widths: Partial<Record<Role, number>> = {
    [Role.Body]: 5, [Role.Fixed]: 5, [Role.AxisX]: 2, [Role.AxisY]: 2, [Role.AxisZ]: 2,
    [Role.Limit]: 1.8, [Role.Value]: 2.6,
};
const OTHER_WIDTH = 2;

export interface Head { at: THREE.Vector3; along: THREE.Vector3; size: number; color: THREE.Color }

export class Lines {
    readonly group = new THREE.Group();
    readonly heads: Head[] = [];
    private bundles = new Map<number, Bundle>();

    constructor(private readonly hidden: Hidden) {}

    private bundle(role: Role): Bundle {
        const width = widths[role] ?? OTHER_WIDTH;
        let bundle = this.bundles.get(width);
        if (!bundle) {
            bundle = new Bundle(width, 1);
            this.bundles.set(width, bundle);
            this.group.add(bundle.object);
        }
        return bundle;
    }

    update(list: DrawList): void {
        this.heads.length = 0;
        for (const bundle of this.bundles.values())
            bundle.begin();
        const n = count(list);
        for (let i = 0; i < n; i++) {
            const p = new Primitive(list, i);
            if (p.kind <= Kind.Arc && !this.hidden.has(p))
                this.add(p);
        }
        for (const bundle of this.bundles.values())
            bundle.end();
    }

    /* Points of the lines of a list that stand for things, in the world. */
    ends(list: DrawList): THREE.Vector3[] {
        const points: THREE.Vector3[] = [], n = count(list);
        for (let i = 0; i < n; i++) {
            const p = new Primitive(list, i);
            if (p.kind <= Kind.Arc && [Role.Body, Role.Fixed, Role.Joint, Role.Ground, Role.Coupling].includes(p.role))
                points.push(...this.points(p));
        }
        return points;
    }

    private add(p: Primitive): void {
        const bundle = this.bundle(p.role);
        const color = new THREE.Color().setRGB(p.real(0), p.real(1), p.real(2), THREE.SRGBColorSpace);
        if (p.role === Role.Body || p.role === Role.Fixed)
            color.multiplyScalar(0.5); /* pastel surfaces, but lines must be seen on the ground */
        const points = this.points(p);
        for (let k = 1; k < points.length; k++)
            bundle.add(points[k - 1]!, points[k]!, color);
        if (p.closed && points.length > 2)
            bundle.add(points[points.length - 1]!, points[0]!, color);
        if (p.kind === Kind.Arrow) {
            const [tail, tip] = points as [THREE.Vector3, THREE.Vector3];
            const along = tip.clone().sub(tail);
            this.heads.push({ at: tip, along: along.clone().normalize(), size: 0.22 * along.length(),
                              color });
        }
    }

    /* In the world. */
    private points(p: Primitive): THREE.Vector3[] {
        const at = new THREE.Vector3(p.real(3), p.real(4), p.real(5));
        const turn = new THREE.Quaternion(p.real(7), p.real(8), p.real(9), p.real(6));
        const points: THREE.Vector3[] = [];
        if (p.kind === Kind.Arc) {
            const [from, to] = [p.real(13), p.real(14)], radius = p.size[0];
            const steps = Math.min(720, Math.max(2, Math.ceil(Math.abs(to - from) / ARC_STEP)));
            for (let k = 0; k <= steps; k++) {
                const angle = from + (to - from) * k / steps;
                points.push(new THREE.Vector3(radius * Math.cos(angle), radius * Math.sin(angle), 0));
            }
        } else {
            for (let k = 0; k < p.points; k++)
                points.push(p.point(k, new THREE.Vector3()));
        }
        for (const point of points)
            point.applyQuaternion(turn).add(at);
        return points;
    }

    resize(width: number, height: number): void {
        for (const bundle of this.bundles.values())
            bundle.resize(width, height);
    }
    setClipping(planes: THREE.Plane[]): void {
        for (const bundle of this.bundles.values())
            bundle.setClipping(planes);
    }
}
