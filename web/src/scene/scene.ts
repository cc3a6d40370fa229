/* scene.ts: the picture: renderer, light, ground, and what the draw list says. */
import * as THREE from "three";
import type { Model } from "../engine.ts";
import type { Frame } from "../timeline.ts";
import { Forces, Heads, PULL, PUSH, ROW, SPEED, Traces, TWIST } from "./arrows.ts";
import { Viewpoint, isPlanar, upOf } from "./camera.ts";
import { Curves } from "./curves.ts";
import type { Feature } from "./feature.ts";
import { Hidden } from "./hidden.ts";
import { Labels } from "./labels.ts";
import { Lines } from "./lines.ts";
import { Quality, makeRenderer } from "./quality.ts";
import type { Picked } from "./solids.ts";
import { Solids } from "./solids.ts";
import { Spots } from "./spots.ts";

export interface Look {
    labels: boolean; traces: boolean; centres: boolean; ground: boolean; edges: boolean;
}

const GROUND_BELOW = 0.08; /* of the size: how far below all that is there */
/* ms between two looks whether something has left the picture. */
const FOLLOWED = 200;

export class Scene {
    readonly canvas: HTMLCanvasElement;
    readonly hidden = new Hidden();
    readonly labels = new Labels(this.hidden);
    readonly spots = new Spots(() => this.invalidate());
    readonly curves = new Curves(() => this.invalidate());
    readonly choices = new Spots(() => this.invalidate()); /* that can be clicked */
    readonly view: Viewpoint;
    readonly forces = new Forces();
    readonly loads = new Forces(PUSH, TWIST);
    readonly row = new Forces(ROW, ROW);
    readonly vectors = new Forces(SPEED, PULL); /* velocities and accelerations of markers */
    readonly solids = new Solids(this.hidden);
    readonly look: Look = { labels: false, traces: true, centres: false, ground: true, edges: true };
    private readonly renderer: THREE.WebGLRenderer;
    private readonly quality: Quality;
    private readonly scene = new THREE.Scene();
    private readonly lines = new Lines(this.hidden);
    private readonly heads = new Heads();
    readonly traces = new Traces();
    private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
    private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8d99a8, 2.2);
    private ground: THREE.Object3D | null = null;
    private floor: THREE.Object3D | null = null; /* of the ground: what shadows fall on */
    private model: Model | null = null;
    private drawn = false; /* something was shown of this model */
    private dirty = true;
    private dark = false;
    private size = 1;
    readonly timings: number[] = []; /* ms of script of the last pictures */
    private pull: { from: THREE.Vector3; to: THREE.Vector3 } | null = null;

    constructor(private readonly host: HTMLElement) {
        const { renderer, software } = makeRenderer();
        this.renderer = renderer;
        this.canvas = renderer.domElement;
        this.quality = new Quality(renderer, this.sun, software);
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.localClippingEnabled = true;
        this.sun.shadow.mapSize.set(1024, 1024);
        this.sun.shadow.bias = -0.0006;
        this.sun.shadow.normalBias = 0.01;
        this.scene.add(this.sun, this.sun.target, this.sky, this.solids.group, this.lines.group,
                       this.heads.mesh, this.forces.group, this.loads.group, this.row.group,
                       this.vectors.group, this.traces.bundle.object, this.curves.bundle.object);
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute("role", "img");
        host.append(this.canvas, this.labels.layer, this.spots.layer, this.choices.layer);
        this.view = new Viewpoint(this.canvas, () => { this.dirty = true; }, () => this.points());
        new ResizeObserver(() => this.resize()).observe(host);
        this.setDark(false);
    }

    private resize(): void {
        this.dirty = true;
        const { clientWidth: width, clientHeight: height } = this.host;
        if (width === 0 || height === 0)
            return;
        this.renderer.setSize(width, height, false);
        this.view.reshape(width / height);
        this.lines.resize(width, height);
        this.forces.bundle.resize(width, height);
        this.loads.bundle.resize(width, height);
        this.row.bundle.resize(width, height);
        this.vectors.bundle.resize(width, height);
        this.traces.bundle.resize(width, height);
        this.curves.bundle.resize(width, height);
        this.draw(true); /* at once: a canvas of new size is empty */
    }

    setDark(dark: boolean): void {
        this.dark = dark;
        this.scene.background = new THREE.Color(dark ? 0x171b21 : 0xf1f4f8);
        this.sky.groundColor.set(dark ? 0x394452 : 0x8d99a8);
        this.makeGround();
        this.dirty = true;
    }

    /* A new model: its first frame comes next. */
    setModel(model: Model, keepView = false): void {
        this.model = model;
        this.drawn = this.drawn && keepView;
        this.forces.reset();
        this.loads.reset();
        this.vectors.reset();
        this.traces.clear();
        this.spots.set([]);
        this.choices.set([]);
        this.curves.set([]);
        this.hidden.follow(model);
    }

    /* A grid of round squares under (or behind) the mechanism, with its shadow. */
    private makeGround(): void {
        if (this.ground)
            this.scene.remove(this.ground);
        this.ground = this.floor = null;
        if (!this.model || !this.drawn || !this.look.ground)
            return;
        const box = this.bounds;
        const planar = isPlanar(this.model);
        const up = planar ? new THREE.Vector3(0, 0, 1) : upOf(this.model);
        const extent = 6 * this.size, cell = 10 ** Math.round(Math.log10(this.size / 5));
        const lines = Math.min(120, 2 * Math.ceil(extent / cell / 2));
        const [major, minor] = this.dark ? [0x333c48, 0x262d36] : [0xc9d2dc, 0xdfe5ec];
        const group = new THREE.Group();
        const grid = new THREE.GridHelper(lines * cell, lines, major, minor);
        const floor = new THREE.Mesh(new THREE.PlaneGeometry(lines * cell, lines * cell),
                                     new THREE.ShadowMaterial({ opacity: this.dark ? 0.42 : 0.2 }));
        floor.rotateX(-Math.PI / 2);
        floor.receiveShadow = true;
        floor.raycast = () => {};
        grid.position.y = -0.002 * this.size;
        group.add(grid);
        if (!planar)
            group.add(this.floor = floor);
        group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
        const middle = box.getCenter(new THREE.Vector3());
        const low = Math.min(box.min.dot(up), box.max.dot(up)) - GROUND_BELOW * this.size;
        group.position.copy(middle).addScaledVector(up, low - middle.dot(up));
        this.ground = group;
        this.scene.add(group);
    }

    /* Nothing is below the ground: what swings under it takes it down. */
    private sink(points: THREE.Vector3[]): void {
        if (!this.ground || isPlanar(this.model!))
            return;
        const up = upOf(this.model!), lowest = points.reduce((low, point) => Math.min(low, point.dot(up)), Infinity);
        const below = this.ground.position.dot(up) - lowest;
        if (below > 0 && Number.isFinite(below))
            this.ground.position.addScaledVector(up, -below - GROUND_BELOW * this.size);
    }

    private bounds = new THREE.Box3(); /* of the first picture */
    private followed = 0; /* ms */
    private shown: Frame | null = null;

    private least = 0; /* m about the origin that are seen, whatever is there */
    setLeast(least: number): void { this.least = least; }

    /* What must be seen. */
    private points(): THREE.Vector3[] {
        if (!this.shown)
            return [];
        const points = [...this.solids.corners(), ...this.lines.ends(this.shown.list)];
        if (this.least > 0)
            points.push(new THREE.Vector3(-this.least, -this.least, 0), new THREE.Vector3(this.least, this.least, 0));
        return points.length > 0 ? points : [new THREE.Vector3()];
    }

    /* The first picture of a model: camera, light and ground fit what there is. */
    private start(frame: Frame): void {
        const model = this.model!;
        this.shown = frame;
        const points = this.points();
        const box = new THREE.Box3().setFromPoints(points), at = new THREE.Vector3();
        this.bounds.copy(box);
        this.size = Math.max(box.getSize(at).length(), 1e-6);
        this.solids.setMiddle(box.getCenter(new THREE.Vector3()));
        const up = upOf(model), planar = isPlanar(model);
        this.drawn = true;
        this.view.start(model, frame.list, points);
        const middle = box.getCenter(new THREE.Vector3()), reach = 0.75 * this.size;
        const toward = this.view.camera.position.clone().sub(middle).normalize();
        const side = new THREE.Vector3().crossVectors(up, toward).normalize();
        const from = planar ? new THREE.Vector3(-0.4, 0.7, 1)
            : up.clone().multiplyScalar(1.5).addScaledVector(toward, 0.9).addScaledVector(side, -0.6);
        this.sun.position.copy(middle).addScaledVector(from.normalize(), 2.2 * this.size);
        this.sun.target.position.copy(middle);
        this.sky.position.copy(up);
        Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach,
                                                near: 0.1 * this.size, far: 5 * this.size });
        this.sun.shadow.camera.updateProjectionMatrix();
        this.sun.shadow.normalBias = 0.004 * this.size;
        this.makeGround();
    }

    /* Shows a frame; false: it must be asked for whole. */
    show(frame: Frame, whole: boolean): boolean {
        const start = performance.now();
        if (!this.drawn && !whole)
            return false;
        if (!this.solids.update(frame.list, whole))
            return false;
        this.lines.update(frame.list);
        this.shown = frame;
        this.heads.update(this.lines.heads);
        this.labels.update(frame, this.look.labels);
        if (!this.drawn)
            this.start(frame);
        this.view.track(frame.tracked ? new THREE.Vector3(...frame.tracked) : null);
        this.forces.update(frame.wrenches, 0.28 * this.size);
        this.loads.update(frame.loads, 0.22 * this.size);
        this.row.update(frame.row, 0.3 * this.size);
        this.vectors.update(frame.vectors, 0.2 * this.size);
        if (whole || start - this.followed > FOLLOWED) {
            this.followed = start;
            const points = this.points();
            this.view.follow(points);
            this.sink(points);
        }
        this.traces.take(frame.trail, frame.markers);
        this.traces.draw(this.look.traces);
        this.dirty = true;
        this.timings.push(performance.now() - start);
        if (this.timings.length > 240)
            this.timings.shift();
        return true;
    }

    /* What lies behind the picture, and is no part of the model. */
    addBehind(object: THREE.Object3D): void { this.scene.add(object); }
    refreshGround(): void { this.makeGround(); this.dirty = true; }
    invalidate(): void { this.dirty = true; }

    setSection(normal: THREE.Vector3 | null, share: number): void {
        const planes: THREE.Plane[] = [];
        if (normal) {
            const box = this.solids.box();
            const low = box.min.dot(normal), high = box.max.dot(normal);
            planes.push(new THREE.Plane(normal.clone().negate(), low + share * (high - low)));
        }
        this.solids.setClipping(planes);
        this.lines.setClipping(planes);
        this.dirty = true;
    }

    /* The spring of a drag. */
    setPull(from: THREE.Vector3 | null, to: THREE.Vector3 | null): void {
        this.pull = from && to ? { from, to } : null;
        this.dirty = true;
    }
    private readonly pullLine = new THREE.Line(new THREE.BufferGeometry(),
                                               new THREE.LineDashedMaterial({ color: 0xe8590c,
                                                                              dashSize: 1, gapSize: 0.6 }));
    private drawPull(): void {
        this.scene.remove(this.pullLine);
        if (!this.pull)
            return;
        this.pullLine.geometry.setFromPoints([this.pull.from, this.pull.to]);
        this.pullLine.computeLineDistances();
        this.scene.add(this.pullLine);
    }

    /* Called as often as the screen shows pictures. */
    render(): void {
        if (this.filming)
            return;
        const wanted = this.quality.look(performance.now(), this.dirty);
        if (wanted !== "none")
            this.draw(wanted === "still");
    }

    /* The picture as fine as a still one is. */
    draw(fine: boolean): void {
        this.dirty = false;
        if (this.quality.apply(fine))
            this.renderer.setSize(this.host.clientWidth, this.host.clientHeight, false);
        if (this.floor)
            this.floor.visible = this.sun.castShadow;
        this.drawPull();
        this.renderer.render(this.scene, this.view.camera);
        for (const layer of [this.labels, this.spots, this.choices])
            layer.place(this.view.camera, this.host.clientWidth, this.host.clientHeight);
    }

    ray(x: number, y: number): THREE.Raycaster {
        const { left, top, width, height } = this.canvas.getBoundingClientRect();
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2(2 * (x - left) / width - 1, 1 - 2 * (y - top) / height),
                          this.view.camera);
        return ray;
    }
    pick(x: number, y: number): Picked | null { return this.solids.pick(this.ray(x, y)); }

    /* What is under the pointer, as a place and a direction for a joint. */
    feature(x: number, y: number): Feature | null { return this.shown ? this.solids.feature(this.ray(x, y), this.shown.list) : null; }

    /* Of a mechanism in the plane: the bodies that cover a place, the uppermost first. */
    bodiesOver(x: number, y: number): number[] {
        const ray = new THREE.Raycaster(), at = new THREE.Vector3(x, y, 0).project(this.view.camera);
        ray.setFromCamera(new THREE.Vector2(at.x, at.y), this.view.camera);
        return this.solids.bodiesAt(ray);
    }

    /* Where a ray meets the plane through a point that faces the viewer. */
    facing(x: number, y: number, through: THREE.Vector3): THREE.Vector3 | null {
        const normal = this.view.camera.getWorldDirection(new THREE.Vector3());
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, through);
        return this.ray(x, y).ray.intersectPlane(plane, new THREE.Vector3());
    }

    /* The picture as it is, in pixels of the screen times scale. */
    async png(scale = 2): Promise<Blob> {
        this.draw(true);
        this.renderer.setPixelRatio(scale);
        this.renderer.setSize(this.host.clientWidth, this.host.clientHeight, false);
        this.renderer.render(this.scene, this.view.camera);
        const blob = await new Promise<Blob | null>((done) => this.canvas.toBlob(done, "image/png"));
        this.draw(true);
        return blob!;
    }
    /* Pictures in a size of their own, onto a canvas; until endPaint none is drawn for the screen. */
    private filming = false;
    paint(target: CanvasRenderingContext2D): void {
        const { width, height } = target.canvas;
        this.filming = true;
        this.quality.apply(true);
        this.renderer.setPixelRatio(1);
        this.renderer.setSize(width, height, false);
        this.view.reshape(width / height);
        this.renderer.render(this.scene, this.view.camera);
        target.drawImage(this.canvas, 0, 0, width, height);
    }
    endPaint(): void {
        this.filming = false;
        this.resize();
    }
    modelSize(): number { return this.size; }
}
