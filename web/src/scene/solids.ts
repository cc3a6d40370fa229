/* solids.ts: everything with a surface, one instanced mesh for all of the same form.
 *
 * The list's structure (which primitives there are) is built once; each frame only sets matrices.
 */
import * as THREE from "three";
import type { DrawList } from "../engine.ts";
import type { Hidden } from "./hidden.ts";
import { featureOf } from "./feature.ts";
import type { Feature } from "./feature.ts";
import { Primitive, Role, count, geometry, isSolid, key, scale } from "./parts.ts";

const EDGE_ANGLE = 28; /* degrees: flatter edges are not drawn */

/* Faces of two bodies in one place: those of the later body are in front, by millionths of the depth
 * that is seen for each of so many layers. */
const AWAY = 1e-9; /* m: size of what is hidden, neither seen nor hit */
const LAYER = 3e-6, LAYERS = 8;

const edgeVertex = `
attribute mat4 place;
attribute vec3 tint;
attribute float layer;
varying vec3 vTint;
#include <clipping_planes_pars_vertex>
void main() {
    vTint = tint;
    vec4 mvPosition = modelViewMatrix * place * vec4(position, 1.0);
    gl_Position = projectionMatrix * mvPosition;
    gl_Position.z -= layer * gl_Position.w;
    #include <clipping_planes_vertex>
}`;

function inLayers(material: THREE.Material): void {
    material.onBeforeCompile = (shader) => {
        shader.vertexShader = "attribute float layer;\n" + shader.vertexShader.replace("#include <project_vertex>",
            "#include <project_vertex>\ngl_Position.z -= layer * gl_Position.w;");
    };
}
const edgeFragment = `
varying vec3 vTint;
uniform float opacity;
#include <clipping_planes_pars_fragment>
void main() {
    #include <clipping_planes_fragment>
    gl_FragColor = vec4(vTint, opacity);
}`;

type Style = "body" | "fixed" | "joint" | "surface";
const styles: Partial<Record<Role, Style>> = {
    [Role.Body]: "body", [Role.Fixed]: "fixed", [Role.Joint]: "joint", [Role.Surface]: "surface",
};

interface Batch {
    mesh: THREE.InstancedMesh;
    edges: THREE.LineSegments | null;
    place: THREE.InstancedBufferAttribute | null;
    items: number[]; /* indices in the list */
    style: Style;
}

export interface Picked { body: number; joint: number; point: THREE.Vector3 }

export class Solids {
    readonly group = new THREE.Group();
    private batches: Batch[] = [];
    private signature = "";
    private materials: Record<Style, THREE.MeshStandardMaterial>;
    private edgeMaterial: THREE.ShaderMaterial;
    private owners: Int32Array = new Int32Array(0); /* [primitives][2]: body, joint */
    private highlighted = new Set<string>();
    bodyOpacity = 1;
    explode = 0; /* how far bodies stand apart, as a share of their distance from the middle */
    private middle = new THREE.Vector3();

    constructor(private readonly hidden: Hidden) {
        const make = (roughness: number, more = {}) =>
            new THREE.MeshStandardMaterial({ roughness, metalness: 0.05, polygonOffset: true,
                                             polygonOffsetFactor: 1, polygonOffsetUnits: 1, ...more });
        this.materials = {
            body: make(0.62), fixed: make(0.8), joint: make(0.38, { metalness: 0.2 }),
            surface: make(0.7, { transparent: true, opacity: 0.32, side: THREE.DoubleSide,
                                 depthWrite: false }),
        };
        Object.values(this.materials).forEach(inLayers);
        this.edgeMaterial = new THREE.ShaderMaterial({
            vertexShader: edgeVertex, fragmentShader: edgeFragment, transparent: true,
            uniforms: { opacity: { value: 0.75 } }, clipping: true,
        });
    }

    private clear(): void {
        for (const batch of this.batches) {
            batch.mesh.geometry.dispose();
            batch.mesh.dispose();
            batch.edges?.geometry.dispose();
        }
        this.group.clear();
        this.batches = [];
    }

    /* What must stay for matrices alone to do. */
    private static sign(list: DrawList): string {
        let text = "";
        const n = count(list);
        for (let i = 0; i < n; i++) {
            const p = new Primitive(list, i);
            if (isSolid(p))
                text += `${i}:${p.kind},${p.role};`;
        }
        return text;
    }

