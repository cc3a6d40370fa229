/* worker.ts: answers the page's requests, one after the other. */
import { Queue } from "./queue.ts";
import { Session } from "./session.ts";

const queue = new Queue(); /* loading waits for its module: nothing else may come between */
const session = new Session() as unknown as Record<string, (...values: unknown[]) => unknown>;

/* Buffers that may change hands instead of being copied. */
function buffers(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
    if (ArrayBuffer.isView(value))
        found.push(value.buffer as ArrayBuffer);
    else if (Array.isArray(value) ? value.length < 64 : value !== null && typeof value === "object")
        for (const part of Object.values(value as object))
            buffers(part, found);
    return found;
}

self.onmessage = (message: MessageEvent) => void queue.run(async () => {
    const { id, call, values } = message.data as { id: number; call: string; values: unknown[] };
    try {
        const result = await session[call]!(...values);
        const moved = call === "frame" || call === "advance" || call === "step" ||
            call === "seek" || call === "seekFrame" || call === "visit" ? [...new Set(buffers(result))] : [];
        (self as unknown as Worker).postMessage({ id, result }, moved);
    } catch (error) {
        (self as unknown as Worker).postMessage({ id, error: String(error) });
    }
});
