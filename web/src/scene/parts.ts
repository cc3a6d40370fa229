/* parts.ts: the draw list's kinds and roles, and a geometry for each solid of it. */
import * as THREE from "three";
import type { DrawList } from "../engine.ts";

export const INTS = 12, REALS = 15;
export enum Kind { Line, Arrow, Polyline, Arc, Quad, Sphere, Ellipsoid, Cylinder, Capsule, Box, Prism,
                   Mesh, Label }
export enum Role { Body, Fixed, AxisX, AxisY, AxisZ, Joint, Surface, Limit, Value, Label,
                   Ground, Coupling }
export const DRAW = { bodies: 1, frames: 2, shapes: 4, limits: 8, values: 16, labels: 32, marks: 64,
                      couplings: 128, all: 255 };

/* One primitive of a list, read in place. */
export class Primitive {
    constructor(readonly list: DrawList, readonly index: number) {}
    private int(k: number): number { return this.list.ints[INTS * this.index + k]!; }
    real(k: number): number { return this.list.reals[REALS * this.index + k]!; }
    get kind(): Kind { return this.int(0); }
    get role(): Role { return this.int(1); }
    get body(): number { return this.int(2); }
    get joint(): number { return this.int(3); }
    get coordinate(): number { return this.int(5); }
    get closed(): boolean { return this.int(6) !== 0; }
    get first(): number { return this.int(7); }
    get points(): number { return this.int(8); }
    get firstTriangle(): number { return this.int(9); }
    get triangles(): number { return this.int(10); }
    get size(): [number, number, number] { return [this.real(10), this.real(11), this.real(12)]; }
    get text(): string {
        const at = this.int(11);
        if (at < 0)
            return "";
        return new TextDecoder().decode(this.list.text.subarray(at, this.list.text.indexOf(0, at)));
    }
    /* Point k in the primitive's frame. */
    point(k: number, out: THREE.Vector3): THREE.Vector3 {
        const p = this.list.points, i = 3 * (this.first + k);
        return out.set(p[i]!, p[i + 1]!, p[i + 2]!);
    }
}

export function count(list: DrawList): number { return list.ints.length / INTS; }

const SIDES = 32;

function prism(p: Primitive): THREE.BufferGeometry {
    const outline: THREE.Vector2[] = [], at = new THREE.Vector3();
    for (let k = 0; k < p.points; k++) {
        p.point(k, at);
        outline.push(new THREE.Vector2(at.x, at.y));
    }
    const height = p.size[2];
    const geometry = new THREE.ExtrudeGeometry(new THREE.Shape(outline),
                                               { depth: height, bevelEnabled: false });
    return geometry.translate(0, 0, -height / 2);
}

function mesh(p: Primitive): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(
        p.list.points.subarray(3 * p.first, 3 * (p.first + p.points))), 3));
    geometry.setIndex(Array.from(
        p.list.triangles.subarray(3 * p.firstTriangle, 3 * (p.firstTriangle + p.triangles))));
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    return flat;
}

const standard: Partial<Record<Kind, () => THREE.BufferGeometry>> = {
    [Kind.Quad]: () => new THREE.PlaneGeometry(1, 1),
    [Kind.Sphere]: () => new THREE.SphereGeometry(1, SIDES, SIDES / 2),
    [Kind.Ellipsoid]: () => new THREE.SphereGeometry(1, SIDES, SIDES / 2),
    [Kind.Cylinder]: () => new THREE.CylinderGeometry(1, 1, 1, SIDES).rotateX(Math.PI / 2),
    [Kind.Box]: () => new THREE.BoxGeometry(1, 1, 1),
};

/* How a geometry of unit size is stretched to a primitive's. */
export function scale(p: Primitive): [number, number, number] {
    const [x, y, z] = p.size;
    switch (p.kind) {
    case Kind.Quad: return [x, y, 1];
    case Kind.Sphere: return [x, x, x];
    case Kind.Ellipsoid: case Kind.Box: return [x, y, z];
    case Kind.Cylinder: return [x, x, z];
    default: return [1, 1, 1];
    }
}

export function geometry(p: Primitive): THREE.BufferGeometry {
    const unit = standard[p.kind];
    if (unit)
        return unit();
    if (p.kind === Kind.Capsule)
        return new THREE.CapsuleGeometry(p.size[0], p.size[2], 8, SIDES).rotateX(Math.PI / 2);
    return p.kind === Kind.Prism ? prism(p) : mesh(p);
}

export function isSolid(p: Primitive): boolean { return p.kind >= Kind.Quad && p.kind <= Kind.Mesh; }

/* What primitives with the same key share: a geometry. */
export function key(p: Primitive): string {
    if (standard[p.kind])
        return String(p.kind);
    if (p.kind === Kind.Capsule)
        return `${p.kind} ${p.size[0]} ${p.size[2]}`;
    let hash = 2166136261;
    const mix = (x: number) => { hash = Math.imul(hash ^ (x * 1e6 | 0), 16777619); };
    for (let i = 3 * p.first; i < 3 * (p.first + p.points); i++)
        mix(p.list.points[i]!);
    for (let i = 3 * p.firstTriangle; i < 3 * (p.firstTriangle + p.triangles); i++)
        mix(p.list.triangles[i]!);
    return `${p.kind} ${p.points} ${p.triangles} ${p.size[2]} ${hash}`;
}
