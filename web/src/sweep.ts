/* sweep.ts: one number varied: a coordinate set to values one after the other, or a parameter in runs of its own.
 *
 * Runs are those of `tenon run`: the model read with another value, steps up to its duration. They are cut into parts, so that the
 * page can do something else between two of them.
 */
import type { Engine, Grid, Model } from "./engine.ts";

/* reached: the value, or where it was stopped. outcome: "set", or why not. */
export interface Pose { reached: number; outcome: string; coordinates: Float64Array; markers: Float64Array }

/* The pose is as before at the end; each value goes on from the pose of the one before. */
export function posesAlong(engine: Engine, joint: number, coordinate: number, values: number[], joints: number, markers: number): Pose[] {
    const here = engine.save();
    let last = here; /* a value that cannot be had leaves the one before */
    const poses = values.map((value): Pose => {
        const { status, outcome, value: reached } = engine.setCoordinate(joint, coordinate, value);
        if (status === 0 && outcome === "set")
            last = engine.save();
        else
            engine.restore(last);
        return { reached, outcome: status === 0 ? outcome : "cannot", coordinates: engine.coordinates(joints), markers: engine.markers(markers) };
    });
    engine.restore(here);
    return poses;
}

/* What a column of the record was like up to a time. failure: why the run ended; "": it did not. */
export interface Outcome { done: boolean; time: number; failure: string; low: number; high: number; last: number }

export class Run {
    private readonly grid: Grid;
    private k = 0;
    private readonly out: Outcome = { done: false, time: 0, failure: "", low: Infinity, high: -Infinity, last: NaN };

    constructor(private readonly engine: Engine, model: Model, private readonly column: number) {
        this.grid = engine.grid(model.step, model.duration, NaN);
        this.note(engine.firstRow(this.grid.length(0, 0)));
    }
    private note(row: Float64Array): void {
        const value = row[this.column] ?? NaN;
        this.out.last = value;
        if (Number.isFinite(value)) {
            this.out.low = Math.min(this.out.low, value);
            this.out.high = Math.max(this.out.high, value);
        }
    }
    /* Steps for so many ms. */
    advance(budget: number): Outcome {
        const { engine, grid, out } = this, until = performance.now() + budget;
        while (this.k < grid.steps && out.failure === "" && performance.now() < until) {
            const { status } = engine.step(grid.length(this.k, engine.time()), 1);
            if (status !== 0)
                out.failure = engine.stepFailure();
            else
                this.note(engine.row());
            this.k++;
        }
        out.time = engine.time();
        out.done = out.failure !== "" || this.k >= grid.steps;
        return { ...out };
    }
}
