/* live.ts: the page of `sim.show()` in Python follows a simulation: it requests the rows that came since from the server
 * that it came from, on this machine, and plays them at the speed that is chosen.
 */
import type { App } from "./app.ts";
import { fromBase64 } from "./pagefile.ts";

const PAUSE = 100; /* ms between requests */

/* rows: doubles, in base64, that follow row number from - 1. */
interface Rows { last: number; from: number; rows: string }

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, PAUSE));

/* Until the simulation has ended, or another model is opened. last: the newest row that is there. */
export async function live(app: App, last: number): Promise<void> {
    const document = app.opens;
    app.following("Python");
    app.live = true;
    app.play();
    for (; app.opens === document; await pause()) {
        let more: Rows | null;
        try {
            const answer = await fetch(`rows?${last}`);
            if (!answer.ok)
                throw new Error(answer.statusText);
            more = answer.status === 204 ? null : await answer.json();
        } catch {
            app.tell("the simulation in Python has ended: what it sent remains");
            break;
        }
        if (!more || app.opens !== document)
            continue;
        last = more.last;
        await app.extend(more.from, new Float64Array(fromBase64(more.rows).buffer));
    }
    app.live = false;
    app.following("");
}
