/* camera.ts: where one looks from: up, the first view, views along axes, perspective or parallel. */
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { DrawList, Model } from "../engine.ts";
import { Kind, Primitive, Role, count } from "./parts.ts";

export type View = "first" | "x" | "y" | "z" | "-x" | "-y" | "-z";
const FIELD = 32; /* degrees */
/* Of one press of a key: rad, shares of what is seen, times the distance; rad from what is up. */
const KEY_TURN = Math.PI / 36, KEY_SHIFT = 0.04, KEY_ZOOM = 1.12, KEY_POLE = 0.02;
const MARGIN = 1.2; /* of the picture about the mechanism, which will move */

export function isPlanar(model: Model): boolean {
    const moving = model.bodies.filter((body) => body.kind !== "fixed");
    if (model.planar !== 0 && moving.length === 0)
        return true;
    return moving.length > 0 && moving.every((body) => body.kind === "planar");
}

/* As the model has it; a flat mechanism is seen along z. */
export function upOf(model: Model): THREE.Vector3 {
    const up = isPlanar(model) && model.up === "z" ? "y" : model.up;
    return new THREE.Vector3(up === "x" ? 1 : 0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
}

/* The direction all shafts share, if they do: a flat mechanism is best seen along it. */
function shaftDirection(list: DrawList): THREE.Vector3 | null {
    let found: THREE.Vector3 | null = null, shafts = 0;
    for (let i = 0; i < count(list); i++) {
        const p = new Primitive(list, i);
        if (p.role !== Role.Joint || p.kind !== Kind.Cylinder)
            continue;
        const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(
            new THREE.Quaternion(p.real(7), p.real(8), p.real(9), p.real(6)));
        if (found && Math.abs(found.dot(axis)) < 0.995)
            return null;
        found = found ?? axis;
        shafts++;
    }
    return shafts > 1 ? found : null;
}

export class Viewpoint {
    camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = new THREE.PerspectiveCamera(FIELD);
    controls: OrbitControls;
    private up = new THREE.Vector3(0, 0, 1);
    private first = new THREE.Vector3(1, -1.4, 0.8);
    private points: THREE.Vector3[] = []; /* what must be in the picture */
    private aspect = 1;
    planar = false;
    private touched = false; /* the user has chosen where to look from */
    private down = false;    /* a button is held: the picture keeps still */
    private from = new THREE.Vector3(0, 0, 1);
    private readonly turnsAbout = new THREE.Vector3();

    /* here: what is there now, to look at. */
    constructor(private readonly element: HTMLElement, private readonly changed: () => void,
                private readonly here: () => THREE.Vector3[]) {
        this.controls = this.makeControls();
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("pointerdown", () => { this.down = true; });
        for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
            element.addEventListener(end, () => { this.down = false; });
    }

    /* Controls turn about what was up when they were made. */
    private renewControls(): void {
        if (this.turnsAbout.equals(this.camera.up))
            return;
        const { target, enableRotate } = this.controls;
        this.controls.dispose();
        this.controls = this.makeControls();
        this.controls.target.copy(target);
        this.controls.enableRotate = enableRotate;
    }

    private makeControls(): OrbitControls {
        this.turnsAbout.copy(this.camera.up);
        const controls = new OrbitControls(this.camera, this.element);
        controls.enableDamping = false;
        controls.screenSpacePanning = true;
        controls.addEventListener("change", this.changed);
        controls.addEventListener("start", () => { this.touched = true; });
        return controls;
    }

    /* Arrow keys turn the view (with shift, and where it does not turn, they shift it), page up and down
     * come nearer and go back. */
    private key(event: KeyboardEvent): void {
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        const farther = { PageUp: 1 / KEY_ZOOM, PageDown: KEY_ZOOM }[event.key];
        if (!way && !farther)
            return;
        event.preventDefault();
        this.touched = true;
        if (farther)
            this.zoom(farther);
        else if (event.shiftKey || !this.controls.enableRotate)
            this.shift(KEY_SHIFT * way![0]!, KEY_SHIFT * way![1]!);
        else
            this.turn(KEY_TURN * way![0]!, KEY_TURN * way![1]!);
        this.controls.update();
        this.changed();
    }

    private get offset(): THREE.Vector3 { return this.camera.position.clone().sub(this.controls.target); }

    private zoom(farther: number): void {
        if (this.camera instanceof THREE.OrthographicCamera) {
            this.camera.zoom /= farther;
            this.camera.updateProjectionMatrix();
        } else {
            const { offset } = this;
            this.camera.position.copy(this.controls.target).addScaledVector(offset, farther);
        }
    }
    /* right, top: shares of what is seen. */
    private shift(right: number, top: number): void {
        this.camera.updateMatrixWorld();
        const { camera } = this;
        const seen = camera instanceof THREE.OrthographicCamera ? this.tall / camera.zoom : this.offset.length();
        [right, top].forEach((share, k) => {
            const way = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k).multiplyScalar(share * seen);
            camera.position.add(way);
            this.controls.target.add(way);
        });
    }
    /* rad: round what is up, and above or below. */
    private turn(round: number, above: number): void {
        const { offset, camera: { up } } = this, polar = offset.angleTo(up);
        const to = Math.min(Math.max(polar - above, KEY_POLE), Math.PI - KEY_POLE);
        offset.applyAxisAngle(new THREE.Vector3().crossVectors(up, offset).normalize(), to - polar)
            .applyAxisAngle(up, round);
        this.camera.position.copy(this.controls.target).add(offset);
    }

    /* The first view of a model. */
    start(model: Model, list: DrawList, points: THREE.Vector3[]): void {
        this.planar = isPlanar(model);
        this.up = upOf(model);
        this.points = points;
        const z = this.up, toward = new THREE.Vector3(1, -1.35, 0);
        if (z.y === 1)
            toward.set(0.75, 0, 1.35);
        const along = shaftDirection(list);
        if (along && Math.abs(along.dot(z)) < 0.3) {
            along.addScaledVector(z, -along.dot(z)).normalize();
            const side = new THREE.Vector3().crossVectors(z, along);
            if (along.dot(toward) < 0)
                along.negate();
            if (side.dot(toward) < 0)
                side.negate();
            toward.copy(along).addScaledVector(side, 0.42);
        }
        this.first = toward.normalize().addScaledVector(z, along ? 0.3 : 0.5);
        if (this.planar)
            this.first.set(0, 0, 1);
        this.setParallel(this.planar);
        this.look("first");
    }

    setParallel(parallel: boolean): void {
        if (parallel === this.camera instanceof THREE.OrthographicCamera)
            return;
        const old = this.camera, target = this.controls.target.clone();
        this.controls.dispose();
        this.camera = parallel ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(FIELD);
        this.camera.position.copy(old.position);
        this.camera.up.copy(old.up);
        this.controls = this.makeControls();
        this.controls.target.copy(target);
        this.controls.enableRotate = !this.planar;
    }
    get parallel(): boolean { return this.camera instanceof THREE.OrthographicCamera; }

    look(view: View): void {
        const points = this.here();
        if (points.length > 0)
            this.points = points;
        const directions: Record<View, THREE.Vector3> = {
            first: this.first, x: new THREE.Vector3(1, 0, 0), "-x": new THREE.Vector3(-1, 0, 0),
            y: new THREE.Vector3(0, 1, 0), "-y": new THREE.Vector3(0, -1, 0),
            z: new THREE.Vector3(0, 0, 1), "-z": new THREE.Vector3(0, 0, -1),
        };
        const from = directions[view].clone().normalize();
        this.camera.up.copy(this.up);
        if (Math.abs(from.dot(this.up)) > 0.999)
            this.camera.up.set(0, this.up.y === 1 ? 0 : 1, this.up.y === 1 ? -1 : 0);
        this.renewControls();
        this.touched = false;
        this.from.copy(from);
        this.fit(from);
        const first = view === "first";
        this.controls.enableRotate = !(this.planar && first);
    }

    /* The view moves as a place does; null: it stays. */
    private tracked: THREE.Vector3 | null = null;
    track(place: THREE.Vector3 | null): void {
        if (place && this.tracked) {
            const way = place.clone().sub(this.tracked);
            this.camera.position.add(way);
            this.controls.target.add(way);
        }
        this.tracked = place?.clone() ?? null;
    }

    /* What has moved out of the picture comes into it again, unless the user looks from elsewhere. */
    hold = false; /* the view stays as it is */
    follow(points: THREE.Vector3[]): void {
        if (this.touched || this.down || this.hold || this.tracked)
            return;
        this.camera.updateMatrixWorld();
        const at = new THREE.Vector3();
        const out = points.filter((point) => {
            at.copy(point).project(this.camera);
            return !(Math.abs(at.x) <= 1 && Math.abs(at.y) <= 1);
        });
        if (out.length === 0 || !out.every((point) => Number.isFinite(point.lengthSq())))
            return;
        const box = new THREE.Box3().setFromPoints([...this.points, ...out]), { min, max } = box;
        this.points = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(
            k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
        this.fit(this.from);
    }

    /* Everything in the picture, seen from a direction: the nearest place on the line of sight through
     * the middle of the picture at which all points are within the angle of view. */
    private fit(from: THREE.Vector3): void {
        const right = new THREE.Vector3().crossVectors(this.camera.up, from).normalize();
        const top = new THREE.Vector3().crossVectors(from, right);
        const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
        for (const point of this.points)
            [right, top].forEach((axis, k) => {
                low[k] = Math.min(low[k]!, point.dot(axis));
                high[k] = Math.max(high[k]!, point.dot(axis));
            });
        const size = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, 1e-6);
        let depth = 0;
        const middle = new THREE.Vector3().addScaledVector(right, (low[0]! + high[0]!) / 2)
            .addScaledVector(top, (low[1]! + high[1]!) / 2);
        for (const point of this.points)
            depth += point.dot(from) / this.points.length;
        middle.addScaledVector(from, depth);
        const slope = Math.tan(FIELD * Math.PI / 360), at = new THREE.Vector3();
        let tall = 0.05 * size, far = 0.1 * size;
        for (const point of this.points) {
            at.copy(point).sub(middle);
            const reach = MARGIN * Math.max(Math.abs(at.dot(top)), Math.abs(at.dot(right)) / this.aspect);
            tall = Math.max(tall, reach);
            far = Math.max(far, reach / slope + at.dot(from));
        }
        this.controls.target.copy(middle);
        this.camera.position.copy(middle).addScaledVector(from, far);
        this.camera.near = far / 200;
        this.camera.far = far * 100;
        if (this.camera instanceof THREE.OrthographicCamera) {
            this.camera.zoom = 1;
            this.tall = tall;
        }
        this.resize(this.aspect);
        this.controls.update();
        this.changed();
    }
    private tall = 1;

    /* Another shape of the picture: everything is in it still, unless the user looks from elsewhere. */
    reshape(aspect: number): void {
        this.aspect = aspect;
        if (this.touched || this.tracked || this.points.length === 0)
            this.resize(aspect);
        else
            this.fit(this.from);
    }

    private resize(aspect: number): void {
        if (this.camera instanceof THREE.PerspectiveCamera) {
            this.camera.aspect = aspect;
        } else {
            this.camera.left = -this.tall * aspect;
            this.camera.right = this.tall * aspect;
            this.camera.top = this.tall;
            this.camera.bottom = -this.tall;
        }
        this.camera.updateProjectionMatrix();
    }
}
