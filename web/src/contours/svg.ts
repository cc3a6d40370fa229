/* svg.ts: an SVG picture as contours in mm, y up: paths, polygons, rectangles, circles, ellipses, with their transforms.
 *
 * The text is only read: nothing of it is put into the page, so that no script of it runs and nothing is loaded.
 */
import { CHORD, addContour, addPiece, arcPoints, bezierPoints, emptyDrawing, far, grow, leave } from "./contour.ts";
import type { Drawing, Place } from "./contour.ts";

const UNITS: Record<string, number> = { mm: 1, cm: 10, in: 25.4, pt: 25.4 / 72, pc: 25.4 / 6, px: 25.4 / 96, "": 25.4 / 96 }; /* mm */
const QUIET = new Set(["svg", "g", "a", "defs", "title", "desc", "metadata", "style", "script", "namedview", "clipPath", "mask", "marker",
                       "linearGradient", "radialGradient", "pattern", "symbol", "filter", "switch"]);
const HIDES = new Set(["defs", "clipPath", "mask", "marker", "pattern", "symbol", "filter", "metadata", "linearGradient", "radialGradient"]);
const MOST_ELEMENTS = 100_000;

/* x' = a x + c y + e, y' = b x + d y + f */
type Matrix = [number, number, number, number, number, number];
const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix =>
    [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
const moved = ([a, b, c, d, e, f]: Matrix, [x, y]: Place): Place => [a * x + c * y + e, b * x + d * y + f];

const numbersIn = (text: string): number[] => (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
function lengthOf(text: string | null): number { /* mm; NaN: it is not said, or a share */
    const [, value, unit] = /^\s*([-+\d.eE]+)\s*([a-z]*)\s*$/.exec(text ?? "") ?? [];
    return value === undefined ? NaN : Number(value) * (UNITS[unit ?? ""] ?? NaN);
}

function transformOf(text: string): Matrix {
    let all: Matrix = [1, 0, 0, 1, 0, 0];
    for (const [, name, values] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
        const v = numbersIn(values!), turn = (v[0] ?? 0) * Math.PI / 180;
        const about = (m: Matrix): Matrix => times(times([1, 0, 0, 1, v[1] ?? 0, v[2] ?? 0], m), [1, 0, 0, 1, -(v[1] ?? 0), -(v[2] ?? 0)]);
        const one: Matrix | undefined = name === "matrix" && v.length === 6 ? v as Matrix : name === "translate" ? [1, 0, 0, 1, v[0] ?? 0, v[1] ?? 0]
            : name === "scale" ? [v[0] ?? 1, 0, 0, v[1] ?? v[0] ?? 1, 0, 0]
            : name === "rotate" ? about([Math.cos(turn), Math.sin(turn), -Math.sin(turn), Math.cos(turn), 0, 0])
            : name === "skewX" ? [1, 0, Math.tan(turn), 1, 0, 0] : name === "skewY" ? [1, Math.tan(turn), 0, 1, 0, 0] : undefined;
        if (one)
            all = times(all, one);
    }
    return all;
}

/* An elliptic arc of a path, from end to end (SVG 1.1, F.6.5), without its first point. */
function arcTo(from: Place, [rx, ry, tilt, large, sweep]: number[], to: Place, chord: number): Place[] {
    let [a, b] = [Math.abs(rx!), Math.abs(ry!)];
    if (a === 0 || b === 0 || far(from, to) === 0)
        return [to];
    const phi = tilt! * Math.PI / 180, c = Math.cos(phi), s = Math.sin(phi);
    const dx = (from[0] - to[0]) / 2, dy = (from[1] - to[1]) / 2, x = c * dx + s * dy, y = -s * dx + c * dy;
    const grow = Math.sqrt(Math.max(1, x * x / (a * a) + y * y / (b * b)));
    a *= grow;
    b *= grow;
    const below = a * a * y * y + b * b * x * x, share = Math.sqrt(Math.max(0, (a * a * b * b - below) / below)) * (large === sweep ? -1 : 1);
    const [u, v] = [share * a * y / b, -share * b * x / a];
    const centre: Place = [c * u - s * v + (from[0] + to[0]) / 2, s * u + c * v + (from[1] + to[1]) / 2];
    const start = Math.atan2((y - v) / b, (x - u) / a), end = Math.atan2((-y - v) / b, (-x - u) / a);
    const round = 2 * Math.PI, way = sweep ? ((end - start) % round + round) % round : -(((start - end) % round + round) % round);
    return [...arcPoints(centre, [a * c, a * s], [-b * s, b * c], start, way, chord).slice(1, -1), to];
}

const TAKES: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/* The lines of a path; each ends where it is closed, or where the next begins. */
function pathLines(data: string, chord: number, drawing: Drawing): Place[][] {
    const lines: Place[][] = [];
    let line: Place[] = [], at: Place = [0, 0], start: Place = [0, 0], control: Place | null = null, before = "";
    const end = () => { if (line.length > 1) lines.push(line); line = []; };
    for (const [, command, text] of data.matchAll(/([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)/g)) {
        let name = command!.toUpperCase();
        const relative = command !== name, takes = TAKES[name]!, values = name === "A" ? arcNumbers(text!) : numbersIn(text!);
        if (name === "Z") {
            if (line.length > 0)
                line.push(start);
            end();
            at = start;
        }
        for (let k = 0; takes > 0 && k + takes <= values.length; k += takes) {
            const v = values.slice(k, k + takes), place = (i: number): Place => relative ? [at[0] + v[i]!, at[1] + v[i + 1]!] : [v[i]!, v[i + 1]!];
            if (name === "M") {
                end();
                at = start = place(0);
                line = [at];
                name = "L"; /* pairs behind the first are lines */
                before = "M";
                continue;
            }
            if (line.length === 0)
                line = [at];
            const mirrored = (kinds: string): Place => control && kinds.includes(before) ? [2 * at[0] - control[0], 2 * at[1] - control[1]] : at;
            let curve: Place[] = [];
            switch (name) {
            case "L": curve = [place(0)]; break;
            case "H": curve = [[relative ? at[0] + v[0]! : v[0]!, at[1]]]; break;
            case "V": curve = [[at[0], relative ? at[1] + v[0]! : v[0]!]]; break;
            case "C": control = place(2); curve = bezierPoints([at, place(0), control, place(4)], chord); break;
            case "S": { const first = mirrored("CS"); control = place(0); curve = bezierPoints([at, first, control, place(2)], chord); break; }
            case "Q": control = place(0); curve = bezierPoints([at, control, place(2)], chord); break;
            case "T": control = mirrored("QT"); curve = bezierPoints([at, control, place(0)], chord); break;
            case "A": curve = arcTo(at, v, place(5), chord); break;
            }
            grow(drawing, curve.length);
            line.push(...curve);
            at = line[line.length - 1]!;
            before = name;
        }
        if (name === "Z")
            before = name;
    }
    end();
    return lines;
}
/* The two flags of an arc may stand together, and with the number behind them: 0 0 1, 001. */
function arcNumbers(text: string): number[] {
    const found: number[] = [];
    const number = /^[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/, flag = /^[\s,]*([01])/;
    for (let rest = text; ;) {
        const one = ([3, 4].includes(found.length % 7) ? flag : number).exec(rest);
        if (!one)
            return found;
        found.push(Number(one[1]));
        rest = rest.slice(one[0].length);
    }
}

function rectangle(of: (name: string) => number, chord: number): Place[] {
    const [x, y, w, h] = [of("x"), of("y"), of("width"), of("height")], [rx, ry] = [of("rx") || of("ry"), of("ry") || of("rx")];
    if (!(rx > 0) || !(ry > 0))
        return [[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]];
    const [a, b] = [Math.min(rx, w / 2), Math.min(ry, h / 2)], quarter = (cx: number, cy: number, k: number) =>
        arcPoints([cx, cy], [a, 0], [0, b], k * Math.PI / 2, Math.PI / 2, chord);
    const points = [...quarter(x + w - a, y + b, 3), ...quarter(x + w - a, y + h - b, 0), ...quarter(x + a, y + h - b, 1), ...quarter(x + a, y + b, 2)];
    return [...points, points[0]!];
}

class Reader {
    readonly drawing: Drawing = emptyDrawing();
    private count = 0;

    /* inside: the name of the nearest group that has one. */
    add(element: Element, matrix: Matrix, inside: string): void {
        if (++this.count > MOST_ELEMENTS)
            throw new Error(`the SVG file has more than ${MOST_ELEMENTS} elements`);
        const name = element.localName, style = `${element.getAttribute("style") ?? ""};display:${element.getAttribute("display") ?? ""}`;
        if (HIDES.has(name) || /display\s*:\s*none/.test(style))
            return;
        const here = times(matrix, transformOf(element.getAttribute("transform") ?? ""));
        const title = [...element.children].find((one) => one.localName === "title")?.textContent?.trim();
        const label = element.getAttributeNS("http://www.inkscape.org/namespaces/inkscape", "label");
        const layer = title || label || (name === "g" && element.getAttribute("id")) || inside, of = (key: string) => {
            const [value] = numbersIn(element.getAttribute(key) ?? "");
            return value ?? 0;
        };
        const chord = CHORD / (Math.sqrt(Math.abs(here[0] * here[3] - here[1] * here[2])) || 1), line = (points: Place[]) => { addPiece(this.drawing, layer, points.map((one) => moved(here, one))); };
        switch (name) {
        case "path": pathLines(element.getAttribute("d") ?? "", chord, this.drawing).forEach(line); break;
        case "polygon": case "polyline": {
            const v = numbersIn(element.getAttribute("points") ?? ""), points = Array.from({ length: v.length >> 1 }, (_, k): Place => [v[2 * k]!, v[2 * k + 1]!]);
            if (points.length > 1)
                line(name === "polygon" ? [...points, points[0]!] : points);
            break;
        }
        case "line": line([[of("x1"), of("y1")], [of("x2"), of("y2")]]); break;
        case "rect": line(rectangle(of, chord)); break;
        case "circle": this.ellipse([of("cx"), of("cy")], of("r"), of("r"), here, layer); break;
        case "ellipse": this.ellipse([of("cx"), of("cy")], of("rx"), of("ry"), here, layer); break;
        default: if (!QUIET.has(name)) leave(this.drawing, `<${name}>`);
        }
        for (const child of element.children)
            this.add(child, here, name === "g" || name === "svg" ? layer : inside);
    }

    private ellipse(centre: Place, rx: number, ry: number, matrix: Matrix, layer: string): void {
        const [a, b, c, d] = matrix, long: Place = [a * rx, b * rx], wide: Place = [c * ry, d * ry], at = moved(matrix, centre);
        const radius = Math.hypot(...long), round = Math.abs(radius - Math.hypot(...wide)) < 1e-6 * radius && Math.abs(long[0] * wide[0] + long[1] * wide[1]) < 1e-6 * radius * radius;
        if (!(rx > 0) || !(ry > 0))
            leave(this.drawing, "circle without a radius");
        else
            addContour(this.drawing, round ? { layer, points: [at], radius } : { layer, points: arcPoints(at, long, wide, 0, 2 * Math.PI).slice(0, -1), radius: 0 });
    }
}

export function readSvg(text: string): Drawing {
    if (/<!ENTITY/i.test(text))
        throw new Error("the SVG file declares entities: these are not read");
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (root.localName !== "svg" || root.querySelector("parsererror"))
        throw new Error("the SVG file cannot be read as XML");
    const [, , wide, high] = numbersIn(root.getAttribute("viewBox") ?? "");
    const width = lengthOf(root.getAttribute("width")), height = lengthOf(root.getAttribute("height")), px = UNITS.px!;
    const scale = wide! > 0 && width > 0 ? width / wide! : high! > 0 && height > 0 ? height / high! : px;
    const reader = new Reader();
    /* mm with y up, about the origin of the picture's own axes, wherever the paper begins */
    reader.add(root, [scale, 0, 0, -scale, 0, 0], "");
    if ([...reader.drawing.pieces, ...reader.drawing.contours].some(({ points }) => points.some((one) => !one.every(Number.isFinite))))
        throw new Error("the SVG file has a coordinate that is no number");
    return reader.drawing;
}
