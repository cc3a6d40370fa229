/* spectrum.ts: the amplitudes of the frequencies in a curve.
 *
 * In: values at even times. Its mean is taken away, a window of Hann, w = (1 - cos(2 pi k / N)) / 2, laid over it, zeros put behind
 * it, and the discrete Fourier transform taken (Cooley and Tukey 1965, radix 2). Out: amplitudes 2 |X| / sum w by frequency, so that
 * a sine of amplitude A in many periods has a peak A, at most 2 % less between two frequencies. Two sines are told apart if they
 * are some 2 / T from each other, T the length of the curve.
 */
const PAD = 4;         /* times as many numbers, with zeros: peaks are found between the frequencies k / T */
const LEAST = 8;       /* rows of a spectrum */
const UNEVEN = 1e-6;   /* of the step between rows */

export interface Spectrum { frequencies: Float64Array; amplitudes: Float64Array[]; rows: number; from: number; to: number }

/* In place: the transform of re + i im, whose length is a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
    const n = re.length;
    for (let i = 1, j = 0; i < n; i++) {
        let bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            [re[i], re[j]] = [re[j]!, re[i]!];
            [im[i], im[j]] = [im[j]!, im[i]!];
        }
    }
    for (let size = 2; size <= n; size *= 2) {
        const half = size / 2;
        for (let k = 0; k < half; k++) {
            const angle = -2 * Math.PI * k / size, c = Math.cos(angle), s = Math.sin(angle);
            for (let a = k; a < n; a += size) {
                const b = a + half, x = c * re[b]! - s * im[b]!, y = c * im[b]! + s * re[b]!;
                re[b] = re[a]! - x;
                im[b] = im[a]! - y;
                re[a]! += x;
                im[a]! += y;
            }
        }
    }
}

/* The last rows that lie evenly: of a run whose steps changed, what came after. */
function evenFrom(times: Float64Array): number {
    const last = times.length - 1, step = times[last]! - times[last - 1]!;
    let first = last - 1;
    while (first > 0 && Math.abs(times[first]! - times[first - 1]! - step) <= UNEVEN * step)
        first--;
    return first;
}

/* How many frequencies there are something of: beyond, each amplitude is less than a share of the largest of its curve. */
export const LITTLE = 0.002;
export function countOf({ frequencies, amplitudes }: Pick<Spectrum, "frequencies" | "amplitudes">): number {
    const last = amplitudes.map((curve) => {
        const least = LITTLE * curve.reduce((a, b) => Math.max(a, b), 0);
        let k = curve.length - 1;
        while (k > 0 && !(curve[k]! >= least && curve[k]! > 0))
            k--;
        return k;
    });
    return Math.min(frequencies.length, Math.ceil(1.25 * Math.max(LEAST * PAD, ...last)) + 1);
}

/* null: there are too few rows. Rows without a value count as the mean. */
export function spectrumOf(times: Float64Array, curves: Float64Array[]): Spectrum | null {
    if (times.length < LEAST)
        return null;
    const first = evenFrom(times), rows = times.length - first;
    if (rows < LEAST)
        return null;
    const size = 2 ** Math.ceil(Math.log2(PAD * rows)), step = (times[times.length - 1]! - times[first]!) / (rows - 1);
    const window = Float64Array.from({ length: rows }, (_, k) => (1 - Math.cos(2 * Math.PI * k / rows)) / 2);
    const weight = window.reduce((sum, w) => sum + w, 0);
    const amplitudes = curves.map((curve) => {
        const values = curve.subarray(first), known = values.filter(Number.isFinite);
        const mean = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length), re = new Float64Array(size), im = new Float64Array(size);
        values.forEach((value, k) => { re[k] = Number.isFinite(value) ? (value - mean) * window[k]! : 0; });
        transform(re, im);
        return Float64Array.from({ length: size / 2 + 1 }, (_, k) => 2 * Math.hypot(re[k]!, im[k]!) / weight);
    });
    return { amplitudes, rows, from: times[first]!, to: times[times.length - 1]!,
             frequencies: Float64Array.from({ length: size / 2 + 1 }, (_, k) => k / (size * step)) };
}
