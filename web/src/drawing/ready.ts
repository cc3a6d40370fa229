/* ready.ts: how many freedoms a drawing has, by name, and what it lacks before it can move. */
import { driveable, fieldOf, wordIn } from "./sketch.ts";
import type { Sketch, Survey } from "./sketch.ts";
import { t } from "../words/words.ts";

export interface Told { freedoms: string; missing: string[]; notes: string[] }

export const some = (names: string[]): string =>
    names.length <= 4 ? names.join(", ") : t("{0} and {1} more", names.slice(0, 3).join(", "), names.length - 3);

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
        return t("Degrees of freedom: not known here.");
    if (survey.dof === 0)
        return t("0 degrees of freedom: nothing can move.");
    const moves = survey.moves.slice(0, 3).map((bodies) => bodies.length === 1 ? t("{0} alone", bodies[0]!) : some(bodies));
    const count = survey.dof === 1 ? t("1 degree of freedom") : t("{0} degrees of freedom", survey.dof);
    return moves.length > 0 ? t("{0}: {1} can move.", count, `${moves.join("; ")}${survey.dof > 3 ? "; …" : ""}`) : `${count}.`;
}

export function readiness(sketch: Sketch, survey: Survey, gravity: number[]): Told {
    const bodies = Object.keys(sketch.all.bodies ?? {}), joints = Object.entries(sketch.all.joints ?? {});
    if (bodies.length === 0)
        return { freedoms: t("Nothing is drawn yet."), missing: [t("a bar or a plate (B, P)")], notes: [] };
    const missing: string[] = [], notes: string[] = [];
    const free = loose(sketch);
    if (free.length === bodies.length)
        missing.push(t("the ground: pin {0} to it (G)", free[0]!));
    else
        missing.push(...free.slice(0, 3).map((body) => t("a joint that holds {0} (J, G)", body)));
    if (survey.conflicts > 0)
        missing.push(t("joints that close: some contradict each other"));
    if (survey.dof === 0)
        missing.push(t("a freedom: take a pin away, or a bar"));
    const driven = joints.filter(([, joint]) => fieldOf(joint, "motor") !== undefined || fieldOf(joint, "drive") !== undefined);
    const acts = gravity.some((g) => g !== 0) || Object.keys(sketch.all.loads ?? {}).length > 0 ||
        joints.some(([, joint]) => fieldOf(joint, "spring") !== undefined);
    if (survey.dof > 0 && driven.length === 0 && free.length < bodies.length) {
        const pin = sketch.points.find((point) => point.ground && driveable(sketch, point, []));
        const said = pin ? t(" (M on {0})", pin.name) : " (M)";
        if (acts)
            notes.push(t("No motor{0}: what acts on it moves it.", said));
        else
            missing.push(t("a motor{0}", said));
    }
    if (driven.length > 0 && survey.dof > driven.length)
        notes.push(survey.dof - driven.length === 1 ? t("1 more freedom than motors: the rest swings freely.")
            : t("{0} more freedoms than motors: the rest swings freely.", survey.dof - driven.length));
    if (driven.length > 0 && survey.dof >= 0 && driven.length > survey.dof && survey.dof > 0)
        notes.push(t("More motors than freedoms: they work against each other."));
    if (survey.redundant > 0)
        notes.push(survey.redundant === 1 ? t("1 constraint repeats others: the report says which.")
            : t("{0} constraints repeat others: the report says which.", survey.redundant));
    return { freedoms: freedoms(survey), missing, notes };
}
