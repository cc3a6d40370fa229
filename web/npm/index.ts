/* index.ts: the npm package: a model as text in, a simulation out, numbers by name.
 *
 * Each simulation is a WebAssembly instance of its own; the module is compiled once.
 */
import { COORDINATES, Engine } from "../src/engine.ts";
import type { Analysis, Body, Coordinate, Joint, Model, Problem, StepEvent } from "../src/engine.ts";

export type { Analysis, Body, Coordinate, Joint, Model, Problem, StepEvent };

/** What is wrong with a model: every problem with its line, column and hint. */
export class ModelError extends Error {
    constructor(message: string, readonly problems: Problem[]) {
        super(message);
        this.name = "ModelError";
    }
}

/** A step that failed, or a coordinate that cannot be had: the simulation is as before. */
export class StepError extends Error {
    constructor(message: string, readonly time: number) {
        super(message);
        this.name = "StepError";
    }
}

export interface LoadOptions {
    /** stands for the file in messages */
    name?: string;
    /** other values for the model's parameters: numbers in SI and rad, or texts such as "350 mm" */
    parameters?: Record<string, number | string>;
    /** meshes and tables that the model names, as bytes */
    files?: Record<string, Uint8Array>;
    /** the engine; in Node it is found beside the package */
    wasm?: ArrayBuffer | Uint8Array | WebAssembly.Module;
}

export interface RunOptions {
    /** s */
    step?: number;
    /** s between records; NaN: every step */
    every?: number;
}

/** J; work by drives and loads, lost in friction, since the start. */
export interface Energy {
    kinetic: number; potential: number; elastic: number; total: number; work: number; lost: number;
}

/** What a run recorded: rows by time, columns by name, as `tenon run --csv` has them, but in SI and radians
 *  whatever the model's file counts in. */
export class Recording {
    private readonly index: Map<string, number>;
    constructor(readonly columns: string[], readonly rows: Float64Array[]) {
        this.index = new Map(columns.map((name, i) => [name, i]));
    }
    /** s */
    get t(): Float64Array { return this.column("t"); }
    column(name: string): Float64Array {
        const at = this.index.get(name);
        if (at === undefined)
            throw new RangeError(`nothing called '${name}' was recorded`);
        return Float64Array.from(this.rows, (row) => row[at]!);
    }
}

/* Bodies, shapes of joints, marks, couplings (TN_DRAW_... of tenon/draw.h). */
const DRAWN = 1 | 4 | 64 | 128;

let shared: Promise<WebAssembly.Module> | undefined;

/* Steps of a run: a whole number that a double tells from the next one (tenon/limits.h). */
const MOST_STEPS = 1e15;

/* A run that ends, in steps that go on. */
function checkRun(duration: number, step: number, every: number): void {
    const isTime = (seconds: number): boolean => seconds > 0 && Number.isFinite(seconds);
    if (!isTime(duration) || !isTime(step) || !(duration / step <= MOST_STEPS))
        throw new RangeError(`${duration} s in steps of ${step} s: both have to be positive numbers, and there `
                             + `may be ${MOST_STEPS} steps`);
    if (!Number.isNaN(every) && !isTime(every))
        throw new RangeError(`records every ${every} s: it has to be a positive number, or NaN`);
}

/* The file beside this one, by Node. */
async function ownModule(): Promise<WebAssembly.Module> {
    const fs = "node:fs/promises"; /* no matter of bundlers for browsers */
    const { readFile } = await import(fs) as { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> };
    return WebAssembly.compile(await readFile(new URL("./tenon.wasm", import.meta.url)));
}

function moduleOf(wasm: LoadOptions["wasm"]): Promise<WebAssembly.Module> {
    if (wasm instanceof WebAssembly.Module)
        return Promise.resolve(wasm);
    if (wasm !== undefined)
        return WebAssembly.compile(wasm as BufferSource);
    return shared ??= ownModule();
}

/** Reads a model. ModelError: what is wrong with it. */
export async function load(text: string, options: LoadOptions = {}): Promise<Simulation> {
    const engine = await Engine.create(await moduleOf(options.wasm));
    for (const [name, bytes] of Object.entries(options.files ?? {}))
        engine.system.files.set(name, bytes);
    const settings = Object.entries(options.parameters ?? {})
        .map(([name, value]): [string, string] => [name, String(value)]);
    const answer = engine.load(text, options.name ?? "model", settings);
    if (!answer.ok) {
        const errors = answer.problems.filter((one) => one.severity === "error");
        throw new ModelError(errors.map((one) => `${one.line}:${one.column}: ${one.message}`).join("\n")
                             || answer.failure, answer.problems);
    }
    return new Simulation(engine, answer.problems);
}

/** A model in motion. */
export class Simulation {
    /** names, joints, bodies, parameters */
    readonly model: Model;

    /** @internal */
    constructor(private readonly engine: Engine, /** notes and warnings */ readonly messages: Problem[]) {
        this.model = engine.describe();
    }

