/* marks.ts: where a coordinate of a mechanism with loops has dead points, and where the coordinates that follow it turn back.
 *
 * In: the engine at a pose. The coordinate goes once round, or as far as it gets, both ways on its branch, in even strides; turning
 * points between two of them, and the dead point at which it is stopped, are found by the library. The pose is then as before.
 */
import { COORDINATES } from "./engine.ts";
import type { Engine } from "./engine.ts";

/* dead: it goes no farther. Else the coordinate (joint, coordinate) turns back there, at `reached`. rad, m */
export interface Mark { value: number; dead: boolean; joint: number; coordinate: number; reached: number }

const STRIDES = 60;        /* of the way: two turning points of one coordinate within a stride stay unseen */
const PATIENCE = 400;      /* ms: a large mechanism has marks of a part of its way */
const ALIKE = 1e-6;        /* of the way: marks that are one */

type Place = [joint: number, coordinate: number];

function oneWay(engine: Engine, [joint, coordinate]: Place, from: number, way: number, others: Place[], joints: number, until: number): { marks: Mark[]; whole: boolean } {
    const marks: Mark[] = [], read = ([j, i]: Place): number => engine.coordinates(joints)[j * COORDINATES + i]!;
    let old = others.map(read), older = old.map(() => NaN), stateOld = engine.save(), stateOlder = stateOld;
    for (let k = 1; k <= STRIDES; k++) {
        const to = from + way * k / STRIDES, { status, outcome } = engine.setCoordinate(joint, coordinate, to);
        if (status !== 0 || outcome !== "set") {
            const at = status === 0 && outcome === "limited" ? engine.findDeadPoint(joint, coordinate, Math.sign(way)) : null;
            if (at !== null)
                marks.push({ value: at, dead: true, joint, coordinate, reached: at });
            return { marks, whole: false };
        }
        const now = others.map(read), here = engine.save();
        others.forEach((other, n) => {
            if (!((old[n]! - older[n]!) * (now[n]! - old[n]!) < 0))
                return;
            engine.restore(stateOlder);
            const value = engine.findTurning(joint, coordinate, to, ...other);
            if (value !== null)
                marks.push({ value, dead: false, joint: other[0], coordinate: other[1], reached: read(other) });
        });
        engine.restore(here);
        [older, old, stateOlder, stateOld] = [old, now, stateOld, here];
        if (performance.now() > until)
            return { marks, whole: false };
    }
    return { marks, whole: true };
}

/* way: how far it goes each way. others: coordinates that may turn back; joints: how many there are, with couplings. */
export function marksOf(engine: Engine, place: Place, way: number, angular: boolean, others: Place[], joints: number): Mark[] {
    const here = engine.save(), until = performance.now() + PATIENCE, from = engine.coordinates(joints)[place[0] * COORDINATES + place[1]]!;
    /* from a stride behind, so that what turns back close to the pose is seen */
    const begin = (sign: number): number => {
        engine.restore(here);
        const back = from - sign * way / STRIDES, { status, outcome } = engine.setCoordinate(...place, back);
        if (status === 0 && outcome === "set")
            return back;
        engine.restore(here);
        return from;
    };
    const forth = oneWay(engine, place, begin(1), way * (1 + 2 / STRIDES), others, joints, until);
    const back = forth.whole && angular ? { marks: [] } : oneWay(engine, place, begin(-1), -way * (1 + 2 / STRIDES), others, joints, until);
    engine.restore(here);
    const turn = (value: number): number => angular && forth.whole ? value - 2 * Math.PI * Math.floor((value - from) / (2 * Math.PI) + ALIKE) : value;
    const marks = [...forth.marks, ...back.marks].map((one) => ({ ...one, value: turn(one.value) }));
    return marks.filter((one, k) => !marks.slice(0, k).some((other) => Math.abs(other.value - one.value) < ALIKE * way &&
        other.dead === one.dead && other.joint === one.joint && other.coordinate === one.coordinate));
}
