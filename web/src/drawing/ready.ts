/* ready.ts: how many freedoms a drawing has, by name, and what it lacks before it can move. */
import { driveable, fieldOf, wordIn } from "./sketch.ts";
import type { Sketch, Survey } from "./sketch.ts";

export interface Told { freedoms: string; missing: string[]; notes: string[] }

export const some = (names: string[]): string =>
    names.length <= 4 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;

/* Bodies that no chain of joints ties to the ground. */
function loose(sketch: Sketch): string[] {
    const reached = new Set<string>([""]), joints = Object.values(sketch.all.joints ?? {});
    const end = (name: string) => name === "ground" ? "" : name;
    for (let grown = true; grown;) {
        grown = false;
        for (const joint of joints) {
            const [a, b] = [end(wordIn(joint, "a")), end(wordIn(joint, "b"))];
            if (reached.has(a) !== reached.has(b)) {
                reached.add(a).add(b);
                grown = true;
            }
        }
    }
    return Object.keys(sketch.all.bodies ?? {}).filter((body) => !reached.has(body) &&
        wordIn(sketch.all.bodies![body], "kind") !== "fixed");
}

function freedoms(survey: Survey): string {
    if (survey.dof < 0)
        return "Degrees of freedom: not known here.";
    if (survey.dof === 0)
        return "0 degrees of freedom: nothing can move.";
    const moves = survey.moves.slice(0, 3).map((bodies) => bodies.length === 1 ? `${bodies[0]} alone` : some(bodies));
    const count = `${survey.dof} degree${survey.dof === 1 ? "" : "s"} of freedom`;
    return moves.length > 0 ? `${count}: ${moves.join("; ")}${survey.dof > 3 ? "; …" : ""} can move.` : `${count}.`;
}

export function readiness(sketch: Sketch, survey: Survey, gravity: number[]): Told {
    const bodies = Object.keys(sketch.all.bodies ?? {}), joints = Object.entries(sketch.all.joints ?? {});
    if (bodies.length === 0)
        return { freedoms: "Nothing is drawn yet.", missing: ["a bar or a plate (B, P)"], notes: [] };
    const missing: string[] = [], notes: string[] = [];
    const free = loose(sketch);
    if (free.length === bodies.length)
        missing.push(`the ground: pin ${free[0]} to it (G)`);
    else
        missing.push(...free.slice(0, 3).map((body) => `a joint that holds ${body} (J, G)`));
    if (survey.conflicts > 0)
        missing.push("joints that close: some contradict each other");
    if (survey.dof === 0)
        missing.push("a freedom: take a pin away, or a bar");
    const driven = joints.filter(([, joint]) => fieldOf(joint, "motor") !== undefined || fieldOf(joint, "drive") !== undefined);
    const acts = gravity.some((g) => g !== 0) || Object.keys(sketch.all.loads ?? {}).length > 0 ||
        joints.some(([, joint]) => fieldOf(joint, "spring") !== undefined);
    if (survey.dof > 0 && driven.length === 0 && free.length < bodies.length) {
        const pin = sketch.points.find((point) => point.ground && driveable(sketch, point, []));
        const said = pin ? ` (M on ${pin.name})` : " (M)";
        if (acts)
            notes.push(`No motor${said}: what acts on it moves it.`);
        else
            missing.push(`a motor${said}`);
    }
    if (driven.length > 0 && survey.dof > driven.length)
        notes.push(`${survey.dof - driven.length} more freedom${survey.dof - driven.length > 1 ? "s" : ""} than motors: the rest swings freely.`);
    if (driven.length > 0 && survey.dof >= 0 && driven.length > survey.dof && survey.dof > 0)
        notes.push("More motors than freedoms: they work against each other.");
    if (survey.redundant > 0)
        notes.push(`${survey.redundant} constraint${survey.redundant > 1 ? "s repeat" : " repeats"} others: the report says which.`);
    return { freedoms: freedoms(survey), missing, notes };
}
