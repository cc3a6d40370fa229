/* session.ts: what the worker does for the page: one model, read and changed, with its undo list; its time is in timeline.ts.
 *
 * Every public method is a request the page may make (client.ts); results are plain data.
 */
import { Engine } from "./engine.ts";
import type { Analysis, Converted, CoordinateAnswer, JointSettings, Model, Problem } from "./engine.ts";
import { ownUnit } from "./display.ts";
import type { Survey } from "./drawing/sketch.ts";
import { reached } from "./drawing/reached.ts";
import type { LoopState } from "./loops.ts";
import { loopStateOf, matricesOf } from "./moment.ts";
import type { Matrices } from "./moment.ts";
import { nullSpace } from "./nullspace.ts";
import { History } from "./history.ts";
import { marksOf } from "./marks.ts";
import type { Mark } from "./marks.ts";
import { turnsOf } from "./numbers.ts";
import type { Turn } from "./numbers.ts";
import { Replay } from "./recording.ts";
import { unpacked } from "./pagefile.ts";
import type { Recording } from "./recording.ts";
import { Run, posesAlong } from "./sweep.ts";
import type { Outcome, Pose } from "./sweep.ts";
import { setAgain, standsAlike } from "./settings.ts";
import type { Snapshot, Source, World } from "./undo.ts";
import { Timeline } from "./timeline.ts";
import type { Wanted, Frame } from "./timeline.ts";
import { Ways } from "./ways.ts";

const MOST_MARKED = 1000; /* velocities of a mechanism whose coordinates have marks */
const MOST_FOLLOWERS = 8; /* coordinates whose turning points are marked on another's slider */
const STAYS = 1e-8; /* shares of its size by which a number that did not move is off after a search */
const MOST_VELOCITIES = 150; /* of models whose ways to move are told by name while they are drawn */
const SKETCHED = 1 | 4 | 64 | 128; /* TN_DRAW_...: bodies, shapes of joints, marks, couplings */

export interface Loaded {
    ok: boolean; failure: string; problems: Problem[]; model: Model | null;
}
/* Of which kind is a change that makes the model anew? "": of none, it is another model. */
export type Again = "" | "parameters" | "text";

export class Session extends Timeline {
    private module!: WebAssembly.Module;
    private source: Source = { text: "", name: "", settings: [] };
    private own: [string, Uint8Array][] = []; /* files that the page came with */
    private files = new Map<string, Uint8Array>(); /* of the model: those, and what was brought */
    private initial: JointSettings[] = [];

    /* engine: packed as in the page. */
    async init(engine: string, files: [string, Uint8Array][]): Promise<void> {
        this.module = await WebAssembly.compile(await unpacked(engine));
        this.own = files;
        this.bringFiles([]);
        await this.restart();
    }

    /* A fresh module: memory of a big model is given back. */
    private async restart(): Promise<void> { this.engine = await this.another(); }
    private async another(files: Iterable<[string, Uint8Array]> = this.files): Promise<Engine> {
        const other = await Engine.create(this.module);
        other.system.loose = true;
        for (const [name, bytes] of files)
            other.system.files.set(name, bytes);
        return other;
    }

    /* The files of another document, in place of those that were brought before. */
    bringFiles(files: [string, Uint8Array][]): void { this.files = new Map([...this.own, ...files]); }
    broughtFiles(): [string, Uint8Array][] {
        const own = new Map(this.own);
        return [...this.files].filter(([name, bytes]) => own.get(name) !== bytes);
    }
    /* A model in XML as one of Tenon; the meshes of it are brought. text null: it cannot be read. */
    async convert(text: string, name: string, files: [string, Uint8Array][] | null, settings: [string, string][] = []): Promise<Converted> {
        const other = await this.another(files ? [...this.own, ...files] : this.files);
        other.system.loose = false; /* the importer looks for meshes itself */
        const found = other.convert(text, name, settings);
        if (found.text !== null)
            this.bringFiles(Object.entries(found.meshes).map(([one, path]): [string, Uint8Array] => [one, other.system.file(path)!]));
        return found;
    }

