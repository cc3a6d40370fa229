/* numbers.ts: the record's numbers at even times, as plots and files want them. */
import type { Row } from "./series.ts";

/* Columns of the record, by index: the times first. */
export function columnsOf(all: Row[], indices: number[]): Float64Array[] {
    const rows = all.filter((row) => row.values !== null);
    const times = Float64Array.from(rows, (row) => row.time);
    return [times, ...indices.map((k) => Float64Array.from(rows, (row) => row.values![k]!))];
}

export function csvOf(rows: Row[], columns: string[]): string {
    const lines = [columns.join(",")];
    for (const { values } of rows)
        if (values)
            lines.push(Array.from(values, (x) => String(x)).join(","));
    return lines.join("\r\n") + "\r\n";
}

/* Where a column of the record turns back: the top of the parabola through three rows. */
export interface Turn { column: number; time: number; value: number; high: boolean }
const RIPPLE = 1e-4; /* of a column's range: what it goes back by less is none */
const MOST_TURNS = 400;

export function turnsOf([times, ...data]: Float64Array[], columns: number[]): Turn[] {
    return data.flatMap((values, k) => turnsIn(times!, values).map((one) => ({ column: columns[k]!, ...one })))
        .sort((a, b) => a.time - b.time).slice(0, MOST_TURNS);
}
function turnsIn(times: Float64Array, values: Float64Array): Omit<Turn, "column">[] {
    const found: Omit<Turn, "column">[] = [], low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const least = Math.max(RIPPLE * (high - low), Number.MIN_VALUE);
    let way = 0, best = 0; /* the row of the farthest value on the present way */
    for (let i = 1; i < values.length; i++) {
        const gone = (values[i]! - values[best]!) * (way || 1);
        if (way === 0) {
            if (Math.abs(gone) >= least)
                [way, best] = [Math.sign(gone), i];
        } else if (gone >= 0) {
            best = i;
        } else if (-gone >= least) {
            if (best > 0)
                found.push({ ...top(times, values, best), high: way > 0 });
            [way, best] = [-way, i];
        }
    }
    return found;
}
function top(times: Float64Array, values: Float64Array, i: number): { time: number; value: number } {
    const [a, b, c] = [values[i - 1]!, values[i]!, values[i + 1]!], bend = a - 2 * b + c;
    const share = bend === 0 ? 0 : Math.max(-1, Math.min(1, (a - c) / (2 * bend)));
    return { time: times[i]! + share * (share < 0 ? times[i]! - times[i - 1]! : times[i + 1]! - times[i]!), value: b - (a - c) * share / 4 };
}
