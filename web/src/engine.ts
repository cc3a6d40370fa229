/* engine.ts: Tenon in the page: a small typed face of the WebAssembly module (web/engine/*.c).
 *
 * One model at a time. Numbers are SI and radians; arrays are copies, the caller's own.
 */
import { System } from "./wasi.ts";

export const COORDINATES = 6; /* TN_MAX_COORDINATES: stride of arrays of coordinates */

export interface Problem {
    severity: "note" | "warning" | "error";
    file: string | null; /* as the model was named, or one that it includes */
    line: number; /* from 1; 0: unknown */
    column: number;
    message: string;
    hint: string | null;
}
/* meshes: where the files were found, by the names that the text has for them; text null: it cannot be read. */
export interface Converted { text: string | null; meshes: Record<string, string>; problems: Problem[] }
export interface Coordinate { name: string; angular: number }
/* A function of time as model files have it. */
export interface TimeFunction { kind: string; numbers: number[]; formula?: string }
/* How a coordinate stands; null: infinite, unset, none. */
export interface CoordinateSettings {
    value: number; lower: number | null; upper: number | null; locked: number;
    driver: TimeFunction | null;
    motor: { speed: TimeFunction | null; position: TimeFunction | null; max_force: number | null;
             time_constant: number | null } | null;
    friction: { force: number; viscous: number; [more: string]: number | null };
    spring: { stiffness: number | null; damping: number | null; rest: TimeFunction | null;
              force: TimeFunction | null; [more: string]: number | null | TimeFunction };
}
/* Of a joint or coupling. Compliance of linear and rotary rows: undefined: there are none; null: they
 * differ. */
export interface JointSettings {
    enabled: number; break_force: number | null; break_torque: number | null;
    linear?: number | null; rotary?: number | null; coordinates: CoordinateSettings[];
}
export interface Row { name: string; bilateral: number; linear: number }
export interface Joint {
    name: string; type: string; summary: string; a: number; b: number;
    coordinates: Coordinate[]; rows: Row[];
}
export interface Coupling { name: string; hold: string; joints: number[]; coordinates: Coordinate[] }
export interface Body { name: string; kind: string; mass: number; com: number[] }
export interface Model {
    name: string; gravity: number[]; planar: number; up: "x" | "y" | "z"; step: number; duration: number;
    integrator: string; unit: number; velocities: number; rows: number;
    bodies: Body[]; joints: Joint[]; couplings: Coupling[];
    markers: { name: string; body: number }[]; columns: string[]; units: string[]; /* of the columns, SI */
    parameters: Parameter[];
}
/* value: SI; text: what the file says, null of a list. */
export interface Parameter {
    name: string; value: number[]; unit: string; text: string | null; used: number;
}
export interface StepEvent {
    text: string; time: number; joint: number; coordinate: number; side: number;
}
export interface Analysis {
    rows: number; rank: number; redundant: number; dof: number; gruebler: number;
    permanent: number; momentary: number; conflicts: number; fragile: number;
    loops: { joints: string[]; bodies: string[]; redundant: number }[];
    [more: string]: unknown;
}
/* steps: how many; length of step k from a time; after which step to record next. */
export interface Grid {
    steps: number; length(k: number, time: number): number; next(k: number): number;
}
export interface CoordinateAnswer {
    status: number; outcome: string; value: number; position: number; angle: number; moved: number;
}

/* Row-major. */
export interface Matrix { rows: number; columns: number; values: Float64Array }
/* J, M, K = J M^-1 J^T (null: a body has no inertia) and b = -J u; of each row its joint and its number there. */
export interface Equations {
    jacobian: Matrix; mass: Matrix; effective: Matrix | null; rhs: Float64Array; owners: [number, number][];
}
const PART = { jacobian: 0, mass: 1, effective: 2, rhs: 3 }; /* page_part of web/engine/page.h */

/* The draw list: see web/engine/draw.c. */
export interface DrawList {
    ints: Int32Array; reals: Float64Array; points: Float64Array; triangles: Int32Array;
    text: Uint8Array;
}

type Exports = Record<string, (...values: number[]) => number> & { memory: WebAssembly.Memory };

export class Engine {
    readonly system = new System();
    private c!: Exports;
    private readonly utf8 = new TextDecoder();

    static async create(module: WebAssembly.Module): Promise<Engine> {
        const engine = new Engine();
        const instance = await WebAssembly.instantiate(module, engine.system.imports(module));
        engine.c = instance.exports as unknown as Exports;
        engine.system.attach(engine.c.memory);
        engine.c._initialize!();
        return engine;
    }

    /* memory ----------------------------------------------------------------------------------- */

