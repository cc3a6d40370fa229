/* design.ts: the model's text with what was set here: parameters, and settings of joints and couplings;
 * all else stays as it is written.
 */
import type { Coordinate, CoordinateSettings, JointSettings, Model, TimeFunction } from "./engine.ts";
import { isLocked, isNear } from "./settings.ts";
import type { Edit, Value } from "./yamltext.ts";

const DEGREE = Math.PI / 180;
const ROUNDING = 4e-15; /* relative: degrees made radians and back */

/* As short as it reads back. */
function degrees(value: number): number {
    for (let digits = 12; digits < 17; digits++) {
        const short = Number((value / DEGREE).toPrecision(digits));
        if (Math.abs(short * DEGREE - value) <= ROUNDING * Math.abs(value))
            return short;
    }
    return value / DEGREE;
}

/* A coordinate, or its rate, with its unit. */
function quantity(info: Coordinate, value: number, per = ""): Value {
    if (!Number.isFinite(value))
        return value;
    return info.angular ? `${degrees(value)} deg${per}` : `${value} m${per}`;
}

function polynomial(info: Coordinate, f: TimeFunction): Value {
    return { polynomial: f.numbers.map((c, k) => quantity(info, c, ["", "/s", "/s^2"][k] ?? "")) };
}

/* Numbers that are unset or nothing are left out. */
function stated(values: Record<string, Value | null>): Value | null {
    const said = Object.entries(values).filter(([, value]) => value !== null && value !== 0);
    return said.length > 0 ? Object.fromEntries(said) as { [key: string]: Value } : null;
}

function motorText(info: Coordinate, { motor }: CoordinateSettings): Value | null {
    return motor && stated({
        speed: motor.speed && quantity(info, motor.speed.numbers[0]!, "/s"),
        position: motor.position && quantity(info, motor.position.numbers[0]!),
        max_force: motor.max_force });
}

function springText(info: Coordinate, { spring }: CoordinateSettings): Value | null {
    if (!spring.stiffness && !spring.damping)
        return null;
    return stated({ stiffness: spring.stiffness, damping: spring.damping,
                    rest: spring.rest && quantity(info, spring.rest.numbers[0]!) });
}

/* Friction keeps what only the model says of it: coefficients, bounds at rest. */
function frictionEdits(at: string[], was: CoordinateSettings, now: CoordinateSettings): Edit[] {
    const before = was.friction, after = now.friction;
    const { force, viscous, ...rest } = before;
    const acts = Object.values(rest).some((one) => one !== null);
    if (!acts && (after.force === 0 && after.viscous === 0 || force === 0 && viscous === 0))
        return [{ path: at, value: stated({ force: after.force, viscous: after.viscous }) }];
    return (["force", "viscous"] as const).filter((key) => before[key] !== after[key])
        .map((key) => ({ path: [...at, key], value: after[key] }));
}

/* at: section and name; sub: the coordinate among those of a joint. */
function coordinateEdits(info: Coordinate, at: string[], sub: string[], was: CoordinateSettings,
                         now: CoordinateSettings): Edit[] {
    const edits: Edit[] = [], place = (key: string) => [...at, key, ...sub];
    if (was.lower !== now.lower || was.upper !== now.upper)
        edits.push({ path: place("range"), value: [quantity(info, now.lower ?? -Infinity),
                                                   quantity(info, now.upper ?? Infinity)] });
    if (!isNear(was.driver, now.driver))
        edits.push({ path: place("drive"), value: now.driver && { position: polynomial(info, now.driver) } });
    if (!isNear(was.motor, now.motor))
        edits.push({ path: place("motor"), value: motorText(info, now) });
    if (!isNear(was.spring, now.spring))
        edits.push({ path: place("spring"), value: springText(info, now) });
    if (!isNear(was.friction, now.friction))
        edits.push(...frictionEdits(place("friction"), was, now));
    return edits;
}

/* Which coordinates of a joint are locked, and, of those that were not, where. */
function lockEdits(infos: Coordinate[], at: string[], was: JointSettings, now: JointSettings): Edit[] {
    const locked = now.coordinates.map(isLocked);
    if (was.coordinates.every((one, i) => isLocked(one) === locked[i]))
        return [];
    const names = infos.filter((_, i) => locked[i]).map((info) => info.name);
    const edits: Edit[] = [{ path: [...at, "locked"], value: names.length > 0 ? names : null }];
    infos.forEach((info, i) => {
        const value = now.coordinates[i]!.value, before = was.coordinates[i]!;
        if (locked[i] && !isLocked(before) && !isNear(before.value, value))
            edits.push({ path: [...at, "set", info.name], value: quantity(info, value) });
    });
    return edits;
}

function couplingLock(info: Coordinate, at: string[], was: JointSettings, now: JointSettings): Edit[] {
    const one = now.coordinates[0]!;
    if (isLocked(was.coordinates[0]!) === isLocked(one))
        return [];
    const hold: Edit = { path: [...at, "hold"], value: isLocked(one) ? "held" : "in_range" };
    return isLocked(one) ? [hold, { path: [...at, "value"], value: quantity(info, one.value) }] : [hold];
}

function rowEdits(at: string[], was: JointSettings, now: JointSettings): Edit[] {
    const edits: Edit[] = [], put = (key: string, value: Value | null) => edits.push({ path: [...at, key], value });
    for (const group of ["linear", "rotary"] as const)
        if (was[group] !== now[group]) {
            for (const other of ["stiffness", "frequency", "damping_ratio"])
                put(`${group}_${other}`, null);
            put(`${group}_compliance`, now[group] || null);
        }
    for (const key of ["break_force", "break_torque"] as const)
        if (was[key] !== now[key])
            put(key, now[key]);
    if (was.enabled !== now.enabled)
        put("enabled", now.enabled !== 0);
    return edits;
}

/* was: as the model was loaded; all joints, then the couplings. */
export function settingsEdits(model: Model, was: JointSettings[], now: JointSettings[]): Edit[] {
    const owners = [...model.joints.map((joint) => ["joints", joint] as const),
                    ...model.couplings.map((coupling) => ["couplings", coupling] as const)];
    return owners.flatMap(([section, { name, coordinates }], j) => {
        const at = [section, name], before = was[j]!, after = now[j]!;
        const inside = coordinates.flatMap((info, i) => coordinateEdits(
            info, at, section === "joints" ? [info.name] : [], before.coordinates[i]!, after.coordinates[i]!));
        const locks = section === "joints" ? lockEdits(coordinates, at, before, after)
                                           : couplingLock(coordinates[0]!, at, before, after);
        return [...inside, ...locks, ...rowEdits(at, before, after)];
    });
}