    /* Undo brings the model of before back, if this is one again. With other values of parameters what
     * was set of joints is set again; in another text it stands as it is written. */
    async load(text: string, name: string, settings: [string, string][] = [],
               recording: Recording | null = null, again: Again = ""): Promise<Loaded> {
        const before = again !== "" && this.model && !this.replay ? this.world() : null;
        await this.restart();
        const result = await this.read(text, name, settings);
        if (!result.ok && before) {
            this.adopt(before);
            return { ...result, model: null };
        }
        this.take({ text, name, settings }, result.ok);
        if (before)
            this.changes.follow(before, again);
        else
            this.changes.clear();
        if (before && again === "parameters")
            this.setAgain(before);
        if (this.model && recording)
            this.play(recording);
        else if (this.model)
            this.refresh();
        return { ...result, model: this.model };
    }

    /* What the engine has read is the model, at its start. */
    private take(source: Source, ok = true): void {
        this.source = source;
        this.failure = "";
        this.replay = null;
        this.ways = null;
        this.model = ok ? this.engine.describe() : null;
        this.history = new History();
        this.initial = this.model ? this.engine.settings() : [];
    }

    private async read(text: string, name: string, settings: [string, string][]):
        Promise<{ ok: boolean; failure: string; problems: Problem[] }> {
        try {
            return this.engine.load(text, name, settings);
        } catch (error) {
            await this.restart();
            return { ok: false, failure: String(error), problems: [] };
        }
    }

    private world(): World {
        return { engine: this.engine, model: this.model!, source: this.source, initial: this.initial,
                 history: this.history };
    }
    private adopt(world: World): void {
        Object.assign(this, world);
        this.failure = "";
        this.ways = null;
    }

    /* Joints stand as they were set in the model of before. */
    private setAgain(before: World): void {
        const names = (model: Model) => [...model.joints, ...model.couplings].map((one) => one.name);
        const old = names(before.model), now = before.engine.settings();
        const set = new Map(old.map((name, j) => [name, j]));
        names(this.model!).forEach((name, j) => {
            const k = set.get(name);
            if (k !== undefined && now[k]!.coordinates.length === this.initial[j]!.coordinates.length &&
                !standsAlike(before.initial[k]!, now[k]!))
                setAgain(this.engine, j, before.initial[k]!, now[k]!);
        });
    }

    /* A recording is a history that is there from the start: bodies in place of states. */
    private play(recording: Recording): void {
        this.replay = new Replay(recording, this.model!);
        this.append(0, recording.rows);
        this.model = { ...this.model!, duration: this.history.end };
        this.show(0);
    }
    private append(from: number, rows: Float64Array): void {
        const replay = this.replay!;
        replay.extend(from, rows);
        for (let k = from; k < replay.count; k++) {
            const kept = { time: replay.time(k), state: replay.bodies(k).buffer as ArrayBuffer, number: k };
            this.history.add(kept);
            if (this.model!.markers.length > 0)
                this.bring(kept);
            this.history.series.add({ index: k, time: kept.time, values: replay.row(k),
                                      markers: this.engine.markers(this.model!.markers.length) });
        }
    }
    /* Rows of a recording that goes on, from number `from` on; the time that is shown stays. */
    extend(from: number, rows: Float64Array, wanted: Wanted): Frame {
        const { history } = this, { time } = history.present!;
        history.keepBelow(from);
        this.append(from, rows);
        this.show(history.find(time));
        return this.frame(wanted);
    }
    check(text: string): Problem[] { return this.engine.check(text, this.source.name || "model"); }
    schema(): unknown { return this.engine.schema(); }

    /* changes ---------------------------------------------------------------------------------- */

    private snapshot(label: string): Snapshot {
        return { kind: "state", state: this.engine.save(), drives: this.engine.saveDrives(), label };
    }

    /* Does a change that can be undone (label: undo.ts). */
    private change<T>(label: string, act: () => T): T {
        if (this.replay)
            throw new Error("a recorded motion cannot be changed");
        this.settle();
        this.changes.begin(label, () => this.snapshot(label));
        const size = this.engine.stateSize();
        const result = act();
        if (this.engine.stateSize() !== size) {
            /* what was kept before does not fit the grown state: time starts here */
            this.history.clear();
            this.changes.forgetStates();
        }
        this.failure = "";
        this.refresh();
        return result;
    }

