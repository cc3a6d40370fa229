/* recording.ts: a motion that was recorded by the tool, or comes from a simulation elsewhere, to be shown instead of simulated.
 *
 * Its columns are found by the names that the recorder gives them; numbers are SI and radians.
 */
import { COORDINATES } from "./engine.ts";
import type { Model } from "./engine.ts";

export interface Recording { name: string; columns: string[]; rows: Float64Array }

const POSE = ["px", "py", "pz", "qw", "qx", "qy", "qz"];
const VELOCITY = ["vx", "vy", "vz", "wx", "wy", "wz"];

/* "loop.lambda2 (not unique)" is loop.lambda2. */
function plain(name: string): string { return name.replace(/ \(.*$/, ""); }

export class Replay {
    private readonly rows: Float64Array[] = [];
    private readonly at: Map<string, number>;
    private readonly slots: [number, number][] = []; /* [column, place among all coordinates] */
    private readonly shown: number[]; /* the recording's column for each of the model's; or -1 */

    constructor(private readonly recording: Recording, private readonly model: Model) {
        this.at = new Map(recording.columns.map((name, k) => [plain(name), k]));
        this.shown = model.columns.map((name) => this.at.get(plain(name)) ?? -1);
        model.joints.forEach((joint, j) => joint.coordinates.forEach((one, i) => {
            const column = this.at.get(`${joint.name}.${one.name}`);
            if (column !== undefined)
                this.slots.push([column, j * COORDINATES + i]);
        }));
    }

    get count(): number { return this.rows.length; }

    /* Rows from number `from` on, in place of those that were there. */
    extend(from: number, rows: Float64Array): void {
        const size = this.recording.columns.length;
        this.rows.length = Math.min(from, this.rows.length);
        for (let at = 0; at < rows.length; at += size)
            this.rows.push(rows.subarray(at, at + size));
    }

    private value(k: number, column: number): number { return this.rows[k]![column]!; }
    private named(k: number, owner: string, field: string): number {
        const column = this.at.get(`${owner}.${field}`);
        return column === undefined ? NaN : this.value(k, column);
    }

    time(k: number): number { return this.value(k, 0); }

    /* [bodies][13]: pose and velocity; NaN where nothing is recorded. */
    bodies(k: number): Float64Array {
        const all = this.model.bodies.map(({ name }) => {
            if (!this.model.planar)
                return [...POSE, ...VELOCITY].map((field) => this.named(k, name, field));
            const half = this.named(k, name, "angle") / 2;
            return [this.named(k, name, "x"), this.named(k, name, "y"), 0, Math.cos(half), 0, 0,
                    Math.sin(half), this.named(k, name, "vx"), this.named(k, name, "vy"), 0, 0, 0,
                    this.named(k, name, "w")];
        });
        return Float64Array.from(all.flat());
    }

    /* The model's columns as they were recorded. */
    row(k: number): Float64Array {
        return Float64Array.from(this.shown, (column) => column < 0 ? NaN : this.value(k, column));
    }

    /* Coordinates as they were recorded, turns counted, over those of the poses. */
    correct(k: number, coordinates: Float64Array): void {
        for (const [column, place] of this.slots)
            coordinates[place] = this.value(k, column);
    }
}
