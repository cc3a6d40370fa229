/* files.ts: models in and out of the page: files, the browser's memory, a link that carries the model. */
import type { App } from "./app.ts";
import { save } from "./ui/dom.ts";
import { fromBase64 } from "./pagefile.ts";

const MEMORY = "tenon-draft", PAUSE = 800; /* ms after a change before it is kept */
const MOST_LINK = 200_000, MOST_TEXT = 20_000_000; /* letters of a link, bytes of a text that is taken */
const LINK = "#model=";

interface Draft { name: string; text: string }
/* Of browsers that can write to the file that was opened. */
interface Handle { name: string; getFile(): Promise<File>; createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }> }
type Pickers = { showOpenFilePicker?: (options: object) => Promise<Handle[]>; showSaveFilePicker?: (options: object) => Promise<Handle> };

const TYPES = { types: [{ description: "Tenon model", accept: { "text/yaml": [".yaml", ".yml", ".json"] } }] };

async function through(bytes: Uint8Array, stream: ReadableWritablePair<any, any>): Promise<Uint8Array> {
    return new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(stream)).arrayBuffer());
}

/* A text as the end of an address: packed, in letters that an address may have. */
export async function linkOf(draft: Draft): Promise<string> {
    const packed = await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream("deflate-raw"));
    let letters = "";
    for (const byte of packed)
        letters += String.fromCharCode(byte);
    return LINK + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/* null: there is no model in it, or none that can be unpacked. */
export async function draftIn(hash: string): Promise<Draft | null> {
    if (!hash.startsWith(LINK) || hash.length > MOST_LINK)
        return null;
    try {
        const bytes = fromBase64(hash.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
        const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
        return text.length < MOST_TEXT ? draftOf(JSON.parse(text)) : null;
    } catch {
        return null;
    }
}
function draftOf(data: unknown): Draft | null {
    const { name, text } = (data ?? {}) as Partial<Draft>;
    return typeof text === "string" && typeof name === "string" ? { name, text } : null;
}

export class Files {
    private handle: Handle | null = null;
    private kept = "";
    private timer = 0;
    private readonly input = document.createElement("input");

    constructor(private readonly app: App) {
        this.input.type = "file";
        this.input.accept = ".yaml,.yml,.json";
        this.input.addEventListener("change", () => {
            const [file] = this.input.files ?? [];
            this.input.value = "";
            if (file)
                void this.take(file);
        });
        document.addEventListener("dragover", (event) => {
            if (event.dataTransfer?.types.includes("Files"))
                event.preventDefault();
        });
        document.addEventListener("drop", (event) => {
            const [file] = event.dataTransfer?.files ?? [];
            if (!file)
                return;
            event.preventDefault();
            if (file.type.startsWith("image/") && app.board.active) {
                void app.board.takePhoto(file);
                return;
            }
            this.handle = null;
            void this.take(file);
        });
        window.addEventListener("hashchange", () => void draftIn(location.hash).then((draft) => {
            if (draft)
                void app.load(draft.text, draft.name);
        }));
        window.addEventListener("pagehide", () => this.keep());
    }

    private async take(file: File): Promise<void> {
        if (file.size > MOST_TEXT) {
            this.app.tell(`${file.name} is too large for a model`);
            return;
        }
        await this.app.load(await file.text(), file.name);
        this.app.start.close();
    }

    async open(): Promise<void> {
        const { showOpenFilePicker } = window as unknown as Pickers;
        if (!showOpenFilePicker) {
            this.handle = null;
            this.input.click();
            return;
        }
        try {
            const [handle] = await showOpenFilePicker(TYPES);
            await this.take(await handle!.getFile());
            this.handle = handle!;
        } catch (error) {
            if ((error as Error).name !== "AbortError")
                this.input.click();
        }
    }

    private async text(): Promise<string> {
        return this.app.model && !this.app.recorded ? this.app.design().catch(() => this.app.source) : this.app.source;
    }

    /* Into the file that was opened where the browser may, else as a download. */
    async save(): Promise<void> {
        const text = await this.text(), name = this.app.fileName("yaml");
        const { showSaveFilePicker } = window as unknown as Pickers;
        try {
            if (showSaveFilePicker || this.handle) {
                this.handle ??= await showSaveFilePicker!({ ...TYPES, suggestedName: name });
                const out = await this.handle.createWritable();
                await out.write(text);
                await out.close();
                this.app.tell(`saved as ${this.handle.name}`);
                return;
            }
        } catch (error) {
            if ((error as Error).name === "AbortError")
                return;
            this.handle = null;
        }
        save(name, new Blob([text], { type: "text/yaml" }));
    }

    /* The address of this page with the model in it. */
    async link(): Promise<string> {
        const hash = await linkOf({ name: this.app.name, text: await this.text() });
        if (hash.length > MOST_LINK)
            throw new Error("the model is too large for a link");
        return location.href.replace(/#.*$/, "") + hash;
    }

    /* What is drawn is kept in the browser, so that it is there again after a crash. */
    changed(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.keep(), PAUSE);
    }
    private keep(): void {
        const { source, name, recorded, first } = this.app;
        if (recorded || source === "" || source === first || source === this.kept)
            return;
        this.kept = source;
        try {
            localStorage.setItem(MEMORY, JSON.stringify({ name, text: source }));
        } catch { /* no memory, or it is full */ }
    }
    draft(): Draft | null {
        try {
            return draftOf(JSON.parse(localStorage.getItem(MEMORY) ?? "null"));
        } catch {
            return null;
        }
    }
}