    private text(at: number): string {
        if (at === 0)
            return "";
        const bytes = new Uint8Array(this.c.memory.buffer);
        return this.utf8.decode(bytes.slice(at, bytes.indexOf(0, at)));
    }

    /* Runs use with a block of the module's memory and frees it. */
    private block<T>(size: number, use: (at: number) => T): T {
        const at = this.c.page_alloc!(Math.max(size, 8));
        if (at === 0)
            throw new Error("out of memory");
        try {
            return use(at);
        } finally {
            this.c.page_free!(at);
        }
    }

    private numbers(count: number, fill: (at: number) => void): Float64Array {
        return this.block(8 * count, (at) => {
            fill(at);
            return new Float64Array(this.c.memory.buffer, at, count).slice();
        });
    }

    private bytes(at: number, size: number): ArrayBuffer {
        return this.c.memory.buffer.slice(at, at + size);
    }

    private withText<T>(text: string, name: string, use: (at: number, length: number,
                                                         name: number) => T): T {
        const coded = new TextEncoder().encode(text), title = new TextEncoder().encode(name);
        return this.block(coded.length + title.length + 2, (at) => {
            const memory = new Uint8Array(this.c.memory.buffer, at);
            memory.set(coded);
            memory[coded.length] = 0;
            memory.set(title, coded.length + 1);
            memory[coded.length + 1 + title.length] = 0;
            return use(at, coded.length, at + coded.length + 1);
        });
    }

    /* The same with settings: their count, and where their names and values are. */
    private withSettings<T>(text: string, name: string, settings: [string, string][], use: (...all: [number, number, number, number, number]) => T): T {
        const listed = settings.flat().map((one) => one + "\0").join("");
        return this.withText(text, name, (at, length, title) => this.withText(listed, "", (list) => use(at, length, title, list, settings.length)));
    }

    /* models ----------------------------------------------------------------------------------- */

    /* The problems found; the model runs unless one of them is an error or failure is not "". */
    load(text: string, name: string, settings: [string, string][] = []):
        { ok: boolean; failure: string; problems: Problem[] } {
        const status = this.withSettings(text, name, settings, (...all) => this.c.page_load!(...all));
        return { ok: status === 0, failure: status === 0 ? "" : this.statusText(status),
                 problems: JSON.parse(this.text(this.c.page_problems!())) };
    }
    check(text: string, name: string): Problem[] {
        return this.withText(text, name, (at, length, title) =>
            JSON.parse(this.text(this.c.page_check!(at, length, title))));
    }
    /* A model of others as one of Tenon. */
    convert(text: string, name: string, settings: [string, string][] = []): Converted {
        return this.withSettings(text, name, settings, (...all) => JSON.parse(this.text(this.c.page_import!(...all))));
    }
    statusText(status: number): string { return this.text(this.c.page_status_text!(status)); }
    schema(): unknown { return JSON.parse(this.text(this.c.page_schema!())); }
    describe(): Model { return JSON.parse(this.text(this.c.page_describe!())); }
    writeModel(): { status: number; text: string } {
        return this.block(8, (at) => {
            const text = this.text(this.c.page_write_model!(at));
            return { status: new Int32Array(this.c.memory.buffer, at, 1)[0]!, text };
        });
    }

    /* time ------------------------------------------------------------------------------------- */

    time(): number { return this.c.page_time!(); }
    step(h: number, count: number): { status: number; done: number } {
        return this.block(8, (at) => {
            const status = this.c.page_step!(h, count, at);
            return { status, done: new Int32Array(this.c.memory.buffer, at, 1)[0]! };
        });
    }
    stepFailure(): string { return this.text(this.c.page_step_failure!()); }
    events(): StepEvent[] { return JSON.parse(this.text(this.c.page_events!())); }
    stateSize(): number { return this.c.page_state_size!(); }
    save(): ArrayBuffer {
        const size = this.stateSize();
        return this.block(size, (at) => {
            this.c.page_save!(at);
            return this.bytes(at, size);
        });
    }
    restore(state: ArrayBuffer): boolean {
        if (state.byteLength !== this.stateSize())
            return false;
        return this.block(state.byteLength, (at) => {
            new Uint8Array(this.c.memory.buffer, at).set(new Uint8Array(state));
            return this.c.page_restore!(at) === 0;
        });
    }
    /* Bodies where they were recorded, [bodies][13]: pose and velocity. */
    place(bodies: Float64Array): number {
        let status = 0;
        this.inPlace(bodies, (at) => { status = this.c.page_place!(at); });
        return status;
    }
    saveDrives(): ArrayBuffer { return this.bytes(this.c.page_drives!(), this.c.page_drives_size!()); }
    restoreDrives(drives: ArrayBuffer): void {
        new Uint8Array(this.c.memory.buffer, this.c.page_drives!()).set(new Uint8Array(drives));
    }

