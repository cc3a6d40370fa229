/* client.ts: the page's end of the worker: each method of Session as a promise. */
import type { Session } from "./session.ts";

type Answer<F> = F extends (...values: infer A) => infer R ? (...values: A) => Promise<Awaited<R>>
                                                           : never;
export type Client = { [K in keyof Session]: Answer<Session[K]> };

export function connect(source: string): Client {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(url);
    const waiting = new Map<number, { done: (value: unknown) => void; failed: (why: Error) => void }>();
    let next = 0;
    worker.onmessage = (message) => {
        const { id, result, error } = message.data;
        const call = waiting.get(id)!;
        waiting.delete(id);
        if (error !== undefined)
            call.failed(new Error(error));
        else
            call.done(result);
    };
    return new Proxy({} as Client, {
        get: (_, call: string) => call === "then" ? undefined : (...values: unknown[]) =>
            new Promise((done, failed) => {
                waiting.set(++next, { done, failed });
                worker.postMessage({ id: next, call, values });
            }),
    });
}
