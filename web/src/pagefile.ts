/* pagefile.ts: what `tenon view` put into the page, and the page again with another model.
 *
 * The data are inert script elements: a JSON object and the engine, gzipped, in base64.
 */
import type { Exhibit } from "./gallery.ts";
import type { Recording } from "./recording.ts";

export interface PageModel {
    name: string; text: string; files: Record<string, string>; play: number | null;
    watched?: number; /* the number of this reading: the page follows the files of its model (watch.ts) */
    live?: number; /* of the last row of its recording: the page follows a simulation (live.ts) */
    gallery?: Exhibit[]; /* instead of one model */
    recording?: { name: string; columns: string[]; rows: string }; /* rows: doubles, in base64 */
}

function element(id: string): HTMLElement { return document.getElementById(id)!; }

export function pageModel(): PageModel {
    return JSON.parse(element("tenon-model").textContent || "{}");
}

export function fromBase64(text: string): Uint8Array {
    const coded = atob(text), bytes = new Uint8Array(coded.length);
    for (let i = 0; i < coded.length; i++)
        bytes[i] = coded.charCodeAt(i);
    return bytes;
}

export function toBase64(bytes: Uint8Array): string {
    let letters = "";
    for (let i = 0; i < bytes.length; i += 0x8000) /* more values than a call can have otherwise */
        letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(letters);
}

export function recordingOf(page: PageModel): Recording | null {
    const { recording } = page;
    return recording ? { ...recording, rows: new Float64Array(fromBase64(recording.rows).buffer) } : null;
}

/* In base64, gzipped. */
export function packedEngine(): string { return element("tenon-engine").textContent!.trim(); }

export async function unpacked(engine: string): Promise<ArrayBuffer> {
    const stream = new Blob([fromBase64(engine) as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

export function codedFiles(files: [string, Uint8Array][]): Record<string, string> {
    return Object.fromEntries(files.map(([name, bytes]) => [name, toBase64(bytes)]));
}

/* JSON in a script element: what could end the element is written differently. */
export function inert(data: unknown): string {
    return JSON.stringify(data).replace(/</g, "\\u003c").replace(/\u2028/g, "\\u2028")
        .replace(/\u2029/g, "\\u2029");
}

/* The page as a text, with this model and its files in place of its own. */
export function currentPage(text: string, name: string, files: [string, Uint8Array][]): string {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    copy.removeAttribute("data-theme");
    copy.removeAttribute("data-ready");
    for (const added of copy.querySelectorAll("head > style:not([id])"))
        added.remove(); /* the editor's, which makes them again */
    copy.querySelector("#app")!.replaceChildren();
    copy.querySelector("#tenon-model")!.textContent =
        inert({ ...pageModel(), text, name, files: { ...pageModel().files, ...codedFiles(files) }, gallery: undefined, recording: undefined, watched: undefined, live: undefined });
    return `<!DOCTYPE html>\n${copy.outerHTML}\n`;
}