    /** s */
    get time(): number { return this.engine.time(); }

    /** Advances by h seconds and answers what happened. StepError: nothing has changed. */
    step(h: number): StepEvent[] {
        const { status } = this.engine.step(h, 1);
        if (status !== 0)
            throw new StepError(`a step failed at t = ${this.time} s: ${this.engine.stepFailure()}`, this.time);
        return this.engine.events();
    }

    /** Steps on for so many seconds; what is not given is as in the model. From the start the rows are
     *  those of `tenon run`. RangeError: times that are not positive and finite, and nothing has changed. */
    run(duration: number = this.model.duration, options: RunOptions = {}): Recording {
        const step = options.step ?? this.model.step, start = this.time;
        checkRun(duration, step, options.every ?? NaN);
        const grid = this.engine.grid(step, duration, options.every ?? NaN);
        const rows = [this.engine.firstRow(grid.length(0, 0))];
        let record = grid.next(0);
        for (let k = 0; k < grid.steps; k++) {
            this.step(grid.length(k, this.time - start));
            if (k + 1 === record) {
                rows.push(this.engine.row());
                record = grid.next(record);
            }
        }
        return new Recording(this.model.columns, rows);
    }

    private find(path: string): [number, number] {
        const all = this.model.joints;
        for (const [j, joint] of all.entries()) {
            if (joint.name === path && joint.coordinates.length === 1)
                return [j, 0];
            const k = joint.coordinates.findIndex((one) => `${joint.name}.${one.name}` === path);
            if (k >= 0)
                return [j, k];
        }
        throw new RangeError(`there is no coordinate '${path}'`);
    }

    private joint(name: string): number {
        const j = this.model.joints.findIndex((one) => one.name === name);
        if (j < 0)
            throw new RangeError(`there is no joint '${name}'`);
        return j;
    }

    /** rad or m, of "joint.coordinate", or "joint" where it has one */
    coordinate(path: string): number {
        const [j, k] = this.find(path);
        const count = this.model.joints.length + this.model.couplings.length;
        return this.engine.coordinates(count)[j * COORDINATES + k]!;
    }

    /** Moves the mechanism, loops closed, on its branch. StepError: it cannot have that value. */
    setCoordinate(path: string, value: number): void {
        const [j, k] = this.find(path), before = this.engine.save();
        const answer = this.engine.setCoordinate(j, k, value);
        if (answer.status === 0 && answer.outcome === "set")
            return;
        this.engine.restore(before);
        throw new StepError(answer.status !== 0 ? `${path}: ${this.engine.statusText(answer.status)}`
            : `${path}: ${answer.outcome} at ${answer.value}`, this.time);
    }

    /** [bodies][7]: x, y, z (m), qw, qx, qy, qz */
    poses(): Float64Array { return this.engine.poses(this.model.bodies.length); }

    /** [3] m, world */
    marker(name: string): Float64Array {
        const m = this.model.markers.findIndex((one) => one.name === name);
        if (m < 0)
            throw new RangeError(`there is no marker '${name}'`);
        return this.engine.markers(this.model.markers.length).slice(3 * m, 3 * m + 3);
    }

    /** [6] N, N m: what the joint's body A feels, world axes, about the origin of frame C */
    wrench(joint: string): Float64Array {
        const j = this.joint(joint);
        return this.engine.wrenches(this.model.joints.length, -1).slice(9 * j + 3, 9 * j + 9);
    }

    energy(): Energy {
        const [kinetic, potential, elastic, total, work, lost] = this.engine.numbersNow();
        return { kinetic: kinetic!, potential: potential!, elastic: elastic!, total: total!, work: work!,
                 lost: lost! };
    }

    /** m or rad: the largest error of a joint */
    jointError(): number {
        const numbers = this.engine.numbersNow();
        return Math.max(numbers[6]!, numbers[7]!);
    }

    /** The whole state; restore goes on with the same bits. */
    save(): ArrayBuffer { return this.engine.save(); }
    restore(state: ArrayBuffer): void {
        if (!this.engine.restore(state))
            throw new RangeError("this is no state of this simulation");
    }

    /** Degrees of freedom, loops, rows that repeat others, at this pose. */
    analysis(): Analysis {
        const found = this.engine.analysis();
        if (typeof found === "string")
            throw new Error(found);
        return found;
    }

    /** A picture of this pose; axes: right, up, toward the viewer. */
    svg(axes: number[] = this.model.planar ? [1, 0, 0, 0, 1, 0, 0, 0, 1]
        : [0.8, -0.6, 0, 0.25, 0.33, 0.91, 0.55, 0.73, -0.41]): string {
        return this.engine.svg(DRAWN, axes, this.model.name);
    }

    /** The model as the text of a model file. */
    text(): string {
        const { status, text } = this.engine.writeModel();
        if (status !== 0)
            throw new Error(this.engine.statusText(status));
        return text;
    }
}
