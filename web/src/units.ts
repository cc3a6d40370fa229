/* units.ts: numbers with units as people type them, "30 deg" or "2,5 N/mm", in the unit of a field. */

/* Powers of m, kg, s, rad. */
type Dimension = [number, number, number, number];
interface Unit { size: number; of: Dimension }

const RAD = Math.PI / 180, FOOT = 0.3048, POUND = 0.45359237, FALL = 9.80665;
const LENGTH: Dimension = [1, 0, 0, 0], MASS: Dimension = [0, 1, 0, 0], TIME: Dimension = [0, 0, 1, 0],
      ANGLE: Dimension = [0, 0, 0, 1], FORCE: Dimension = [1, 1, -2, 0], WORK: Dimension = [2, 1, -2, 0];
/* The names that model files know, without their rarer ones. */
const UNITS = new Map<string, Unit>([
    ["m", { size: 1, of: LENGTH }], ["in", { size: FOOT / 12, of: LENGTH }], ["ft", { size: FOOT, of: LENGTH }],
    ["g", { size: 1e-3, of: MASS }], ["lb", { size: POUND, of: MASS }], ["t", { size: 1e3, of: MASS }],
    ["s", { size: 1, of: TIME }], ["min", { size: 60, of: TIME }], ["h", { size: 3600, of: TIME }],
    ["rad", { size: 1, of: ANGLE }], ["deg", { size: RAD, of: ANGLE }], ["°", { size: RAD, of: ANGLE }],
    ["rev", { size: 2 * Math.PI, of: ANGLE }], ["rpm", { size: Math.PI / 30, of: [0, 0, -1, 1] }],
    ["N", { size: 1, of: FORCE }], ["lbf", { size: POUND * FALL, of: FORCE }], ["J", { size: 1, of: WORK }],
    ["Nm", { size: 1, of: WORK }], ["Hz", { size: 1, of: [0, 0, -1, 0] }],
]);
const PREFIXES: Record<string, number> = { k: 1e3, M: 1e6, c: 1e-2, d: 1e-1, m: 1e-3, u: 1e-6, "µ": 1e-6 };
const PREFIXED = ["m", "g", "s", "N", "J", "Hz", "Nm"];

function single(name: string): Unit | null {
    const known = UNITS.get(name), base = name.slice(1), factor = PREFIXES[name[0] ?? ""];
    if (known)
        return known;
    return factor !== undefined && PREFIXED.includes(base) ? { ...UNITS.get(base)!, size: factor * UNITS.get(base)!.size }
                                                           : null;
}

/* A product of units: "N m/rad", "mm/s^2"; what stands behind a slash divides. null: it is none. */
export function unitOf(text: string): Unit | null {
    const whole: Unit = { size: 1, of: [0, 0, 0, 0] };
    let sign = 1;
    for (const part of text.replace(/[()]/g, " ").split(/([/*·\s])/)) {
        if (part === "/")
            sign = -1;
        if (part.trim() === "" || part === "/" || part === "*" || part === "·" || part === "1")
            continue;
        const [, name, power] = /^(.+?)(?:\^?(-?\d+|²|³))?$/u.exec(part)!, unit = single(name!);
        if (!unit)
            return null;
        const n = sign * (power === "²" ? 2 : power === "³" ? 3 : Number(power ?? 1));
        whole.size *= unit.size ** n;
        whole.of = whole.of.map((p, k) => p + n * unit.of[k]!) as Dimension;
    }
    return whole;
}

/* The number in a field's unit, or why it is none. */
export function readNumber(text: string, unit: string): number | string {
    const tidy = text.trim().replace(/[−–]/g, "-").replace(/(\d),(\d)/, "$1.$2");
    const [, digits, rest] = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(.*)$/i.exec(tidy) ?? [];
    if (digits === undefined)
        return `“${text.trim()}” is no number`;
    const value = Number(digits), said = rest!.trim();
    if (said === "")
        return value;
    const own = unitOf(unit), given = unitOf(said);
    if (!given)
        return `“${said}” is no unit`;
    if (!own || given.of.some((p, k) => p !== own.of[k]))
        return `“${said}” does not fit here: ${unit === "" ? "a plain number" : `something in ${unit}`} does`;
    return value * given.size / own.size;
}