    /* Answers false when the structure has changed and the list is not whole. */
    update(list: DrawList, whole: boolean): boolean {
        const signature = Solids.sign(list);
        if (signature !== this.signature || whole) {
            if (!whole)
                return false;
            this.build(list);
            this.signature = signature;
        }
        this.place(list);
        return true;
    }

    private build(list: DrawList): void {
        this.clear();
        const groups = new Map<string, number[]>();
        const n = count(list);
        this.owners = new Int32Array(2 * n);
        for (let i = 0; i < n; i++) {
            const p = new Primitive(list, i);
            this.owners.set([p.body, p.joint], 2 * i);
            const style = styles[p.role];
            if (!isSolid(p) || !style)
                continue;
            const name = `${style} ${key(p)}`;
            if (!groups.has(name))
                groups.set(name, []);
            groups.get(name)!.push(i);
        }
        for (const [name, items] of groups)
            this.addBatch(list, name.split(" ")[0] as Style, items);
    }

    private addBatch(list: DrawList, style: Style, items: number[]): void {
        const form = geometry(new Primitive(list, items[0]!));
        const layers = new THREE.InstancedBufferAttribute(Float32Array.from(items, (index) =>
            LAYER * ((this.owners[2 * index]! + 1) % LAYERS)), 1);
        form.setAttribute("layer", layers);
        const mesh = new THREE.InstancedMesh(form, this.materials[style], items.length);
        mesh.frustumCulled = false;
        mesh.castShadow = style !== "surface";
        mesh.receiveShadow = style !== "surface";
        mesh.renderOrder = style === "surface" ? 2 : 0;
        const batch: Batch = { mesh, edges: null, place: null, items, style };
        if (style !== "surface")
            this.addEdges(batch, form);
        mesh.userData.batch = batch;
        this.batches.push(batch);
        this.group.add(mesh);
    }

    private addEdges(batch: Batch, form: THREE.BufferGeometry): void {
        const edges = new THREE.EdgesGeometry(form, EDGE_ANGLE);
        if (edges.getAttribute("position").count === 0)
            return;
        const geometry = new THREE.InstancedBufferGeometry();
        geometry.setAttribute("position", edges.getAttribute("position"));
        batch.place = new THREE.InstancedBufferAttribute(batch.mesh.instanceMatrix.array, 16);
        batch.place.setUsage(THREE.DynamicDrawUsage);
        geometry.setAttribute("place", batch.place);
        geometry.setAttribute("layer", form.getAttribute("layer"));
        geometry.setAttribute("tint", new THREE.InstancedBufferAttribute(
            new Float32Array(3 * batch.items.length), 3));
        geometry.instanceCount = batch.items.length;
        batch.edges = new THREE.LineSegments(geometry, this.edgeMaterial);
        batch.edges.frustumCulled = false;
        batch.edges.raycast = () => {};
        this.group.add(batch.edges);
    }

    private place(list: DrawList): void {
        const matrix = new THREE.Matrix4(), p = new THREE.Vector3(), q = new THREE.Quaternion();
        const s = new THREE.Vector3(), color = new THREE.Color();
        for (const batch of this.batches) {
            batch.items.forEach((index, k) => {
                const one = new Primitive(list, index);
                p.set(one.real(3), one.real(4), one.real(5));
                if (this.explode > 0 && one.body >= 0)
                    p.addScaledVector(s.copy(p).sub(this.middle), this.explode);
                q.set(one.real(7), one.real(8), one.real(9), one.real(6));
                s.set(...scale(one));
                if (this.hidden.has(one))
                    s.setScalar(AWAY);
                batch.mesh.setMatrixAt(k, matrix.compose(p, q, s));
                this.tint(one, batch, k, color);
            });
            batch.mesh.instanceMatrix.needsUpdate = true;
            batch.mesh.instanceColor!.needsUpdate = true;
            batch.mesh.boundingSphere = null;
            if (batch.edges) {
                batch.place!.needsUpdate = true;
                batch.edges.geometry.getAttribute("tint").needsUpdate = true;
            }
        }
    }

