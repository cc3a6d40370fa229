/* reached.ts: numbers for which a pair that follows from them comes to a place. */

const TURNS = 20, MOST = 0.5; /* shares of its size by which a number changes at once */
const CLOSE = 1e-9;           /* m */

/* The smallest changes, in shares of size, after which a pair of numbers is what it should be: Gauss and Newton,
 * by differences. at: the pair for given numbers. null: it cannot be brought there. */
export function reached(start: number[], sizes: number[], to: [number, number],
                        at: (numbers: number[]) => [number, number] | null): number[] | null {
    let numbers = [...start], best = Infinity, found: number[] | null = null, limit = MOST;
    for (let turn = 0; turn < TURNS; turn++) {
        const now = at(numbers);
        if (!now)
            break;
        const miss = [to[0] - now[0], to[1] - now[1]], far = Math.hypot(...miss);
        if (far < best) {
            best = far;
            found = [...numbers];
        } else { /* too far: from the best place once more, less at once */
            numbers = [...found!];
            limit *= 0.3;
        }
        if (far < CLOSE || limit < 1e-3)
            break;
        if (far > best)
            continue;
        const columns = numbers.map((number, k) => {
            const step = 1e-6 * sizes[k]!, near = at(numbers.map((one, i) => i === k ? number + step : one));
            return near ? [(near[0] - now[0]) / 1e-6, (near[1] - now[1]) / 1e-6] : [0, 0]; /* per share of size */
        });
        /* J J^T, a little away from singular: where only one way is free, the nearest place is reached */
        let [a, b, d] = [0, 0, 0];
        for (const [x, y] of columns as [number, number][])
            [a, b, d] = [a + x * x, b + x * y, d + y * y];
        const soft = 1e-9 * (a + d);
        [a, d] = [a + soft, d + soft];
        const det = a * d - b * b;
        if (!(det > 0))
            break;
        const push = [(d * miss[0]! - b * miss[1]!) / det, (a * miss[1]! - b * miss[0]!) / det];
        columns.forEach(([x, y], k) => {
            const share = x! * push[0]! + y! * push[1]!;
            numbers[k]! += sizes[k]! * Math.max(-limit, Math.min(limit, share));
        });
    }
    return found;
}
