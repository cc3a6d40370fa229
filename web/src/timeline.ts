/* timeline.ts: the worker's model in time: what was simulated, or recorded, the frames that show it, and going on from there.
 *
 * Public methods are requests of the page, as those of session.ts, which goes on from this.
 */
import type { DrawList, Engine, Model, StepEvent } from "./engine.ts";
import { History } from "./history.ts";
import type { Kept } from "./history.ts";
import { columnsOf, csvOf } from "./numbers.ts";
import type { Replay } from "./recording.ts";
import { trailOf } from "./series.ts";
import type { KnownTrail, Trail } from "./series.ts";
import { Undo } from "./undo.ts";

const MOST_COLUMNS = 4000; /* of longer rows none is kept: plots then have no past */
const MOST_EVENTS = 2000;

export interface Wanted { what: number; joint: number; whole: boolean; wrench: number | null;
                         loads: boolean; row: [number, number] | null; /* of a joint */
                         trail: KnownTrail; tracked: number; /* a body; -1: none */
                         vectors: number[][] } /* marker, then columns of its velocity and acceleration: x, y, z, or -1 */

export interface Frame {
    time: number;
    numbers: Float64Array; /* see Engine.numbersNow */
    coordinates: Float64Array;
    list: DrawList;
    markers: Float64Array;
    wrenches: Float64Array | null;
    loads: Float64Array | null;
    row: Float64Array | null; /* as one of wrenches */
    tracked: number[] | null; /* m: the centre of mass of the body that the view moves with */
    trail: Trail;
    vectors: Float64Array | null; /* rows of place, velocity, acceleration */
    failure: string; /* why time does not go on; "" */
    start: number; end: number; /* s, of the history */
    frames: number; at: number;
    events: number; /* how many are known */
    canUndo: boolean; canRedo: boolean;
    cost: number; /* ms of the last advance */
}
export class Timeline {
    protected engine!: Engine;
    protected model: Model | null = null;
    protected history = new History();
    protected changes = new Undo();
    protected failure = "";
    protected cost = 0;
    protected replay: Replay | null = null; /* instead of a simulation */

    protected bring(kept: Kept): void {
        if (this.replay)
            this.engine.place(new Float64Array(kept.state));
        else
            this.engine.restore(kept.state);
    }
    protected coordinates(): Float64Array {
        const all = this.engine.coordinates(this.jointCount());
        this.replay?.correct(this.history.present!.number!, all);
        return all;
    }

    protected present(): Kept { return { time: this.engine.time(), state: this.engine.save() }; }

    /* The row of the present, if one is due. changed: the forces are those that the next step starts from,
     * not those of the last one. */
    protected sample(changed: boolean): void {
        const { series } = this.history, { step, columns, markers } = this.model!;
        const time = this.engine.time(), index = series.stepAt(time, step);
        if (!series.isDue(index))
            return;
        const values = columns.length > MOST_COLUMNS ? null
            : changed ? this.engine.firstRow(step) : this.engine.row();
        series.add({ index, time, values, markers: this.engine.markers(markers.length) });
    }

    /* frames ----------------------------------------------------------------------------------- */

    protected jointCount(): number { return this.model!.joints.length + this.model!.couplings.length; }

    frame(wanted: Wanted): Frame {
        const e = this.engine, model = this.model!;
        return {
            time: this.replay ? this.history.present!.time : e.time(),
            numbers: e.numbersNow(),
            coordinates: this.coordinates(),
            list: e.draw(wanted.what, wanted.joint, wanted.whole),
            markers: e.markers(model.markers.length),
            wrenches: wanted.wrench === null || this.replay ? null : e.wrenches(model.joints.length, wanted.wrench),
            loads: wanted.loads && !this.replay ? e.loads() : null,
            row: wanted.row ? e.rowDirection(...wanted.row) : null,
            tracked: model.bodies[wanted.tracked] ? e.worldPoint(wanted.tracked, model.bodies[wanted.tracked]!.com) : null,
            trail: trailOf(this.history.series, wanted.trail, this.history.present!.time),
            vectors: this.vectors(wanted.vectors),
            failure: this.failure,
            start: this.history.start, end: this.history.end,
            frames: this.history.frames.length, at: this.history.at,
            events: this.history.events.length,
            canUndo: this.changes.canUndo, canRedo: this.changes.canRedo,
            cost: this.cost,
        };
    }

    protected vectors(wanted: number[][]): Float64Array | null {
        if (wanted.length === 0 || this.replay)
            return null;
        const row = this.engine.row(), places = this.engine.markers(this.model!.markers.length);
        return Float64Array.from(wanted.flatMap(([marker, ...columns]) =>
            [...places.subarray(3 * marker!, 3 * marker! + 3),
             ...columns.map((column) => Number.isFinite(row[column]) ? row[column]! : 0)])); /* unknown before a step: none */
    }

