/* history.ts: what has been simulated: states to go back to, and the rows recorded on the way.
 *
 * Memory is bounded: when the budget is used up every second frame is forgotten, so the whole time
 * stays reachable, more coarsely.
 */
import type { StepEvent } from "./engine.ts";
import { Series } from "./series.ts";

const BUDGET = 64e6; /* bytes, of states */
const SAME = 1e-12;  /* s */

export interface Kept {
    time: number; state: ArrayBuffer;
    number?: number; /* of a recording's rows */
}

export class History {
    frames: Kept[] = [];
    events: StepEvent[] = [];
    at = -1; /* index of the frame that is shown; the last one: the present */
    private bytes = 0;
    private stride = 1; /* of the frames offered, every stride-th is kept */
    private offered = 0;
    series = new Series();

    clear(): void {
        this.frames = [];
        this.events = [];
        this.at = -1;
        this.bytes = 0;
        this.stride = 1;
        this.offered = 0;
        this.series = new Series();
    }

    private static size(frame: Kept): number { return frame.state.byteLength + 64; }

    /* Takes what comes after the present frame away: the future is no longer what it was. */
    cut(): void {
        if (this.at + 1 >= this.frames.length)
            return;
        this.frames.length = this.at + 1;
        const end = this.frames[this.at]?.time ?? 0;
        this.events = this.events.filter((event) => event.time <= end);
        this.series.cut(end + 2 * SAME);
        this.bytes = this.frames.reduce((sum, frame) => sum + History.size(frame), 0);
    }

    /* Of a recording: rows below that number stay, and the next one follows the last of them. */
    keepBelow(number: number): void {
        this.at = this.frames.length - 1;
        while (this.at >= 0 && this.frames[this.at]!.number! >= number)
            this.at--;
        if (this.at < 0)
            this.clear();
        else
            this.cut();
    }

    /* A changed state is the present: what was there at its time and later is gone. */
    replace(frame: Kept): void {
        this.cut();
        while (this.frames.length > 0 && this.frames[this.frames.length - 1]!.time >= frame.time - SAME)
            this.bytes -= History.size(this.frames.pop()!);
        this.events = this.events.filter((event) => event.time <= frame.time);
        this.series.cut(frame.time);
        this.frames.push(frame);
        this.bytes += History.size(frame);
        this.at = this.frames.length - 1;
    }

    add(frame: Kept): void {
        this.cut();
        const last = this.frames.length - 1;
        if (last > 0 && this.offered++ % this.stride !== 0) {
            this.bytes += History.size(frame) - History.size(this.frames[last]!);
            this.frames[last] = frame; /* the newest is always there */
        } else {
            this.frames.push(frame);
            this.bytes += History.size(frame);
        }
        if (this.bytes > BUDGET && this.frames.length > 8)
            this.thin();
        this.at = this.frames.length - 1;
    }

    private thin(): void {
        const end = this.frames.length - 1;
        this.frames = this.frames.filter((_, i) => i % 2 === 0 || i === end);
        this.bytes = this.frames.reduce((sum, frame) => sum + History.size(frame), 0);
        this.stride *= 2;
    }

    /* The last frame at or before a time. */
    find(time: number): number {
        let low = 0, high = this.frames.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.frames[middle]!.time <= time + 1e-12)
                low = middle;
            else
                high = middle;
        }
        return low;
    }

    get atEnd(): boolean { return this.at === this.frames.length - 1; }
    get present(): Kept | undefined { return this.frames[this.at]; }
    get start(): number { return this.frames[0]?.time ?? 0; }
    get end(): number { return this.frames[this.frames.length - 1]?.time ?? 0; }
}
