/* nullspace.ts: a basis of the velocities that constraint rows allow.
 *
 * Gauss-Jordan with full pivoting: one free velocity after the other is 1, so that a motion touches
 * as few bodies as it can. Each is scaled to a largest entry of 1.
 */
const ZERO = 1e-9; /* of the largest entry: a pivot that counts as none */

export function nullSpace(matrix: { rows: number; columns: number; values: Float64Array }):
    Float64Array[] {
    const { rows, columns } = matrix, a = matrix.values.slice();
    const at = (i: number, j: number) => a[i * columns + j]!;
    const pivotOf = new Int32Array(columns).fill(-1);
    const largest = a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const order = Array.from({ length: rows }, (_, i) => i);
    for (let k = 0; k < Math.min(rows, columns); k++) {
        let best = ZERO * largest, row = -1, column = -1;
        for (let i = k; i < rows; i++)
            for (let j = 0; j < columns; j++)
                if (pivotOf[j] === -1 && Math.abs(at(order[i]!, j)) > best)
                    [best, row, column] = [Math.abs(at(order[i]!, j)), i, j];
        if (row < 0)
            break;
        [order[k], order[row]] = [order[row]!, order[k]!];
        pivotOf[column] = k;
        const pivot = order[k]!, scale = 1 / at(pivot, column);
        for (let j = 0; j < columns; j++)
            a[pivot * columns + j]! *= scale;
        for (let i = 0; i < rows; i++) {
            const factor = at(i, column);
            if (i !== pivot && factor !== 0)
                for (let j = 0; j < columns; j++)
                    a[i * columns + j]! -= factor * at(pivot, j);
        }
    }
    const basis: Float64Array[] = [];
    for (let free = 0; free < columns; free++) {
        if (pivotOf[free] !== -1)
            continue;
        const u = new Float64Array(columns);
        u[free] = 1;
        for (let j = 0; j < columns; j++)
            if (pivotOf[j] !== -1)
                u[j] = -at(order[pivotOf[j]!]!, free);
        const most = u.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
        basis.push(u.map((x) => x / most));
    }
    return basis;
}