    /* The present frame again: the future is gone, and what is shown is what is kept. */
    private refresh(): void {
        this.history.replace(this.present());
        this.sample(true);
    }

    /* back: where the text is this one the run of changes has come to nothing. */
    endChange(back = ""): void { this.changes.end(back === this.source.text ? back : ""); }

    /* What is shown then, when it is another model. */
    private async bringBack(taken: Snapshot | null): Promise<{ model: Model; source: Source } | null> {
        if (!taken)
            return null;
        if (taken.kind === "world") {
            this.adopt(taken.world);
            return { model: this.model!, source: this.source };
        }
        if (taken.kind === "text") {
            await this.restart();
            const { text, name, settings } = taken.source;
            this.engine.load(text, name, settings); /* it was read before */
            this.take(taken.source);
            this.refresh();
            return { model: this.model!, source: this.source };
        }
        this.engine.restore(taken.state);
        this.engine.restoreDrives(taken.drives);
        this.failure = "";
        this.refresh();
        return null;
    }
    private taken = (whole: boolean): Snapshot =>
        whole ? { label: "", kind: "world", world: this.world() } : this.snapshot("");
    undo(): Promise<{ model: Model; source: Source } | null> { return this.bringBack(this.changes.back(this.taken)); }
    redo(): Promise<{ model: Model; source: Source } | null> { return this.bringBack(this.changes.forth(this.taken)); }

    setCoordinate(joint: number, coordinate: number, value: number): CoordinateAnswer {
        return this.change(`slide ${joint}.${coordinate}`,
                           () => this.engine.setCoordinate(joint, coordinate, value));
    }

    /* Coordinates that follow from this one: [joint, coordinate]. */
    dependents(joint: number, coordinate: number): [number, number][] {
        const here = this.engine.save(), found: [number, number][] = [];
        const count = Math.min(this.model!.joints.length, 200);
        for (let j = 0; j < count; j++)
            this.model!.joints[j]!.coordinates.forEach((_, i) => {
                if ((j !== joint || i !== coordinate) && this.engine.dependent(joint, coordinate, j, i))
                    found.push([j, i]);
            });
        this.engine.restore(here);
        return found;
    }

    /* Dead points of a coordinate, and where those with the ground that follow it turn back. far: m that one that slides goes
     * each way. */
    marks(joint: number, coordinate: number, far: number): Mark[] {
        const { joints, couplings, velocities } = this.model!, info = [...joints, ...couplings][joint]!.coordinates[coordinate];
        if (this.replay || !info || velocities > MOST_MARKED)
            return [];
        const others = this.dependents(joint, coordinate).filter(([j]) => joints[j]!.a < 0 || joints[j]!.b < 0).slice(0, MOST_FOLLOWERS);
        return others.length === 0 ? [] : marksOf(this.engine, [joint, coordinate], info.angular ? 2 * Math.PI : far, info.angular !== 0, others, this.jointCount());
    }
    /* Where columns of the record turn back. */
    turns(columns: number[]): Turn[] { return turnsOf(this.columns(columns), columns); }

    /* The poses at values of a coordinate, one after the other. */
    sweep(joint: number, coordinate: number, values: number[]): Pose[] {
        return posesAlong(this.engine, joint, coordinate, values, this.jointCount(), this.model!.markers.length);
    }
    private trial: Run | null = null; /* beside what is shown */
    /* A run with another value of a parameter. "", or why there is none. */
    async beginRun(name: string, value: string, column: number): Promise<string> {
        const other = await this.another(), settings = this.source.settings.filter(([one]) => one !== name);
        const { ok, failure, problems } = other.load(this.source.text, this.source.name, [...settings, [name, value]]);
        this.trial = ok ? new Run(other, other.describe(), column) : null;
        return ok ? "" : problems.find((one) => one.severity === "error")?.message ?? failure;
    }
    advanceRun(budget: number): Outcome { return this.trial!.advance(budget); }
    endRun(): void { this.trial = null; }

