/* film.ts: pictures one after the other as a file: WebM, GIF, or PNG pictures in a ZIP.
 *
 * In: canvases of one size, each when it is drawn, and how many there are a second of film. Times are those of the pictures,
 * not of the clock: however long a picture takes, the film is the same. Sources: WebM container guidelines with the EBML of
 * RFC 8794; GIF89a; PKWARE's APPNOTE 6.3 without compression.
 */
export interface Film {
    add(canvas: HTMLCanvasElement): Promise<void>;
    end(): Promise<Blob>;
}
export type FilmKind = "webm" | "gif" | "zip";

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (...parts: (number[] | Uint8Array)[]): Bytes => {
    const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
    parts.reduce((at, one) => { all.set(one, at); return at + one.length; }, 0);
    return all;
};
const text = (words: string): number[] => [...words].map((letter) => letter.charCodeAt(0));
/* Whole numbers, the low byte first, or the high one. */
const low = (value: number, count: number): number[] => Array.from({ length: count }, (_, k) => Math.floor(value / 256 ** k) % 256);
const high = (value: number, count: number): number[] => low(value, count).reverse();

/* WebM ---------------------------------------------------------------------------------------- */

const KEY_EVERY = 2;       /* s: a picture that stands alone, which begins a cluster */
const BITS = 0.15;         /* a pixel and picture */
const MOST_WAITING = 8;    /* pictures in the encoder */

const element = (id: number[], ...parts: (number[] | Uint8Array)[]): Bytes => {
    const body = bytesOf(...parts);
    return bytesOf(id, [0x01, ...high(body.length, 7)], body);
};
const whole = (id: number[], value: number): Bytes => element(id, high(value, value < 256 ? 1 : 4));
function real(id: number[], value: number): Bytes {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    return element(id, bytes);
}

interface Chunk { data: Bytes; key: boolean; time: number } /* ms */

function webmOf(codec: string, width: number, height: number, rate: number, chunks: Chunk[]): Blob {
    const head = element([0x1a, 0x45, 0xdf, 0xa3], whole([0x42, 0x86], 1), whole([0x42, 0xf7], 1), whole([0x42, 0xf2], 4),
        whole([0x42, 0xf3], 8), element([0x42, 0x82], text("webm")), whole([0x42, 0x87], 4), whole([0x42, 0x85], 2));
    const info = element([0x15, 0x49, 0xa9, 0x66], whole([0x2a, 0xd7, 0xb1], 1_000_000), real([0x44, 0x89], 1000 * chunks.length / rate),
        element([0x4d, 0x80], text("Tenon")), element([0x57, 0x41], text("Tenon")));
    const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], whole([0xd7], 1), whole([0x73, 0xc5], 1), whole([0x83], 1),
        element([0x86], text(codec)), whole([0x23, 0xe3, 0x83], Math.round(1e9 / rate)),
        element([0xe0], whole([0xb0], width), whole([0xba], height))));
    const clusters: Bytes[] = [];
    let blocks: Bytes[] = [], start = 0;
    const close = () => {
        if (blocks.length > 0)
            clusters.push(element([0x1f, 0x43, 0xb6, 0x75], whole([0xe7], start), ...blocks));
        blocks = [];
    };
    for (const { data, key, time } of chunks) {
        if (key) {
            close();
            start = time;
        }
        blocks.push(element([0xa3], [0x81, ...high(time - start, 2), key ? 0x80 : 0], data));
    }
    close();
    return new Blob([head, element([0x18, 0x53, 0x80, 0x67], info, tracks, ...clusters)], { type: "video/webm" });
}