    private tint(one: Primitive, batch: Batch, k: number, color: THREE.Color): void {
        color.setRGB(one.real(0), one.real(1), one.real(2), THREE.SRGBColorSpace);
        if (batch.style === "body") { /* stronger than on white paper */
            const hsl = color.getHSL({ h: 0, s: 0, l: 0 });
            color.setHSL(hsl.h, Math.min(1, hsl.s * 1.25 + 0.06), hsl.l * 0.78);
        }
        const lit = this.highlighted.has(one.body >= 0 ? `b${one.body}` : `j${one.joint}`);
        if (lit)
            color.setRGB(1, 0.78, 0.2);
        batch.mesh.setColorAt(k, color);
        const edge = lit ? 0.75 : 0.34;
        (batch.edges?.geometry.getAttribute("tint") as THREE.BufferAttribute | undefined)
            ?.setXYZ(k, color.r * edge, color.g * edge, color.b * edge);
    }

    highlight(bodies: number[], joints: number[]): void {
        this.highlighted = new Set([...bodies.map((b) => `b${b}`), ...joints.map((j) => `j${j}`)]);
    }

    setOpacity(opacity: number): void {
        this.bodyOpacity = opacity;
        for (const style of ["body", "fixed"] as const) {
            const material = this.materials[style];
            material.transparent = opacity < 1;
            material.opacity = opacity;
            material.depthWrite = opacity > 0.6;
            material.needsUpdate = true;
        }
    }

    setClipping(planes: THREE.Plane[]): void {
        for (const material of [...Object.values(this.materials), this.edgeMaterial]) {
            material.clippingPlanes = planes;
            material.side = planes.length > 0 || material === this.materials.surface
                ? THREE.DoubleSide : THREE.FrontSide;
            material.needsUpdate = true;
        }
    }

    setMiddle(at: THREE.Vector3): void { this.middle.copy(at); }

    /* Corners of all that is there (but for surfaces, which have no end). */
    corners(): THREE.Vector3[] {
        const corners: THREE.Vector3[] = [], matrix = new THREE.Matrix4();
        for (const { mesh, style } of this.batches) {
            if (style === "surface")
                continue;
            mesh.geometry.computeBoundingBox();
            const { min, max } = mesh.geometry.boundingBox!;
            for (let k = 0; k < mesh.count; k++) {
                mesh.getMatrixAt(k, matrix);
                for (let c = 0; c < 8; c++)
                    corners.push(new THREE.Vector3(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y,
                                                   c & 4 ? max.z : min.z).applyMatrix4(matrix));
            }
        }
        return corners;
    }
    box(): THREE.Box3 { return new THREE.Box3().setFromPoints(this.corners()); }

    pick(ray: THREE.Raycaster): Picked | null {
        const hits = ray.intersectObjects(this.batches.map((batch) => batch.mesh), false);
        for (const hit of hits) {
            const batch = hit.object.userData.batch as Batch;
            if (batch.style === "surface" || hit.instanceId === undefined)
                continue;
            const index = batch.items[hit.instanceId]!;
            return { body: this.owners[2 * index]!, joint: this.owners[2 * index + 1]!,
                     point: hit.point };
        }
        return null;
    }

    /* What a ray meets first of a body, as a place and a direction for a joint. */
    feature(ray: THREE.Raycaster, list: DrawList): Feature | null {
        for (const hit of ray.intersectObjects(this.batches.map((batch) => batch.mesh), false)) {
            const batch = hit.object.userData.batch as Batch, index = batch.items[hit.instanceId ?? -1];
            if (batch.style !== "surface" && index !== undefined && hit.face && this.owners[2 * index]! >= 0)
                return featureOf(hit, index, this.owners[2 * index]!, list);
        }
        return null;
    }

    /* All bodies along a ray, the nearest first. */
    bodiesAt(ray: THREE.Raycaster): number[] {
        const hits = ray.intersectObjects(this.batches.map((batch) => batch.mesh), false);
        return [...new Set(hits.flatMap((hit) => {
            const batch = hit.object.userData.batch as Batch;
            return batch.style === "surface" || hit.instanceId === undefined ? []
                : [this.owners[2 * batch.items[hit.instanceId]!]!];
        }))].filter((body) => body >= 0);
    }

    meshes(): THREE.InstancedMesh[] { return this.batches.map((batch) => batch.mesh); }
}
