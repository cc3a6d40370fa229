/* wasi.ts: what the engine asks of its system: files in memory, a stream of messages, nothing else.
 *
 * Files are a map from names to bytes (meshes of the model, texts the engine writes). There is no
 * clock, no environment and no network. Errors are WASI's numbers.
 */
const BADF = 8, INVAL = 28, NOENT = 44, NOSYS = 52, SUCCESS = 0;
const ROOT = 3; /* the folder that all files lie in */
const CREATES = 1, DIRECTORY = 2; /* flags of path_open */

interface OpenFile { name: string; at: number; data: Uint8Array; size: number; writes: boolean }

/* A path without empty parts, and without folders that it leaves again; nothing lies above the root. */
function plain(path: string): string {
    const parts: string[] = [];
    for (const part of path.split("/"))
        if (part === "..")
            parts.pop();
        else if (part !== "." && part !== "")
            parts.push(part);
    return parts.join("/");
}

export class System {
    readonly files = new Map<string, Uint8Array>();
    messages = ""; /* what went to standard output and error */
    private open = new Map<number, OpenFile>();
    private folders = new Map<number, string>([[ROOT, ""]]); /* open ones, by their paths */
    private next = ROOT + 1;
    private memory!: WebAssembly.Memory;
    private readonly utf8 = new TextDecoder();

    attach(memory: WebAssembly.Memory): void { this.memory = memory; }
    private get view(): DataView { return new DataView(this.memory.buffer); }
    private bytes(at: number, size: number): Uint8Array {
        return new Uint8Array(this.memory.buffer, at, size);
    }

    private append(file: OpenFile, bytes: Uint8Array): void {
        if (file.at + bytes.length > file.data.length) {
            const grown = new Uint8Array(2 * (file.at + bytes.length));
            grown.set(file.data);
            file.data = grown;
        }
        file.data.set(bytes, file.at);
        file.at += bytes.length;
        file.size = Math.max(file.size, file.at);
    }

    private write(fd: number, iovs: number, count: number, written: number): number {
        const file = this.open.get(fd);
        if (fd > 2 && !file?.writes)
            return BADF;
        let total = 0;
        for (let i = 0; i < count; i++) {
            const part = this.bytes(this.view.getUint32(iovs + 8 * i, true),
                                    this.view.getUint32(iovs + 8 * i + 4, true));
            if (file)
                this.append(file, part);
            else
                this.messages = (this.messages + this.utf8.decode(part)).slice(-100000);
            total += part.length;
        }
        this.view.setUint32(written, total, true);
        return SUCCESS;
    }

    private read(fd: number, iovs: number, count: number, done: number): number {
        const file = this.open.get(fd);
        if (!file)
            return BADF;
        let total = 0;
        for (let i = 0; i < count; i++) {
            const size = Math.min(this.view.getUint32(iovs + 8 * i + 4, true), file.size - file.at);
            this.bytes(this.view.getUint32(iovs + 8 * i, true), size)
                .set(file.data.subarray(file.at, file.at + size));
            file.at += size;
            total += size;
        }
        this.view.setUint32(done, total, true);
        return SUCCESS;
    }