    drag(body: number, point: number[], to: number[]): number {
        return this.change(`drag ${body}`, () => this.engine.drag(body, point, to));
    }

    bodyPoint(body: number, point: number[]): number[] { return this.engine.bodyPoint(body, point); }
    worldPoint(body: number, point: number[]): number[] { return this.engine.worldPoint(body, point); }

    /* While time goes on: a spring from a point of a body (its frame) to a place. */
    pull(body: number, point: number[], to: number[]): void {
        this.failure = "";
        this.history.cut();
        this.engine.pull(body, point, to);
    }
    release(): void { this.engine.pull(-1, [0, 0, 0], [0, 0, 0]); }

    /* ways to move ----------------------------------------------------------------------------- */

    private ways: Ways | null = null;

    /* Takes up motion k of a basis of the velocities that the rows allow. */
    beginMotion(k: number): void { (this.ways ??= new Ways(this.engine)).begin(k, this.model!.velocities); }
    /* The mechanism at a share (-1 .. 1) of the way. */
    motionFrame(share: number, wanted: Wanted): Frame {
        this.ways?.place(share);
        return this.frame(wanted);
    }
    endMotion(): void {
        this.ways?.end();
        this.ways = null;
    }

    svg(what: number, axes: number[], title: string): string {
        return this.engine.svg(what, axes, title);
    }

    /* How joints and couplings stand, and how they did when the model was loaded. */
    settings(): JointSettings[] { return this.engine.settings(); }
    settingsAtStart(): JointSettings[] { return this.initial; }
    /* Joints and couplings that would not stand as they do now if the model were read from this text. */
    async differing(text: string): Promise<string[]> {
        const other = await this.another();
        const { ok, failure, problems } = other.load(text, this.source.name);
        if (!ok)
            throw new Error("the text cannot say what was set here: " +
                            (problems.find((one) => one.severity === "error")?.message ?? failure));
        const names = [...this.model!.joints, ...this.model!.couplings].map((one) => one.name);
        const now = this.engine.settings(), read = other.settings();
        return names.filter((_, j) => !read[j] || !standsAlike(now[j]!, read[j]!));
    }
    coordinateForces(joint: number, coordinate: number): Float64Array {
        return this.engine.coordinateForces(joint, coordinate);
    }

    /* Changes what acts along a coordinate. With the first such change there is room for all: states
     * kept before do not fit, time starts here, and from here on everything can be undone. */
    private drive(act: () => string): string {
        const size = this.engine.stateSize();
        if (!this.replay)
            this.engine.makeRoom();
        if (this.engine.stateSize() !== size) {
            this.history.clear();
            this.changes.forgetStates();
            this.changes.forgetFuture();
            this.refresh();
        }
        return this.change("", act);
    }

    /* "" or why not. */
    private told(status: number): string { return status === 0 ? "" : this.engine.statusText(status); }
    setRange(joint: number, coordinate: number, lower: number, upper: number): string {
        return this.change("", () => this.told(this.engine.setRange(joint, coordinate, lower, upper)));
    }
    setLocked(joint: number, coordinate: number, locked: boolean): string {
        return this.change("", () => this.told(this.engine.setLocked(joint, coordinate, locked)));
    }
    setEnabled(joint: number, enabled: boolean): string {
        return this.change("", () => this.told(this.engine.setEnabled(joint, enabled)));
    }
    setBreak(joint: number, force: number, torque: number): string {
        return this.change("", () => this.told(this.engine.setBreak(joint, force, torque)));
    }
    setCompliance(joint: number, group: number, compliance: number): string {
        return this.change("", () => this.told(this.engine.setCompliance(joint, group, compliance)));
    }
    setMotor(joint: number, coordinate: number, mode: number, target: number, cap: number): string {
        return this.drive(() => this.told(
            this.engine.setMotor(joint, coordinate, mode, target, cap)));
    }
    setDriver(joint: number, coordinate: number, on: boolean, value: number, rate: number): string {
        return this.drive(() => this.told(
            this.engine.setDriver(joint, coordinate, on, value, rate)));
    }
    setFriction(joint: number, coordinate: number, force: number, viscous: number): string {
        return this.drive(() => this.told(
            this.engine.setFriction(joint, coordinate, force, viscous)));
    }
    setSpring(joint: number, coordinate: number, stiffness: number, damping: number,
              rest: number): string {
        return this.drive(() => this.told(
            this.engine.setSpring(joint, coordinate, stiffness, damping, rest)));
    }