async function webm(width: number, height: number, rate: number): Promise<Film> {
    const bitrate = Math.round(BITS * width * height * rate);
    const offered = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]].map(([codec, name]) =>
        ({ name: name!, config: { codec: codec!, width, height, bitrate, framerate: rate } }));
    let chosen: (typeof offered)[0] | undefined;
    for (const one of typeof VideoEncoder === "undefined" ? [] : offered)
        chosen ??= (await VideoEncoder.isConfigSupported(one.config).catch(() => null))?.supported ? one : undefined;
    if (!chosen)
        throw new Error("this browser encodes no WebM; GIF and PNG need nothing of it");
    const chunks: Chunk[] = [];
    let failure: Error | null = null, count = 0;
    const encoder = new VideoEncoder({
        output: (chunk) => {
            const data = new Uint8Array(chunk.byteLength);
            chunk.copyTo(data);
            chunks.push({ data, key: chunk.type === "key", time: Math.round(chunk.timestamp / 1000) });
        }, error: (error) => { failure = error; } });
    encoder.configure(chosen.config);
    const check = () => {
        if (failure)
            throw failure;
    };
    return {
        async add(canvas) {
            const picture = new VideoFrame(canvas, { timestamp: Math.round(1e6 * count / rate), duration: Math.round(1e6 / rate) });
            encoder.encode(picture, { keyFrame: count % Math.max(1, Math.round(KEY_EVERY * rate)) === 0 });
            picture.close();
            count++;
            while (encoder.encodeQueueSize > MOST_WAITING && !failure)
                await new Promise((done) => setTimeout(done, 5));
            check();
        },
        async end() {
            await encoder.flush();
            encoder.close();
            check();
            return webmOf(chosen.name, width, height, rate, chunks);
        },
    };
}

/* GIF ----------------------------------------------------------------------------------------- */

const COLORS = 256, LEVEL = 5; /* bits of a colour that are told apart */

const bin = (data: Uint8ClampedArray, i: number): number =>
    data[i]! >> 8 - LEVEL << 2 * LEVEL | data[i + 1]! >> 8 - LEVEL << LEVEL | data[i + 2]! >> 8 - LEVEL;

/* The most frequent colours of a picture, and the nearest of them for each colour. */
function paletteOf(data: Uint8ClampedArray): { colors: Bytes; nearest: (bin: number) => number } {
    const counts = new Uint32Array(1 << 3 * LEVEL), sums = new Float64Array(3 << 3 * LEVEL);
    for (let i = 0; i < data.length; i += 4) {
        const at = bin(data, i);
        counts[at]!++;
        for (let k = 0; k < 3; k++)
            sums[3 * at + k]! += data[i + k]!;
    }
    const found = [...counts.keys()].filter((at) => counts[at]! > 0).sort((a, b) => counts[b]! - counts[a]!).slice(0, COLORS);
    const colors = new Uint8Array(3 * COLORS), known = new Map<number, number>();
    found.forEach((at, i) => [0, 1, 2].forEach((k) => { colors[3 * i + k] = Math.round(sums[3 * at + k]! / counts[at]!); }));
    const mask = (1 << LEVEL) - 1, wide = (part: number) => (part & mask) * 255 / mask;
    return { colors, nearest: (at) => {
        const is = known.get(at);
        if (is !== undefined)
            return is;
        const [r, g, b] = [wide(at >> 2 * LEVEL), wide(at >> LEVEL), wide(at)] as const;
        let best = 0, least = Infinity;
        for (let i = 0; i < found.length; i++) {
            const far = (colors[3 * i]! - r) ** 2 + (colors[3 * i + 1]! - g) ** 2 + (colors[3 * i + 2]! - b) ** 2;
            if (far < least)
                [best, least] = [i, far];
        }
        known.set(at, best);
        return best;
    } };
}

