/* watch.ts: the page of `tenon view --watch` follows the files of its model: it asks the server that it came from, on this
 * machine, for readings newer than its own. */
import type { App } from "./app.ts";
import type { Problem } from "./engine.ts";
import { fromBase64 } from "./pagefile.ts";
import type { PageModel } from "./pagefile.ts";

const PAUSE = 300; /* ms between questions */

/* model: null: the file has mistakes. */
interface Reading { number: number; file: string; model: PageModel | null; problems: Problem[] }

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, PAUSE));

/* Until the server is gone, or another model is opened. number: of the reading that is shown. */
export async function watch(app: App, number: number): Promise<void> {
    app.following(app.name);
    const document = app.opens;
    for (;; await pause()) {
        if (app.opens !== document) { /* another model was opened here */
            app.following("");
            return;
        }
        let reading: Reading | null;
        try {
            const answer = await fetch(`model?${number}`);
            if (!answer.ok)
                throw new Error(answer.statusText);
            reading = answer.status === 204 ? null : await answer.json();
        } catch {
            app.following("");
            app.tell("tenon view has ended: the page no longer follows the file", true);
            return;
        }
        if (!reading)
            continue;
        number = reading.number;
        const { model } = reading;
        await app.follow(reading.file, model && { name: model.name, text: model.text, files:
            Object.entries(model.files ?? {}).map(([name, coded]): [string, Uint8Array] => [name, fromBase64(coded)]) },
            reading.problems);
    }
}
