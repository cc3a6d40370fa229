/* files.ts: models in and out of the page: files, the browser's memory, a link that carries the model. */
import type { App } from "./app.ts";
import { el, save } from "./ui/dom.ts";
import { besides, bytesOf, droppedIn, filesOf, isForeign, modelsIn, nameOf, tooMuch } from "./dropped.ts";
import type { Given } from "./dropped.ts";
import { isOutlines } from "./drawing/cutouts.ts";
import { codedFiles, fromBase64, toBase64 } from "./pagefile.ts";
import { t } from "./words/words.ts";

const MEMORY = "tenon-draft", PAUSE = 800; /* ms after a change before it is kept */
const MOST_LINK = 200_000, MOST_TEXT = 20_000_000, MOST_KEPT = 3_000_000; /* letters of a link, bytes of a text that is taken, of files that are kept */
const LINK = "#model=";

/* files: in base64. */
interface Draft { name: string; text: string; files?: Record<string, string> }
export type Named = [name: string, bytes: Uint8Array];
/* Of browsers that can write to the file that was opened. */
interface Handle { name: string; getFile(): Promise<File>; createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }> }
type Pickers = { showOpenFilePicker?: (options: object) => Promise<Handle[]>; showSaveFilePicker?: (options: object) => Promise<Handle> };

const YAML = [".yaml", ".yml", ".json"], FOREIGN = [".urdf", ".mjcf", ".xacro", ".xml"], MESHES = [".stl", ".obj", ".msh"], OUTLINES = [".dxf", ".svg"];
const TYPES = { types: [{ description: "Tenon model", accept: { "text/yaml": YAML } }] };
const OPENED = { multiple: true, types: [{ description: "Models, and the meshes that they name", accept: { "text/yaml": YAML,
    "application/xml": FOREIGN, "model/stl": MESHES, "image/vnd.dxf": OUTLINES } }] };

async function through(bytes: Uint8Array, stream: ReadableWritablePair<any, any>): Promise<Uint8Array> {
    return new Uint8Array(await new Response(new Blob([bytes as BlobPart]).stream().pipeThrough(stream)).arrayBuffer());
}

/* A text as the end of an address: packed, in letters that an address may have. */
export async function linkOf(draft: Draft): Promise<string> {
    const packed = await through(new TextEncoder().encode(JSON.stringify(draft)), new CompressionStream("deflate-raw"));
    return LINK + toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
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
    const { name, text, files } = (data ?? {}) as Partial<Draft>;
    return typeof text === "string" && typeof name === "string" ? { name, text, files } : null;
}
export function filesIn({ files }: Draft): Named[] {
    return Object.entries(files ?? {}).map(([name, coded]): Named => [name, fromBase64(String(coded))]);
}

export class Files {
    private handle: Handle | null = null;
    private kept = "";
    private timer = 0;
    private readonly input = document.createElement("input");

    constructor(private readonly app: App) {
        this.input.type = "file";
        this.input.accept = [...YAML, ...FOREIGN, ...MESHES, ...OUTLINES].join();
        this.input.multiple = true;
        this.input.addEventListener("change", () => {
            const given = [...this.input.files ?? []].map((file) => ({ path: file.name, file }));
            this.input.value = "";
            void this.take(given);
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
            if (file.type.startsWith("image/") && !isOutlines(file.name) && app.board.active) {
                void app.board.takePhoto(file);
                return;
            }
            this.handle = null;
            void filesOf(droppedIn(event.dataTransfer!)).then((given) => this.take(given))
                .catch((error) => app.tell(`what was dropped cannot be read: ${error}`));
        });
        window.addEventListener("hashchange", () => void draftIn(location.hash).then((draft) => {
            if (draft)
                void app.load(draft.text, draft.name, null, filesIn(draft));
        }));
        window.addEventListener("pagehide", () => this.keep());
    }

    private last: Given[] = []; /* what was given last: what is given next may belong to it */

    /* Files that were dropped or chosen together: one is the model, the others may belong to it. Without a model among
     * them they belong to what was given before. */
    private async take(given: Given[]): Promise<void> {
        const why = tooMuch(given), outlines = given.filter(({ path }) => isOutlines(path));
        if (why === "" && outlines.length > 0 && outlines.length === given.length) {
            this.app.start.close();
            for (const { path, file } of outlines)
                await this.app.board.takeOutlines(nameOf(path), await file.text());
            return;
        }
        let models = why === "" ? await modelsIn(given) : [];
        if (why === "" && models.length === 0 && this.last.length > 0) {
            given = [...this.last.filter(({ path }) => !given.some((one) => one.path === path)), ...given];
            models = await modelsIn(given);
        }
        const model = models.length > 1 ? await this.choose(models) : models[0];
        if (!model) {
            if (models.length === 0)
                this.app.tell(why || "none of these files is a model or a drawing: YAML, URDF, MJCF, DXF or SVG");
            return;
        }
        if (model.file.size > MOST_TEXT) {
            this.app.tell(`${model.path} is too large for a model`);
            return;
        }
        this.last = given;
        const text = await model.file.text(), files = await bytesOf(given.filter((one) => one !== model));
        if (isForeign(text, model.path)) /* may lie in a package with its meshes */
            await this.app.load(text, model.path, null, files);
        else
            await this.app.load(text, nameOf(model.path), null, besides(model.path, files));
        this.app.start.close();
    }

    /* Which of several models is meant. */
    private choose(models: Given[]): Promise<Given | undefined> {
        return new Promise((done) => {
            const dialog = el("dialog", { class: "choose", close: () => { done(undefined); dialog.remove(); } },
                el("h3", {}, t("Which model is meant?")), ...models.map((one) =>
                    el("button", { type: "button", click: () => { done(one); dialog.close(); } }, one.path)));
            document.body.append(dialog);
            dialog.showModal();
        });
    }

    async open(): Promise<void> {
        const { showOpenFilePicker } = window as unknown as Pickers;
        if (!showOpenFilePicker) {
            this.handle = null;
            this.input.click();
            return;
        }
        try {
            const handles = await showOpenFilePicker(OPENED);
            this.handle = null;
            await this.take(await Promise.all(handles.map(async (one) => ({ path: one.name, file: await one.getFile() }))));
            this.handle = handles.find((one) => one.name === this.app.name) ?? null; /* what is saved is a model of Tenon */
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
                this.app.tell(t("saved as {0}", this.handle.name));
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
        const hash = await linkOf({ name: this.app.name, text: await this.text(), files: codedFiles(this.app.brought) });
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
        const { source, name, recorded, first, brought } = this.app;
        if (recorded || source === "" || source === first || source === this.kept)
            return;
        this.kept = source;
        if (brought.reduce((sum, [, bytes]) => sum + bytes.length, 0) > MOST_KEPT)
            return;
        try {
            localStorage.setItem(MEMORY, JSON.stringify({ name, text: source, files: codedFiles(brought) }));
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
