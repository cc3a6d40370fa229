/* numbers.ts: the record's numbers over a history, as plots and files want them. */
import type { History } from "./history.ts";

/* Columns of the record, by index: the times first. */
export function columnsOf(history: History, indices: number[]): Float64Array[] {
    const rows = history.frames.filter((frame) => frame.row !== null);
    const times = Float64Array.from(rows, (frame) => frame.time);
    return [times, ...indices.map((k) => Float64Array.from(rows, (frame) => frame.row![k]!))];
}

export function csvOf(history: History, columns: string[]): string {
    const lines = [columns.join(",")];
    for (const frame of history.frames)
        if (frame.row)
            lines.push(Array.from(frame.row, (x) => String(x)).join(","));
    return lines.join("\r\n") + "\r\n";
}
