/* plotsvg.ts: plots as SVG: frames, grids and curves in lines, texts as texts. */

export interface Line { name: string; color: string; dash: number[]; x: ArrayLike<number | null | undefined>; y: ArrayLike<number | null | undefined> }
/* equal: a unit is as long across as upwards. */
export interface Chart { x: string; y: string; low: [number, number]; high: [number, number]; lines: Line[] }

const WIDTH = 640, HEIGHT = 320, LEFT = 88, RIGHT = 12, TOP = 12, BOTTOM = 44, LEGEND = 14, TICKS = 5; /* pixels, and lines of a grid at least */
export const FIELD: [number, number] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM]; /* within the frame */

const ROUNDING = 1e-9; /* of the numbers */

const safe = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const place = (value: number): string => String(Number(value.toFixed(2)));

export function stepOf(range: number): number {
    const ten = 10 ** Math.floor(Math.log10(range / TICKS));
    return [5, 2, 1].map((k) => k * ten).find((one) => range / one >= TICKS) ?? ten;
}

/* The smallest and the largest of some numbers; those that differ by rounding alone are one. */
export function rangeOf(all: ArrayLike<number | null | undefined>[]): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const values of all)
        for (let i = 0; i < values.length; i++) {
            const value = values[i];
            if (typeof value === "number" && Number.isFinite(value))
                [low, high] = [Math.min(low, value), Math.max(high, value)];
        }
    return low > high ? [0, 1] : high - low <= ROUNDING * Math.max(Math.abs(low), Math.abs(high)) ? [low - 0.5, high + 0.5] : [low, high];
}

function chartOf(chart: Chart, top: number): string {
    const { low, high } = chart, [wide, tall] = FIELD;
    const x = (value: number) => LEFT + wide * (value - low[0]) / (high[0] - low[0]);
    const y = (value: number) => top + TOP + tall * (high[1] - value) / (high[1] - low[1]), base = top + TOP + tall;
    const out: string[] = [];
    for (const way of [0, 1] as const) {
        const gap = stepOf(high[way] - low[way]);
        for (let k = Math.ceil(low[way] / gap); k * gap <= high[way]; k++) {
            const at = way === 0 ? x(k * gap) : y(k * gap), label = String(Number((k * gap).toPrecision(6)));
            out.push(way === 0 ? `<path class="grid" d="M${place(at)} ${top + TOP}V${base}"/><text x="${place(at)}" y="${base + 15}" text-anchor="middle">${label}</text>`
                : `<path class="grid" d="M${LEFT} ${place(at)}H${WIDTH - RIGHT}"/><text x="${LEFT - 5}" y="${place(at + 4)}" text-anchor="end">${label}</text>`);
        }
    }
    out.push(`<rect x="${LEFT}" y="${top + TOP}" width="${wide}" height="${tall}" fill="none" stroke="#888"/>`,
             `<text x="${LEFT + wide / 2}" y="${base + 33}" text-anchor="middle">${safe(chart.x)}</text>`,
             `<text transform="translate(14 ${top + TOP + tall / 2}) rotate(-90)" text-anchor="middle">${safe(chart.y)}</text>`);
    chart.lines.forEach((line, k) => {
        let path = "", on = false;
        for (let i = 0; i < line.x.length; i++) {
            const a = line.x[i], b = line.y[i];
            if (typeof a !== "number" || typeof b !== "number" || !Number.isFinite(a) || !Number.isFinite(b))
                continue; /* as on the screen, a row of another run leaves no gap */
            path += `${on ? "L" : "M"}${place(x(a))} ${place(y(b))}`;
            on = true;
        }
        out.push(`<path class="curve" d="${path}" stroke="${line.color}" stroke-dasharray="${line.dash.join(" ")}"><title>${safe(line.name)}</title></path>`,
                 `<text x="${LEFT + 8}" y="${top + TOP + LEGEND * (k + 1)}" fill="${line.color}">${safe(line.name)}</text>`);
    });
    return out.join("\n");
}

/* One below the other. */
export function plotSvg(charts: Chart[], title: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT * charts.length}" viewBox="0 0 ${WIDTH} ${HEIGHT * charts.length}" `
        + `font-family="system-ui, sans-serif" font-size="11"><title>${safe(title)}</title>\n<style>.grid { stroke: #ddd; fill: none } .curve { fill: none; stroke-width: 1.6 }</style>\n`
        + charts.map((chart, k) => chartOf(chart, k * HEIGHT)).join("\n") + "\n</svg>\n";
}