    private seek(fd: number, offset: bigint, whence: number, result: number): number {
        const file = this.open.get(fd);
        if (!file)
            return BADF;
        const at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? file.at : file.size);
        if (at < 0)
            return INVAL;
        file.at = at;
        this.view.setBigUint64(result, BigInt(at), true);
        return SUCCESS;
    }

    private close(fd: number): number {
        const file = this.open.get(fd);
        if (file?.writes)
            this.files.set(file.name, file.data.slice(0, file.size));
        return this.open.delete(fd) || (fd !== ROOT && this.folders.delete(fd)) ? SUCCESS : BADF;
    }

    loose = false; /* a file that lies in no folder is found under any */
    file(path: string): Uint8Array | undefined {
        const name = plain(path);
        return this.files.get(name) ?? (this.loose ? this.files.get(name.slice(name.lastIndexOf("/") + 1)) : undefined);
    }
    private hasFolder(name: string): boolean {
        return name === "" || this.loose || [...this.files.keys()].some((one) => one.startsWith(name + "/"));
    }
    /* A path below an open folder; undefined: it is not open. */
    private below(fd: number, path: number, size: number): string | undefined {
        const folder = this.folders.get(fd);
        return folder === undefined ? undefined : plain(`${folder}/${this.utf8.decode(this.bytes(path, size))}`);
    }

    private openPath(fd: number, path: number, size: number, flags: number, result: number): number {
        const name = this.below(fd, path, size);
        if (name === undefined)
            return BADF;
        if ((flags & DIRECTORY) !== 0) {
            if (!this.hasFolder(name))
                return NOENT;
            this.folders.set(this.next, name);
            this.view.setUint32(result, this.next++, true);
            return SUCCESS;
        }
        const creates = (flags & CREATES) !== 0;
        const data = this.file(name);
        if (!data && !creates)
            return NOENT;
        const fresh = creates || !data;
        this.open.set(this.next, { name, at: 0, data: fresh ? new Uint8Array(4096) : data,
                                   size: fresh ? 0 : data.length, writes: fresh });
        this.view.setUint32(result, this.next++, true);
        return SUCCESS;
    }

    private prestat(fd: number, out: number): number {
        if (fd !== ROOT)
            return BADF;
        this.view.setUint32(out, 0, true);
        this.view.setUint32(out + 4, 1, true);
        return SUCCESS;
    }

    private prestatName(fd: number, out: number): number {
        if (fd !== ROOT)
            return BADF;
        this.bytes(out, 1)[0] = 0x2e; /* "." */
        return SUCCESS;
    }

    private fdstat(fd: number, out: number): number {
        if (fd > 2 && !this.folders.has(fd) && !this.open.has(fd))
            return BADF;
        this.bytes(out, 24).fill(0);
        this.view.setUint8(out, this.folders.has(fd) ? 3 : fd < 3 ? 2 : 4);
        this.view.setBigUint64(out + 8, ~0n, true);
        this.view.setBigUint64(out + 16, ~0n, true);
        return SUCCESS;
    }

    private filestat(fd: number, out: number): number {
        const file = this.open.get(fd);
        if (!file)
            return BADF;
        this.bytes(out, 64).fill(0);
        this.view.setUint8(out + 16, 4);
        this.view.setBigUint64(out + 32, BigInt(file.size), true);
        return SUCCESS;
    }

    private pathStat(fd: number, path: number, size: number, out: number): number {
        const data = this.file(this.below(fd, path, size) ?? "");
        if (!data)
            return NOENT;
        this.bytes(out, 64).fill(0);
        this.view.setUint8(out + 16, 4);
        this.view.setBigUint64(out + 32, BigInt(data.length), true);
        return SUCCESS;
    }

    /* What a module imports; what it should never need answers "not there". */
    imports(module: WebAssembly.Module): WebAssembly.Imports {
        const calls: Record<string, Function> = {
            fd_write: this.write.bind(this),
            fd_read: this.read.bind(this),
            fd_seek: this.seek.bind(this),
            fd_close: this.close.bind(this),
            fd_prestat_get: this.prestat.bind(this),
            fd_prestat_dir_name: (fd: number, out: number) => this.prestatName(fd, out),
            fd_fdstat_get: this.fdstat.bind(this),
            fd_fdstat_set_flags: () => SUCCESS,
            environ_get: () => SUCCESS,
            environ_sizes_get: (count: number, size: number) => {
                this.view.setUint32(count, 0, true);
                this.view.setUint32(size, 0, true);
                return SUCCESS;
            },
            fd_filestat_get: this.filestat.bind(this),
            path_filestat_get: (fd: number, _follow: number, path: number, size: number, out: number) =>
                this.pathStat(fd, path, size, out),
            path_open: (fd: number, _follow: number, path: number, size: number, flags: number,
                        _base: bigint, _inheriting: bigint, _fdflags: number, result: number) =>
                this.openPath(fd, path, size, flags, result),
            proc_exit: (code: number) => { throw new Error(`the engine stopped (${code})`); },
        };
        const wanted: Record<string, Function> = {};
        for (const { name } of WebAssembly.Module.imports(module))
            wanted[name] = calls[name] ?? (() => NOSYS);
        return { wasi_snapshot_preview1: wanted as Record<string, WebAssembly.ImportValue> };
    }
}
