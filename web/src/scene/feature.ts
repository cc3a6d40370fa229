/* feature.ts: what of a solid was pressed, as a place and a direction for a joint: the axis of a cylinder, the middle of its end,
 * the centre of a ball, the normal of a face.
 */
import * as THREE from "three";
import type { DrawList } from "../engine.ts";
import { Kind, Primitive } from "./parts.ts";

export interface Feature { body: number; at: THREE.Vector3; along: THREE.Vector3; what: string }

const ALONG = 0.99;   /* cosine: a face whose normal is that near to the axis is an end */
const CENTRAL = 0.15; /* of a face's sides: presses nearer to its middle mean that */

/* A press on a box's face: its middle, if that is near. */
function onBox(local: THREE.Vector3, size: [number, number, number], normal: THREE.Vector3): void {
    const across = [0, 1, 2].filter((k) => Math.abs(normal.getComponent(k)) < 0.5);
    if (across.every((k) => Math.abs(local.getComponent(k)) < CENTRAL * size[k]!))
        across.forEach((k) => local.setComponent(k, 0));
}

export function featureOf(hit: THREE.Intersection, index: number, body: number, list: DrawList): Feature {
    const p = new Primitive(list, index), place = new THREE.Vector3(p.real(3), p.real(4), p.real(5));
    const turn = new THREE.Quaternion(p.real(7), p.real(8), p.real(9), p.real(6)), back = turn.clone().invert();
    const local = hit.point.clone().sub(place).applyQuaternion(back);
    /* the normal of the stretched face: that of the unit form, over its stretches */
    const matrix = new THREE.Matrix4();
    (hit.object as THREE.InstancedMesh).getMatrixAt(hit.instanceId!, matrix);
    const normal = hit.face!.normal.clone().applyNormalMatrix(new THREE.Matrix3().getNormalMatrix(matrix)).normalize();
    const inner = normal.clone().applyQuaternion(back), axis = new THREE.Vector3(0, 0, 1).applyQuaternion(turn);
    const world = (at: THREE.Vector3) => at.applyQuaternion(turn).add(place);
    if (p.kind === Kind.Sphere || p.kind === Kind.Ellipsoid)
        return { body, at: place, along: axis, what: "centre" };
    if (p.kind === Kind.Cylinder && Math.abs(inner.z) > ALONG)
        return { body, at: world(new THREE.Vector3(0, 0, Math.sign(inner.z) * p.size[2] / 2)), along: axis, what: "end" };
    if (p.kind === Kind.Cylinder || p.kind === Kind.Capsule)
        return { body, at: world(new THREE.Vector3(0, 0, local.z)), along: axis, what: "axis" };
    if (p.kind === Kind.Box)
        onBox(local, p.size, inner);
    return { body, at: world(local), along: normal, what: "face" };
}