    /* results ---------------------------------------------------------------------------------- */

    numbersNow(): Float64Array { return this.numbers(9, (at) => this.c.page_numbers!(at)); }
    coordinates(count: number): Float64Array {
        return this.numbers(count * COORDINATES, (at) => this.c.page_coordinates!(at));
    }
    poses(bodies: number): Float64Array {
        return this.numbers(7 * bodies, (at) => this.c.page_poses!(at));
    }
    markers(count: number): Float64Array {
        return this.numbers(3 * count, (at) => this.c.page_markers!(at));
    }
    wrenches(joints: number, part: number): Float64Array {
        return this.numbers(9 * joints, (at) => this.c.page_wrenches!(part, at));
    }
    /* What the loads do, as rows of wrenches. */
    loads(): Float64Array {
        const rows = this.c.page_load_rows!();
        let count = 0;
        return this.numbers(9 * rows, (at) => { count = this.c.page_loads!(at); }).slice(0, 9 * count);
    }
    row(): Float64Array {
        return this.numbers(this.c.page_column_count!(), (at) => this.c.page_row!(at));
    }
    /* As the first row of `tenon run`, before a step of h seconds. */
    firstRow(h: number): Float64Array {
        return this.numbers(this.c.page_column_count!(), (at) => this.c.page_first_row!(h, at));
    }
    /* The time grid of `tenon run`. */
    grid(step: number, duration: number, every: number): Grid {
        return { steps: this.c.page_grid_steps!(step, duration),
                 length: (k, time) => this.c.page_grid_step!(step, duration, every, k, time),
                 next: (k) => this.c.page_grid_next!(step, duration, every, k) };
    }
    analysis(): Analysis | string {
        return this.block(8, (at) => {
            const text = this.text(this.c.page_analysis!(at));
            const status = new Int32Array(this.c.memory.buffer, at, 1)[0]!;
            return text === "" ? this.statusText(status) : JSON.parse(text) as Analysis;
        });
    }
    jacobian(): Matrix { return this.matrix(-1, PART.jacobian); }
    /* The equations of the active rows of a joint, or of all (-1). */
    equations(joint: number): Equations {
        const effective = this.matrix(joint, PART.effective), { rows, values } = this.matrix(joint, PART.rhs);
        const owners = this.block(8, (at) => {
            const found = this.c.page_equation_rows!(joint, at), count = new Int32Array(this.c.memory.buffer, at, 1)[0]!;
            const copy = new Int32Array(this.c.memory.buffer, found, 2 * count).slice();
            this.c.page_free!(found);
            return copy;
        });
        return { jacobian: this.matrix(joint, PART.jacobian), mass: this.matrix(joint, PART.mass), rhs: values,
                 effective: effective.rows === rows && effective.values.length === rows * rows ? effective : null,
                 owners: Array.from({ length: rows }, (_, k): [number, number] => [owners[2 * k]!, owners[2 * k + 1]!]) };
    }
    private matrix(joint: number, part: number): Matrix {
        return this.block(8, (at) => {
            const values = this.c.page_equations!(joint, part, at);
            const [rows, columns] = new Int32Array(this.c.memory.buffer, at, 2), there = values === 0 ? 0 : rows! * columns!;
            const copy = new Float64Array(this.c.memory.buffer, values, there).slice();
            this.c.page_free!(values);
            return { rows: rows!, columns: columns!, values: copy };
        });
    }

    /* Where a row of a joint pushes, or what it turns about: a row of wrenches, of size 1; null: nowhere. */
    rowDirection(joint: number, row: number): Float64Array | null {
        let status = 0;
        const found = this.numbers(9, (at) => { status = this.c.page_row_direction!(joint, row, at); });
        return status === 0 ? found : null;
    }

    /* what: TN_DRAW_...; of one joint (or -1) everything. whole: with the points of bodies too. */
    draw(what: number, joint: number, whole: boolean): DrawList {
        const status = this.c.page_draw!(what, joint, whole ? 1 : 0);
        if (status !== 0)
            throw new Error(this.statusText(status));
        const list = (which: number) =>
            this.bytes(this.c.page_drawn!(which), this.c.page_drawn_size!(which));
        return { ints: new Int32Array(list(0)), reals: new Float64Array(list(1)),
                 points: new Float64Array(list(2)), triangles: new Int32Array(list(3)),
                 text: new Uint8Array(list(4)) };
    }

    /* changes: each answers a tn_status, 0 when all is well ------------------------------------ */

