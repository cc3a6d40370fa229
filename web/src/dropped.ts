/* dropped.ts: files and folders that are dropped or chosen together: which of them is the model, and what the others
 * are called beside it. */

const MOST_FILES = 4000, MOST_BYTES = 512 * 2 ** 20, DEEPEST = 16; /* of one drop */

/* A file by its path within what was dropped. */
export interface Given { path: string; file: File }

/* What browsers have of the File System standard: files and folders that were dropped. */
interface Handle { kind: "file" | "directory"; name: string; getFile(): Promise<File>; values(): AsyncIterable<Handle> }
type Item = DataTransferItem & { getAsFileSystemHandle?: () => Promise<Handle | null> };

/* One thing of a drop. Where both are there a handle is read: entries cannot be where the page is a file itself. */
interface Dropped { handle: Promise<Handle | null> | null; entry: FileSystemEntry | null; file: File | null }

/* What was dropped; it must be taken before anything is waited for. */
export function droppedIn(data: DataTransfer): Dropped[] {
    return [...data.items].filter((item) => item.kind === "file").map((item: Item) => ({
        handle: item.getAsFileSystemHandle?.().catch(() => null) ?? null,
        entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
}

async function gather(folder: Handle, path: string, depth: number, out: Given[]): Promise<void> {
    for await (const one of folder.values()) {
        if (out.length > MOST_FILES || depth > DEEPEST)
            return;
        if (one.kind === "directory")
            await gather(one, `${path}${one.name}/`, depth + 1, out);
        else
            out.push({ path: path + one.name, file: await one.getFile() });
    }
}

function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
    const reader = folder.createReader(), all: FileSystemEntry[] = [];
    return new Promise((done, failed) => {
        const more = (): void => reader.readEntries((some) => {
            all.push(...some);
            if (some.length === 0 || all.length > MOST_FILES)
                done(all);
            else
                more();
        }, failed);
        more();
    });
}

/* The same of browsers that have entries alone. */
async function gatherEntries(folder: FileSystemDirectoryEntry, path: string, depth: number, out: Given[]): Promise<void> {
    for (const one of await childrenOf(folder)) {
        if (out.length > MOST_FILES || depth > DEEPEST)
            return;
        if (one.isDirectory)
            await gatherEntries(one as FileSystemDirectoryEntry, `${path}${one.name}/`, depth + 1, out);
        else
            out.push({ path: path + one.name, file: await new Promise<File>((done, failed) =>
                (one as FileSystemFileEntry).file(done, failed)) });
    }
}

/* All files of a drop, those in its folders too. */
export async function filesOf(dropped: Dropped[]): Promise<Given[]> {
    const out: Given[] = [];
    for (const { handle, entry, file } of dropped) {
        const held = await handle;
        if (held?.kind === "directory")
            await gather(held, `${held.name}/`, 1, out);
        else if (!held && entry?.isDirectory)
            await gatherEntries(entry as FileSystemDirectoryEntry, `${entry.name}/`, 1, out);
        else if (file)
            out.push({ path: file.name, file });
    }
    return out;
}

/* Why they are too much; "": they are not. */
export function tooMuch(given: Given[]): string {
    const bytes = given.reduce((sum, { file }) => sum + file.size, 0);
    return given.length > MOST_FILES ? `these are more than ${MOST_FILES} files`
        : bytes > MOST_BYTES ? `these files are larger than ${MOST_BYTES / 2 ** 20} MiB` : "";
}

const MODEL = /\.(ya?ml|json|urdf|mjcf|xacro|xml)$/i;

/* The files that a model can be, those first that no other names: a scene before the robot that it includes. */
export async function modelsIn(given: Given[]): Promise<Given[]> {
    const texts = await Promise.all(given.filter(({ path }) => MODEL.test(path))
        .map(async (one) => ({ one, text: await one.file.text() })));
    const own = texts.filter(({ one, text }) => !/\.(xml|json)$/i.test(one.path) || /<(robot|mujoco|sdf)\b|^\s*"?tenon/m.test(text));
    const among = own.length > 0 ? own : texts;
    const free = among.filter(({ one }) => !among.some((other) => other.one !== one && other.text.includes(nameOf(one.path))));
    return (free.length > 0 ? free : among).map(({ one }) => one);
}

export function nameOf(path: string): string { return path.slice(path.lastIndexOf("/") + 1); }

export async function bytesOf(given: Given[]): Promise<[string, Uint8Array][]> {
    return Promise.all(given.map(async ({ path, file }): Promise<[string, Uint8Array]> =>
        [path, new Uint8Array(await file.arrayBuffer())]));
}

/* Files by the names that a model in one of their folders has for them: below it, or, as the page has no folder above, from the
 * folder that they share. */
export function besides(model: string, files: [string, Uint8Array][]): [string, Uint8Array][] {
    const folder = model.slice(0, model.lastIndexOf("/") + 1), top = model.slice(0, model.indexOf("/") + 1);
    return files.map(([path, bytes]) => [path.slice((path.startsWith(folder) ? folder : top).length), bytes]);
}

/* Is a text XML? As the engine decides (src/io/foreign.c). */
export function isForeign(text: string, name: string): boolean {
    return /^\uFEFF?[ \t\r\n]*</.test(text) || /\.(urdf|mjcf|xacro|xml)$/.test(name);
}
