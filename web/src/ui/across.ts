/* across.ts: quantities over another one, as curves on a canvas. */
import { rangeOf, stepOf } from "./plotsvg.ts";

/* x: where it has another one than the others. */
export interface Curve { values: Float64Array; color: string; name: string; x?: Float64Array; dash?: number[] }
export interface Scale { low: number; size: number /* per pixel */ }

const LEFT = 56, BOTTOM = 34, EDGE = 10; /* pixels */

/* Of a field of so many pixels. equal: a unit is as long across as upwards. */
export function scalesOf(width: number, height: number, xs: Float64Array[], ys: Float64Array[],
                         equal: boolean): { x: Scale; y: Scale } {
    const sizes = [width, height], ranges = [rangeOf(xs), rangeOf(ys)];
    const per = ranges.map(([low, high], k) => 1.08 * (high - low) / sizes[k]!);
    const both = Math.max(...per);
    const [across, up] = ranges.map(([low, high], k) => {
        const size = equal ? both : per[k]!;
        return { size, low: (low + high) / 2 - size * sizes[k]! / 2 };
    });
    return { x: across!, y: up! };
}

export function drawAcross(canvas: HTMLCanvasElement, width: number, height: number, x: Float64Array, name: string,
                           curves: Curve[], equal: boolean): void {
    const ratio = devicePixelRatio || 1, paper = canvas.getContext("2d")!;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--ink");
    const scale = scalesOf(width - LEFT - EDGE, height - BOTTOM - EDGE, [x, ...curves.flatMap((curve) => curve.x ?? [])],
                           curves.map((curve) => curve.values), equal);
    const at = { x: (value: number) => LEFT + (value - scale.x.low) / scale.x.size,
                 y: (value: number) => height - BOTTOM - (value - scale.y.low) / scale.y.size };
    paper.scale(ratio, ratio);
    paper.font = "11px system-ui";
    for (const way of ["x", "y"] as const) {
        const range = scale[way].size * (way === "x" ? width - LEFT - EDGE : height - BOTTOM - EDGE), gap = stepOf(range);
        paper.textAlign = way === "x" ? "center" : "right";
        for (let k = Math.ceil(scale[way].low / gap); k * gap <= scale[way].low + range; k++) {
            const place = at[way](k * gap), label = String(Number((k * gap).toPrecision(6)));
            paper.strokeStyle = style.getPropertyValue("--line");
            paper.beginPath();
            paper.moveTo(way === "x" ? place : LEFT, way === "x" ? EDGE : place);
            paper.lineTo(way === "x" ? place : width - EDGE, way === "x" ? height - BOTTOM : place);
            paper.stroke();
            paper.fillStyle = ink;
            paper.fillText(label, way === "x" ? place : LEFT - 5, way === "x" ? height - BOTTOM + 13 : place + 4);
        }
    }
    paper.textAlign = "center";
    paper.fillText(name, (LEFT + width - EDGE) / 2, height - 5);
    paper.textAlign = "left";
    curves.forEach(({ values, color, name: said, x: own = x, dash = [] }, k) => {
        paper.setLineDash(dash);
        paper.strokeStyle = paper.fillStyle = color;
        paper.lineWidth = 1.6;
        paper.beginPath();
        values.forEach((value, i) => {
            if (Number.isFinite(value) && Number.isFinite(own[i]))
                paper.lineTo(at.x(own[i]!), at.y(value));
        });
        paper.stroke();
        paper.fillText(said, LEFT + 6, EDGE + 12 + 14 * k);
    });
    canvas.dataset.equal = String(Math.abs(scale.x.size / scale.y.size - 1) < 1e-12);
}
