/* series.ts: what is recorded along a simulation: rows at even times, whatever pictures are shown.
 *
 * A row is taken after every step; of long records after every stride-th, a power of two, so that all rows
 * kept are rows of the finer grid.
 */
const BUDGET = 32e6; /* bytes */
const SAME = 1e-12;  /* s */

export interface Row {
    index: number; /* of the step since the first row */
    time: number;
    values: Float64Array | null; /* of the record's columns; null: there are too many */
    markers: Float64Array;       /* [markers][3] m */
}

let versions = 0;

export class Series {
    rows: Row[] = [];
    version = ++versions; /* another one when rows were taken away or replaced */
    private stride = 1;
    private bytes = 0;

    get start(): number | undefined { return this.rows[0]?.time; }

    /* The step, counted from the first row, that ends at a time. */
    stepAt(time: number, h: number): number { return Math.round((time - (this.start ?? time)) / h); }
    /* Steps from there to the next row. */
    stepsToNext(step: number): number { return this.stride - step % this.stride; }
    isDue(step: number): boolean { return step % this.stride === 0; }

    private static size(row: Row): number { return (row.values?.byteLength ?? 0) + row.markers.byteLength + 96; }

    /* Rows of the future, and of the present, are gone. */
    cut(time: number): void {
        const kept = this.rows.length;
        while (this.rows.length > 0 && this.rows[this.rows.length - 1]!.time >= time - SAME)
            this.bytes -= Series.size(this.rows.pop()!);
        if (this.rows.length < kept)
            this.version = ++versions;
    }

    add(row: Row): void {
        this.cut(row.time);
        this.rows.push(row);
        this.bytes += Series.size(row);
        if (this.bytes > BUDGET && this.rows.length > 8)
            this.thin();
    }

    private thin(): void {
        this.stride *= 2;
        this.rows = this.rows.filter((row) => row.index % this.stride === 0);
        this.bytes = this.rows.reduce((sum, row) => sum + Series.size(row), 0);
        this.version = ++versions;
    }

    /* How many rows there are up to a time. */
    countTo(time: number): number {
        let low = 0, high = this.rows.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.rows[middle]!.time <= time + SAME)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
}

/* The ways of the markers: the rows that the page has not got yet. */
export interface Trail {
    version: number; from: number; /* row that points begin with */
    points: Float64Array;          /* [rows][markers][3] m */
    shown: number;                 /* rows up to the present */
}
export interface KnownTrail { version: number; rows: number }

export function trailOf(series: Series, known: KnownTrail, time: number): Trail {
    const from = known.version === series.version ? known.rows : 0;
    const fresh = series.rows.slice(from), size = fresh[0]?.markers.length ?? 0;
    const points = new Float64Array(fresh.length * size);
    fresh.forEach((row, k) => points.set(row.markers, k * size));
    return { version: series.version, from, points, shown: series.countTo(time) };
}