    protected simulate(until: number, deadline: number): void {
        const h = this.model!.step;
        while (this.failure === "" && performance.now() < deadline) {
            const left = Math.floor((until - this.engine.time()) / h + 1e-6);
            if (left < 1)
                break;
            const { series } = this.history, next = series.stepsToNext(series.stepAt(this.engine.time(), h));
            const { status, done } = this.engine.step(h, Math.min(left, next, 16));
            if (done > 0)
                this.sample(false);
            if (done > 0 && this.history.events.length < MOST_EVENTS)
                this.history.events.push(...this.engine.events());
            if (status !== 0)
                this.failure = this.engine.stepFailure();
        }
    }

    /* Goes on to a time: through the past as it was kept, then by steps, for at most budget ms. */
    advance(until: number, budget: number, wanted: Wanted): Frame {
        const start = performance.now();
        const history = this.history;
        this.settle();
        if (!history.atEnd) {
            const target = Math.max(history.find(until), history.at);
            if (target !== history.at)
                this.show(target);
        } else if (!this.replay) {
            const before = this.engine.time();
            this.simulate(until, start + budget);
            if (this.engine.time() > before)
                this.history.add(this.present());
        }
        this.cost = performance.now() - start;
        return this.frame(wanted);
    }

    /* One step of the model, from the state that is shown. */
    step(wanted: Wanted): Frame {
        if (this.replay)
            return this.seekFrame(this.history.at + 1, wanted);
        this.settle();
        this.history.cut();
        this.failure = "";
        this.simulate(this.engine.time() + 1.5 * this.model!.step, Infinity);
        this.history.add(this.present());
        return this.frame(wanted);
    }

    /* Steps until a time whatever it takes, for tests and films. */
    run(until: number, wanted: Wanted): Frame {
        this.settle();
        this.history.cut();
        this.simulate(until, Infinity);
        this.history.add(this.present());
        return this.frame(wanted);
    }

    /* The picture of a time that lies ahead: whole steps as ever, then a shorter one that is taken back. */
    picture(until: number, wanted: Wanted): Frame {
        if (this.replay)
            return this.seek(until, wanted);
        this.run(until, wanted);
        const rest = until - this.engine.time();
        if (this.failure !== "" || rest <= 1e-6 * this.model!.step)
            return this.frame(wanted);
        const here = this.engine.save();
        this.engine.step(rest, 1);
        const frame = this.frame(wanted);
        this.engine.restore(here);
        return frame;
    }

    protected show(index: number): void {
        const kept = this.history.frames[index];
        if (!kept)
            return;
        this.failure = "";
        this.between = false;
        this.bring(kept);
        this.history.at = index;
    }

    seek(time: number, wanted: Wanted): Frame {
        this.show(this.history.find(time));
        return this.frame(wanted);
    }

    protected between = false; /* what is shown lies between two states that are kept: it is computed from the first */
    /* The picture of exactly that time: from the state kept before it by whole steps, then a shorter one. What was
     * simulated stays as it is. Farther than budget ms of work it is the last whole step. */
    visit(time: number, budget: number, wanted: Wanted): Frame {
        this.show(this.history.find(time));
        const h = this.model!.step, deadline = performance.now() + budget, { engine } = this;
        if (this.replay || this.history.atEnd || time - engine.time() <= 1e-6 * h)
            return this.frame(wanted);
        this.between = true;
        let left = time - engine.time();
        while (left > (1 - 1e-6) * h && performance.now() < deadline && engine.step(h, 1).status === 0)
            left = time - engine.time();
        if (left > 1e-6 * h && left <= (1 + 1e-6) * h)
            engine.step(left, 1);
        return this.frame(wanted);
    }
    /* Whatever goes on begins at a state that is kept. */
    protected settle(): void {
        if (this.between)
            this.show(this.history.at);
    }
    seekFrame(index: number, wanted: Wanted): Frame {
        this.show(Math.min(Math.max(index, 0), this.history.frames.length - 1));
        return this.frame(wanted);
    }

    events(): StepEvent[] { return this.history.events; }

    columns(indices: number[]): Float64Array[] { return columnsOf(this.history.series.rows, indices); }
    csv(): string { return csvOf(this.history.series.rows, this.model!.columns); }

    /* Poses of all bodies over the history, [frames][bodies][7], for films in other programs. */
    poses(): { times: Float64Array; poses: Float64Array } {
        const bodies = this.model!.bodies.length, here = this.engine.save();
        const times = new Float64Array(this.history.frames.length);
        const poses = new Float64Array(times.length * bodies * 7);
        this.history.frames.forEach((frame, i) => {
            this.bring(frame);
            times[i] = frame.time;
            poses.set(this.engine.poses(bodies), i * bodies * 7);
        });
        this.engine.restore(here);
        return { times, poses };
    }
}