    /* reports ---------------------------------------------------------------------------------- */

    /* What a drawing shows all the time. */
    survey(): Survey {
        const { engine } = this, { joints, velocities } = this.model!, found = engine.analysis();
        const wrenches = engine.wrenches(joints.length, -1), places = new Float64Array(3 * joints.length);
        joints.forEach((_, j) => places.set(wrenches.subarray(9 * j, 9 * j + 3), 3 * j));
        if (typeof found === "string")
            return { dof: -1, redundant: 0, conflicts: 0, moves: [], places };
        const basis = velocities <= MOST_VELOCITIES ? nullSpace(engine.jacobian()) : [];
        return { dof: found.dof, redundant: found.redundant, conflicts: found.conflicts, places,
                 moves: basis.slice(0, 3).map((u) => this.movedBy(u)) };
    }
    /* The bodies that velocities move. */
    private movedBy(u: Float64Array): string[] {
        let at = 0;
        return this.model!.bodies.filter(({ kind }) => {
            const size = kind === "rigid" ? 6 : kind === "fixed" ? 0 : 3;
            at += size;
            return u.subarray(at - size, at).some((x) => Math.abs(x) > 1e-6);
        }).map((body) => body.name);
    }
    /* What plain parameters of a text, by name, must be for a pair of numbers to come to a place: as they are
     * written; null: it cannot. */
    async reach(text: string, name: string, to: [number, number], names: string[],
                digits: number): Promise<[string, string][] | null> {
        const other = await this.another();
        const read = (settings: [string, string][]) => other.load(text, "model", settings).ok ? other.describe().parameters : null;
        const all = read([])?.filter((one) => names.includes(one.name) && one.value.length === 1);
        if (!all || all.length === 0)
            return null;
        const written = (numbers: number[], digits: number) => all.map(({ name: one, unit, text }, k): [string, string] => {
            const { size, word } = ownUnit(text, unit);
            return [one, `${Number((numbers[k]! / size).toPrecision(digits))} ${word}`.trim()];
        });
        const start = all.map((one) => one.value[0]!);
        const sizes = all.map(({ unit }, k) => unit === "rad" ? 1 : Math.max(Math.abs(start[k]!), unit === "m" ? 0.01 : 1e-3));
        const found = reached(start, sizes, to, (numbers) => {
            const value = read(written(numbers, 16))?.find((one) => one.name === name)?.value;
            return value?.length === 2 ? [value[0]!, value[1]!] : null;
        });
        return found && written(found, digits).filter((_, k) => Math.abs(found[k]! - start[k]!) > STAYS * sizes[k]!);
    }
    /* The pairs of numbers that are parameters of another text, by name: its points, in m. */
    async points(text: string): Promise<[string, number, number][]> {
        const other = await this.another();
        return other.load(text, "model").ok ? other.describe().parameters.filter(({ value }) => value.length === 2)
            .map(({ name, value: [x, y] }): [string, number, number] => [name, x!, y!]) : [];
    }
    /* A picture of another text, for a tile; "": it cannot be read. */
    async sketch(text: string): Promise<string> {
        const other = await this.another();
        return other.load(text, "model").ok ? other.svg(SKETCHED, [1, 0, 0, 0, 1, 0, 0, 0, 1], "") : "";
    }

    loopState(): LoopState { return loopStateOf(this.engine, this.model!, this.replay !== null); }
    matrices(joint: number): Matrices | string { return matricesOf(this.engine, this.model!, joint, this.replay !== null); }
    analysis(): Analysis | string { return this.engine.analysis(); }
    writeModel(): { status: number; text: string } { return this.engine.writeModel(); }
}