/* LZW of 8-bit numbers, in blocks of at most 255 bytes. */
function packed(numbers: Uint8Array): Bytes {
    const CLEAR = 256, END = 257, out: number[] = [], whole: number[] = [];
    let table = new Map<number, number>(), width = 9, next = END + 1, bits = 0, held = 0;
    const put = (code: number) => {
        held |= code << bits;
        bits += width;
        while (bits >= 8) {
            out.push(held & 255);
            held >>>= 8;
            bits -= 8;
        }
    };
    put(CLEAR);
    let prefix = numbers[0]!;
    for (let i = 1; i < numbers.length; i++) {
        const key = prefix << 8 | numbers[i]!, code = table.get(key);
        if (code !== undefined) {
            prefix = code;
            continue;
        }
        put(prefix);
        if (next === 4096) {
            put(CLEAR);
            table = new Map();
            [width, next] = [9, END + 1];
        } else {
            if (next === 1 << width)
                width++;
            table.set(key, next++);
        }
        prefix = numbers[i]!;
    }
    put(prefix);
    if (next === 1 << width && width < 12)
        width++;
    put(END);
    if (bits > 0)
        out.push(held & 255);
    for (let at = 0; at < out.length; at += 255) {
        const block = out.slice(at, at + 255);
        whole.push(block.length, ...block);
    }
    return Uint8Array.from([...whole, 0]);
}

function gif(width: number, height: number, rate: number): Film {
    const parts: Bytes[] = [bytesOf(text("GIF89a"), low(width, 2), low(height, 2), [0, 0, 0], [0x21, 0xff, 11], text("NETSCAPE2.0"),
                                    [3, 1, 0, 0, 0])];
    let count = 0;
    const hundredths = (k: number) => Math.round(100 * k / rate); /* no error adds up */
    return {
        async add(canvas) {
            const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height), { colors, nearest } = paletteOf(data);
            const numbers = new Uint8Array(width * height);
            for (let i = 0; i < numbers.length; i++)
                numbers[i] = nearest(bin(data, 4 * i));
            parts.push(bytesOf([0x21, 0xf9, 4, 0], low(hundredths(count + 1) - hundredths(count), 2), [0, 0],
                [0x2c, 0, 0, 0, 0], low(width, 2), low(height, 2), [0x87], colors, [8], packed(numbers)));
            count++;
        },
        async end() { return new Blob([...parts, bytesOf([0x3b])], { type: "image/gif" }); },
    };
}

/* ZIP ----------------------------------------------------------------------------------------- */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++)
        c = c & 1 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
    return c;
});
const crc = (data: Uint8Array): number => (data.reduce((c, byte) => TABLE[(c ^ byte) & 255]! ^ c >>> 8, 0xffffffff) ^ 0xffffffff) >>> 0;
const FIRST_DAY = 0x21; /* 1 January 1980: no date of this machine */

function zip(): Film {
    const files: Bytes[] = [], index: Bytes[] = [];
    let at = 0;
    return {
        async add(canvas) {
            const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
            if (!blob)
                throw new Error("the browser made no PNG");
            const data = new Uint8Array(await blob.arrayBuffer()), name = text(`${String(files.length / 2 + 1).padStart(5, "0")}.png`);
            const about = [...low(20, 2), 0, 0, 0, 0, 0, 0, ...low(FIRST_DAY, 2), ...low(crc(data), 4), ...low(data.length, 4), ...low(data.length, 4),
                           ...low(name.length, 2), 0, 0];
            const head = bytesOf([...text("PK"), 3, 4], about, name);
            index.push(bytesOf([...text("PK"), 1, 2, ...low(20, 2)], about, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], low(at, 4), name));
            files.push(head, data);
            at += head.length + data.length;
        },
        async end() {
            const size = index.reduce((sum, one) => sum + one.length, 0), count = low(index.length, 2);
            return new Blob([...files, ...index, bytesOf([...text("PK"), 5, 6, 0, 0, 0, 0], count, count, low(size, 4), low(at, 4), [0, 0])],
                            { type: "application/zip" });
        },
    };
}

export async function filmOf(kind: FilmKind, width: number, height: number, rate: number): Promise<Film> {
    return kind === "webm" ? webm(width, height, rate) : kind === "gif" ? gif(width, height, rate) : zip();
}
