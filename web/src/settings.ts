/* settings.ts: what was set of a joint since its model was loaded: found, compared, set again. */
import type { CoordinateSettings, Engine, JointSettings } from "./engine.ts";

const CLOSE = 1e-9; /* relative: what a text in degrees leaves of a number, and more */

/* The same values, but for roundings. */
export function isNear(a: unknown, b: unknown): boolean {
    if (typeof a === "number" && typeof b === "number")
        return Math.abs(a - b) <= CLOSE * (1 + Math.abs(a));
    if (a === null || b === null || typeof a !== "object" || typeof b !== "object")
        return (a ?? null) === (b ?? null);
    const keys = new Set([...Object.keys(a), ...Object.keys(b as object)]);
    return [...keys].every((key) => isNear((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

/* Do two joints stand alike? Where they are does not matter but of what is locked. */
export function standsAlike(a: JointSettings, b: JointSettings): boolean {
    const bare = (joint: JointSettings) => ({ ...joint, coordinates: joint.coordinates.map((one) =>
        ({ ...one, value: one.locked ? one.value : 0, spring: springOf(one), motor: motorOf(one) })) });
    return isNear(bare(a), bare(b));
}

/* What is left unsaid and what is said as nothing are the same. */
function springOf({ spring }: CoordinateSettings): unknown {
    const acts = spring.stiffness || spring.damping || spring.frequency || spring.force;
    return acts ? { ...spring, stiffness: spring.stiffness ?? 0, damping: spring.damping ?? 0 } : null;
}
function motorOf({ motor }: CoordinateSettings): unknown {
    return motor && { ...motor, time_constant: motor.position ? motor.time_constant ?? 0.05 : null };
}

/* Held by its user, not by a range without width. */
export function isLocked(one: CoordinateSettings): boolean {
    return one.locked !== 0 && !(one.lower !== null && one.lower === one.upper);
}

const first = (numbers: number[] | undefined): number => numbers?.[0] ?? 0;

function setDrives(engine: Engine, j: number, i: number, was: CoordinateSettings, now: CoordinateSettings): void {
    if (!isNear(was.driver, now.driver))
        engine.setDriver(j, i, now.driver !== null, first(now.driver?.numbers), now.driver?.numbers[1] ?? 0);
    if (!isNear(was.motor, now.motor)) {
        const mode = now.motor?.speed ? 1 : now.motor?.position ? 2 : 0;
        engine.setMotor(j, i, mode, first((now.motor?.speed ?? now.motor?.position)?.numbers),
                        now.motor?.max_force ?? NaN);
    }
    if (!isNear(was.friction, now.friction))
        engine.setFriction(j, i, now.friction.force, now.friction.viscous);
    if (!isNear(was.spring, now.spring))
        engine.setSpring(j, i, now.spring.stiffness ?? 0, now.spring.damping ?? 0, first(now.spring.rest?.numbers));
}

function setCoordinate(engine: Engine, j: number, i: number, was: CoordinateSettings,
                       now: CoordinateSettings): void {
    if (was.lower !== now.lower || was.upper !== now.upper)
        engine.setRange(j, i, now.lower ?? -Infinity, now.upper ?? Infinity);
    if (isLocked(was) !== isLocked(now)) {
        if (isLocked(now))
            engine.setCoordinate(j, i, now.value);
        engine.setLocked(j, i, isLocked(now));
    }
    setDrives(engine, j, i, was, now);
}

/* Sets in another engine what was set of this joint. */
export function setAgain(engine: Engine, j: number, was: JointSettings, now: JointSettings): void {
    now.coordinates.forEach((one, i) => setCoordinate(engine, j, i, was.coordinates[i]!, one));
    for (const [group, before, after] of [[4, was.linear, now.linear], [8, was.rotary, now.rotary]] as const)
        if (before !== after && after !== null && after !== undefined)
            engine.setCompliance(j, group, after);
    if (was.break_force !== now.break_force || was.break_torque !== now.break_torque)
        engine.setBreak(j, now.break_force ?? Infinity, now.break_torque ?? Infinity);
    if (was.enabled !== now.enabled)
        engine.setEnabled(j, now.enabled !== 0);
}
