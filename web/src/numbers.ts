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