    setCoordinate(joint: number, coordinate: number, value: number): CoordinateAnswer {
        return this.block(48, (at) => {
            const status = this.c.page_set_coordinate!(joint, coordinate, value, at);
            const n = new Float64Array(this.c.memory.buffer, at, 6);
            return { status, outcome: this.text(this.c.page_outcome!(n[0]!)), value: n[1]!,
                     position: n[2]!, angle: n[3]!, moved: n[5]! };
        });
    }
    /* The value at which another coordinate turns back on the way to one; null: it does not. The pose is there then. */
    findTurning(joint: number, coordinate: number, to: number, other: number, otherCoordinate: number): number | null {
        return this.found((at) => this.c.page_find_turning!(joint, coordinate, to, other, otherCoordinate, at));
    }
    /* The value at which it turns back itself. */
    findDeadPoint(joint: number, coordinate: number, direction: number): number | null {
        return this.found((at) => this.c.page_find_dead_point!(joint, coordinate, direction, at));
    }
    private found(find: (at: number) => number): number | null {
        return this.block(8, (at) => find(at) === 0 ? new Float64Array(this.c.memory.buffer, at, 1)[0]! : null);
    }
    dependent(joint: number, coordinate: number, other: number, otherCoordinate: number): boolean {
        return this.c.page_dependent!(joint, coordinate, other, otherCoordinate) !== 0;
    }
    drag(body: number, point: number[], to: number[]): number {
        return this.c.page_drag!(body, point[0]!, point[1]!, point[2]!, to[0]!, to[1]!, to[2]!);
    }
    /* body -1: nothing is pulled. */
    pull(body: number, point: number[], to: number[]): void {
        this.c.page_pull!(body, ...point, ...to);
    }
    /* A point of the world in a body's frame, and back. */
    bodyPoint(body: number, point: number[]): number[] {
        return this.inPlace(point, (at) => this.c.page_body_point!(body, at));
    }
    worldPoint(body: number, point: number[]): number[] {
        return this.inPlace(point, (at) => this.c.page_world_point!(body, at));
    }
    private inPlace(values: ArrayLike<number>, use: (at: number) => void): number[] {
        return this.block(8 * values.length, (at) => {
            new Float64Array(this.c.memory.buffer, at, values.length).set(values);
            use(at);
            return Array.from(new Float64Array(this.c.memory.buffer, at, values.length));
        });
    }
    /* All bodies by amount times the velocities u, joints closed. */
    displace(u: Float64Array, amount: number): number {
        let status = 0;
        this.inPlace(u, (at) => { status = this.c.page_displace!(at, amount); });
        return status;
    }
    /* axes: right, up, toward the viewer. */
    svg(what: number, axes: number[], title: string): string {
        return this.withText(title, "", (name) => this.block(72, (at) => {
            new Float64Array(this.c.memory.buffer, at, 9).set(axes);
            return this.text(this.c.page_svg!(what, at, name));
        }));
    }
    /* All joints, then the couplings. */
    settings(): JointSettings[] { return JSON.parse(this.text(this.c.page_settings!())); }
    coordinateForces(joint: number, coordinate: number): Float64Array {
        return this.numbers(3, (at) => this.c.page_coordinate_forces!(joint, coordinate, at));
    }
    setRange(joint: number, coordinate: number, lower: number, upper: number): number {
        return this.c.page_set_range!(joint, coordinate, lower, upper);
    }
    setLocked(joint: number, coordinate: number, locked: boolean): number {
        return this.c.page_set_locked!(joint, coordinate, locked ? 1 : 0);
    }
    setEnabled(joint: number, enabled: boolean): number {
        return this.c.page_set_enabled!(joint, enabled ? 1 : 0);
    }
    /* What breaks it, N and N m; infinite: it never does. */
    setBreak(joint: number, force: number, torque: number): number {
        return this.c.page_set_break!(joint, force, torque);
    }
    /* group: 4 linear, 8 rotary rows. */
    setCompliance(joint: number, group: number, compliance: number): number {
        return this.c.page_set_compliance!(joint, group, compliance);
    }
    /* Room for drives on all coordinates: the state may be larger then. */
    makeRoom(): void { this.c.page_make_room!(); }
    setMotor(joint: number, coordinate: number, mode: number, target: number, cap: number): number {
        return this.c.page_set_motor!(joint, coordinate, mode, target, cap);
    }
    setDriver(joint: number, coordinate: number, on: boolean, value: number, rate: number): number {
        return this.c.page_set_driver!(joint, coordinate, on ? 1 : 0, value, rate);
    }
    setFriction(joint: number, coordinate: number, force: number, viscous: number): number {
        return this.c.page_set_friction!(joint, coordinate, force, viscous);
    }
    setSpring(joint: number, coordinate: number, stiffness: number, damping: number,
              rest: number): number {
        return this.c.page_set_spring!(joint, coordinate, stiffness, damping, rest);
    }
}
