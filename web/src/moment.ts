/* moment.ts: one moment of a mechanism in numbers, as teaching needs them: how bodies move, what rows bear, and the
 * equations of the rows.
 *
 * In: the engine at that moment, which is left as it was. Accelerations are what a step of a microsecond does to
 * velocities; multipliers are those of that step.
 */
import type { Engine, Equations, Model } from "./engine.ts";
import type { LoopState, Motion } from "./loops.ts";
import { nullSpace } from "./nullspace.ts";

const INSTANT = 1e-6;      /* s */
const MOST_VELOCITIES = 150; /* of models whose way to move is looked for */
const MOST_ROWS = 48;      /* of equations that are shown: more cannot be read */

/* Velocities of each kind of body, in the order of the Jacobian's columns: of its centre of mass in world axes, then
 * of turning, in the plane about z, in space in the body's axes. */
const VELOCITIES: Record<string, string[]> = {
    rigid: ["vx", "vy", "vz", "wx", "wy", "wz"], planar: ["vx", "vy", "w"], particle: ["vx", "vy", "vz"], planar_particle: ["vx", "vy"],
};
const velocitiesOf = (kind: string): string[] => VELOCITIES[kind] ?? [];

/* Rows of the record now, and after an instant; recorded: no step can be taken. */
function rowsAt(engine: Engine, recorded: boolean): { now: Float64Array; then: Float64Array } {
    const here = engine.save(), now = engine.row(), { done } = recorded ? { done: 0 } : engine.step(INSTANT, 1);
    const then = done > 0 ? engine.row() : now.map(() => NaN); /* not known where no step is possible */
    engine.restore(here);
    return { now, then };
}

/* NaN: not known. efforts: of rows that hold or drive a coordinate what acts along it, else NaN too. */
function multipliersOf({ joints, columns }: Model, row: Float64Array, efforts: boolean): number[][] {
    const of = (column: string) => row[columns.indexOf(column)];
    return joints.map(({ name, rows }) => rows.map((one, k) => of(`${name}.lambda${k}`) ?? (efforts ? of(`${name}.${one.name}.effort`) : NaN) ?? NaN));
}

/* Bodies in the plane as they move by velocities of the Jacobian's columns. */
function motionsOf(engine: Engine, { bodies }: Model, still: Motion[], u: Float64Array): Motion[] {
    let at = 0;
    return bodies.map(({ kind, com }, b): Motion => {
        const [vx = 0, vy = 0, w = 0] = u.subarray(at, at + velocitiesOf(kind).length), { x, y } = still[b]!;
        at += velocitiesOf(kind).length;
        const [cx, cy] = engine.worldPoint(b, com);
        return { x, y, v: [vx + w * (cy! - y), vy - w * (cx! - x)], a: [0, 0], turning: w, spin: 0 };
    });
}

/* How a mechanism in the plane moves now, and, where it has one freedom, how that moves it. */
export function loopStateOf(engine: Engine, model: Model, recorded: boolean): LoopState {
    const { joints, bodies, columns } = model, wrenches = engine.wrenches(joints.length, -1), { now, then } = rowsAt(engine, recorded);
    const numbers = (from: Float64Array, body: string) =>
        ["x", "y", "vx", "vy", "w"].map((one) => from[columns.indexOf(`${body}.${one}`)] ?? 0) as [number, number, number, number, number];
    const motions = bodies.map(({ name }): Motion => {
        const [x, y, u, v, w] = numbers(now, name), [, , u2, v2, w2] = numbers(then, name);
        return { x, y, v: [u, v], a: [(u2 - u) / INSTANT, (v2 - v) / INSTANT], turning: w, spin: (w2 - w) / INSTANT };
    });
    const basis = model.velocities <= MOST_VELOCITIES ? nullSpace(engine.jacobian()) : [];
    return { places: Float64Array.from(joints.flatMap((_, j) => [...wrenches.subarray(9 * j, 9 * j + 3)])), motions,
             angles: bodies.map(({ name }) => now[columns.indexOf(`${name}.angle`)] ?? 0),
             way: basis.length === 1 ? motionsOf(engine, model, motions, basis[0]!) : null, lambda: multipliersOf(model, then, false) };
}

/* The equations of some rows, with the names of rows and velocities, and what the rows bear. */
export interface Matrices extends Equations { rows: string[]; velocities: string[]; u: number[]; lambda: number[] }

function cross(a: number[], b: number[]): number[] {
    return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}
/* A vector of the world in the axes of a body of that orientation (w, x, y, z). */
function inBody([w, ...q]: number[], v: number[]): number[] {
    const t = cross(q, v), turned = cross(q, t);
    return v.map((one, k) => one - 2 * w! * t[k]! + 2 * turned[k]!);
}

/* Of the present, in the order of the Jacobian's columns. */
function presentVelocities(engine: Engine, { bodies, columns, planar }: Model): number[] {
    const row = engine.row(), poses = engine.poses(bodies.length);
    return bodies.flatMap(({ name, kind, com }, b) => {
        const number = (of: string) => row[columns.indexOf(`${name}.${of}`)] ?? 0, all = (of: string[]) => of.map(number);
        const v = all(["vx", "vy", "vz"]), w = planar ? [0, 0, number("w")] : all(["wx", "wy", "wz"]);
        const place = engine.worldPoint(b, com), pose = poses.subarray(7 * b, 7 * b + 7);
        const arm = cross(w, [0, 1, 2].map((k) => place[k]! - pose[k]!)), centre = v.map((one, k) => one + arm[k]!);
        const turning = kind === "rigid" ? inBody([...pose.subarray(3, 7)], w) : [w[2]!];
        return [...centre.slice(0, kind.startsWith("planar") ? 2 : 3), ...turning].slice(0, velocitiesOf(kind).length);
    });
}

/* joint: -1: all. A text: why they are not shown. */
export function matricesOf(engine: Engine, model: Model, joint: number, recorded: boolean): Matrices | string {
    const equations = engine.equations(joint), { owners, effective } = equations;
    if (owners.length === 0)
        return "no active rows";
    if (owners.length > MOST_ROWS)
        return `${owners.length} rows: choose one joint`;
    const lambda = multipliersOf(model, rowsAt(engine, recorded).then, true);
    return { ...equations, effective, rows: owners.map(([j, k]) => j < model.joints.length ? `${model.joints[j]!.name}.${model.joints[j]!.rows[k]?.name ?? k}`
                 : model.couplings[j - model.joints.length]?.name ?? ""),
             velocities: model.bodies.flatMap(({ name, kind }) => velocitiesOf(kind).map((one) => `${name}.${one}`)),
             u: presentVelocities(engine, model), lambda: owners.map(([j, k]) => lambda[j]?.[k] ?? NaN) };
}
