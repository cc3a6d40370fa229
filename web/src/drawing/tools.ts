/* tools.ts: what can be drawn: a table of tools, each of which makes new text of old text and what was picked. */
import { freshName, freshPoint, sectionsOf, withEntry, withValue } from "./entries.ts";
import type { Sections } from "./entries.ts";
import { driveable, heldAt, inFrame } from "./sketch.ts";
import type { Point, Sketch } from "./sketch.ts";
import { mirrored, shifted, turned } from "./copies.ts";
import type { Motion } from "./copies.ts";
import { PUSH } from "./values.ts";
import { ledThrough } from "./positions.ts";
import { belted, geared } from "./wheels.ts";
import type { Value } from "../yamltext.ts";
import { t } from "../words/words.ts";

/* A place that was clicked: a point of the drawing, or new; under: bodies there, the uppermost first; near: m, what is not
 * farther away is meant by the click. */
export interface Pick { x: number; y: number; point: Point | null; under: string[]; near: number }

export interface Tool {
    name: string; key: string; title: string; cursor: string;
    icon: string;    /* a path on a square of 24 */
    hints: string[]; /* what to click, pick by pick; the last one goes on where closes is set */
    closes?: number; /* picks from which on the first point, clicked again, ends it */
    line?: boolean;  /* a line goes from pick to pick */
    make(maker: Maker, picks: Pick[]): string | void; /* what is to be told of it */
    motions?(picks: Pick[], count: number): Motion[]; /* what is selected is copied, once for each */
    counts?: boolean; /* so often as is typed */
    photo?: boolean; /* what is picked is on the photo behind the grid: nothing attracts it */
    centre?: boolean; /* lines go from the first pick, and the third turns the second about it */
}

/* Sizes and strengths of what is drawn, to be changed in the text. */
const WIDTH = "12 mm", DENSITY = "7850 kg/m^3", STIFFNESS = "500 N/m", DAMPING = "20 N s/m", SPEED = "30 rpm";
const BLOCKS = 36; /* of a ring */
export const MOTOR = "M12 4a8 8 0 1 0 8 8h-2a6 6 0 1 1-6-6zM12 4l4-3v7z"; /* its icon */
const THINNEST = 4, LAYERS = 6; /* mm: bodies of different thickness are told apart where they cover each other */

/* As many digits as a drawing needs: a micrometre. */
export function millimetres(metres: number): string { return `${Number((1000 * metres).toFixed(3))} mm`; }
const newtons = (force: number): string => `${Number(force.toFixed(2))} N`;

/* What tools write with: each call changes the text. */
export class Maker {
    /* written: a length in m as the text is to have it. */
    constructor(public text: string, readonly sketch: Sketch, private readonly written: (metres: number) => string = millimetres) {}

    get all(): Sections { return sectionsOf(this.text); }
    add(section: string, name: string, value: Value): string {
        this.text = withEntry(this.text, section, name, value);
        return name;
    }
    set(path: string[], value: Value): void { this.text = withValue(this.text, path, value); }

    private readonly made = new Map<string, string>(); /* names of points that this act has put there */

    /* The name of the place in formulas; a new point is written down. */
    point(pick: Pick): string {
        if (pick.point?.parameter)
            return pick.point.name;
        const at = [this.written(pick.x), this.written(pick.y)], known = this.made.get(at.join());
        if (known)
            return known;
        const name = this.newPoint(at);
        this.made.set(at.join(), name);
        return name;
    }

    newPoint(value: Value): string { return this.add("parameters", freshPoint(this.all), value); }

    private thickness(): string { return `${THINNEST + Object.keys(this.all.bodies ?? {}).length % LAYERS} mm`; }
    body(stem: string, value: { [key: string]: Value }): string {
        return this.add("bodies", freshName(this.all, stem, /\d$/.test(stem) ? stem : `${stem}1`), value);
    }
    bar(from: string, to: string): string {
        return this.body("bar", { position: `=(${from} + ${to})/2`, angle: `=direction(${to} - ${from})`,
            shapes: [{ box: { size: [`=norm(${to} - ${from}) + ${WIDTH}`, WIDTH, this.thickness()] } }], density: DENSITY });
    }
    plate(points: string[]): string {
        const [first, ...others] = points;
        return this.body("plate", { position: `=${first}`, density: DENSITY, shapes: [{ extrusion: {
            points: [["0", "0"], ...others.map((one) => `=${one} - ${first}`)], height: this.thickness() } }] });
    }
    /* Corners beside a point. */
    cutout(at: string, points: [string, string][], stem: string): string {
        return this.body(stem, { position: `=${at}`, density: DENSITY, shapes: [{ extrusion: { points, height: this.thickness() } }] });
    }
    /* A wheel whose middle is beside a point. */
    disc(at: string, middle: [string, string], radius: string, stem: string): string {
        return this.body(stem, { position: `=${at}`, density: DENSITY, shapes: [{ cylinder: { radius, length: this.thickness() }, position: middle }] });
    }
    wheel(at: string, radius: string, stem = "wheel"): string {
        return this.body(stem, { position: `=${at}`, density: DENSITY,
                                    shapes: [{ cylinder: { radius: /[a-z]\(/.test(radius) ? `=${radius}` : radius, length: this.thickness() } }] });
    }
    /* A wheel with teeth inside: blocks round a circle. radius: inside. */
    ring(at: string, radius: string): string {
        const turn = 360 / BLOCKS, half = `${WIDTH}/2`;
        return this.body("ring", { position: `=${at}`, density: DENSITY, shapes: [{ repeat: { k: String(BLOCKS) },
            position: `=turn([${radius} + ${half}, 0], k*${turn} deg)`, angle: `=k*${turn} deg`,
            box: { size: [WIDTH, `=2*(${radius} + ${half})*tan(${turn / 2} deg)`, this.thickness()] } }] });
    }
    block(at: string, angle: number): string {
        return this.body("block", { position: `=${at}`, angle: `${angle} deg`, density: DENSITY,
                                    shapes: [{ box: { size: ["36 mm", "24 mm", "14 mm"] } }] });
    }
    /* other "": the ground. */
    joint(type: string, name: string, body: string, other: string, more: { [key: string]: Value }): string {
        return this.add("joints", freshName(this.all, name, this.all.joints?.[name] ? `${name}2` : name),
                        { type, a: body, ...(other ? { b: other } : {}), ...more });
    }
    private pinName(point: string): string { return freshName({ joints: this.all.joints ?? {} }, `${point}_`, point); }
    pin(point: string, body: string, other: string): string {
        return this.add("joints", this.pinName(point), { type: "hinge", a: body, ...(other ? { b: other } : {}),
                                                         origin: `=${point}` });
    }
    /* A new body is pinned to what is there already. */
    hang(body: string, pick: Pick, point: string): void {
        const there = pick.point?.bodies[0] ?? (pick.point ? undefined : pick.under[0]);
        if (there)
            this.pin(point, body, there);
        else if (pick.point?.ground)
            this.pin(point, body, "");
    }
    /* ground: a place where no body is belongs to it. */
    marker(pick: Pick, stem: string, ground = false): string {
        const body = ground && bodiesAt(pick).length === 0 ? "ground" : bodyAt(pick), point = this.point(pick);
        return this.onBody(body, point, stem);
    }
    onBody(body: string, point: string, stem: string): string {
        const place = body === "ground" ? `=${point}` : inFrame(this.all, body, point);
        if (place === null)
            throw new Error(`the frame of ${body} is not written as a position and an angle`);
        return this.add("markers", freshName(this.all, stem, `${stem}1`), { body, position: place });
    }
    /* Something along the line between two places: of bodies, or of a body and the ground. */
    between(type: string, stem: string, picks: Pick[], more: (line: string) => { [key: string]: Value }): void {
        const ends = picks.map((pick) => ({ body: bodiesAt(pick)[0] ?? "", point: this.point(pick) }));
        const [one, other] = ends[0]!.body ? ends : [ends[1], ends[0]];
        if (!one!.body || one!.body === other!.body)
            throw new Error(one!.body ? `both ends are on ${one!.body}` : "one of the ends must be on a body");
        this.joint(type, freshName(this.all, stem, `${stem}1`), one!.body, other!.body,
                   { frame_c: { position: `=${one!.point}` }, frame_d: { position: `=${other!.point}` },
                     ...more(`norm(${other!.point} - ${one!.point})`) });
    }
}

function bodiesAt(pick: Pick): string[] {
    const known = pick.point?.bodies ?? [];
    return [...known, ...pick.under.filter((body) => !known.includes(body))];
}
function bodyAt(pick: Pick): string {
    const [body] = bodiesAt(pick);
    if (!body)
        throw new Error("there is no body");
    return body;
}
/* Two bodies that are to be joined where they lie over each other. */
function pairAt(pick: Pick): [string, string] {
    const joined = pick.point?.joints.length ? pick.point.bodies : [], bodies = bodiesAt(pick);
    const [first, second] = joined.length > 0 && bodies.some((body) => !joined.includes(body))
        ? [bodies.find((body) => !joined.includes(body)), joined[0]] : bodies;
    if (!first || !second)
        throw new Error("there are not two bodies");
    if (joined.includes(first) && joined.includes(second))
        throw new Error(`${first} and ${second} are joined there already: select the point to change the joint`);
    return [first, second];
}
function apart(picks: Pick[]): void {
    picks.forEach((pick, k) => {
        const next = picks[k + 1];
        if (next && Math.hypot(next.x - pick.x, next.y - pick.y) < 1e-6)
            throw new Error("the two points are one");
    });
}
const direction = (from: Pick, to: Pick): number =>
    Number((Math.atan2(to.y - from.y, to.x - from.x) * 180 / Math.PI).toFixed(3));

export const TOOLS: Tool[] = [
    { name: "select", key: "V", title: t("select and move"), cursor: "default", icon: "M6 3l12 9-6 1 4 7-3 1-3-7-4 4z", hints:
        [t("Drag a point to move it; click a length to set it; click a part, with Shift more of them, and press Del to take it away.")],
      make: () => {} },
    { name: "bar", key: "B", title: t("bar"), cursor: "crosshair", icon: "M4 17 17 4l3 3L7 20z", line: true,
      hints: [t("Click where the bar begins: on a point it is pinned there."), t("Click where it ends.")],
      make: (maker, picks) => {
          apart(picks);
          const [from, to] = picks.map((pick) => maker.point(pick));
          const bar = maker.bar(from!, to!);
          maker.hang(bar, picks[0]!, from!);
          maker.hang(bar, picks[1]!, to!);
      } },
    { name: "plate", key: "P", title: t("plate of any shape"), cursor: "crosshair", icon: "M4 18 9 5l11 4-3 11z", line: true,
      closes: 3, hints: [t("Click its first corner: on a point it is pinned there."),
                         t("Click the next corner; the first one again ends it.")],
      make: (maker, picks) => {
          apart(picks);
          const points = picks.map((pick) => maker.point(pick)), plate = maker.plate(points);
          picks.forEach((pick, k) => {
              if (pick.point)
                  maker.hang(plate, pick, points[k]!);
          });
      } },
    { name: "ground", key: "G", title: t("pin to the ground"), cursor: "crosshair", icon: "M12 4 5 14h14zM3 16h18v2H3zM5 20h3M11 20h3M17 20h3",
      hints: [t("Click a point of a body: it turns about it on the ground.")],
      make: (maker, [pick]) => {
          const body = bodyAt(pick!);
          const held = pick!.point ? heldAt(maker.sketch, pick!.point) : "";
          if (held !== "")
              throw new Error(held);
          maker.pin(maker.point(pick!), body, "");
      } },
    { name: "pin", key: "J", title: t("pin between two bodies"), cursor: "crosshair",
      icon: "M12 5a7 7 0 1 0 .01 0zM12 9a3 3 0 1 1-.01 0z",
      hints: [t("Click where two bodies lie over each other.")],
      make: (maker, [pick]) => {
          const [first, second] = pairAt(pick!);
          maker.pin(maker.point(pick!), first, second);
      } },
    { name: "weld", key: "X", title: t("weld of two bodies, or of one to the ground"), cursor: "crosshair", icon: "M4 10h6V4h4v6h6v4h-6v6h-4v-6H4z",
      hints: [t("Click where two bodies lie over each other, or a point of one body: that is welded to the ground.")],
      make: (maker, [pick]) => {
          const [first, second] = bodiesAt(pick!).length === 1 ? [bodyAt(pick!), ""] : pairAt(pick!);
          const held = second === "" && pick!.point ? heldAt(maker.sketch, pick!.point) : "";
          if (held !== "")
              throw new Error(held);
          maker.joint("solid", freshName(maker.all, "weld", "weld1"), first, second, { origin: `=${maker.point(pick!)}` });
      } },
    { name: "slider", key: "S", title: t("block that slides on the ground"), cursor: "crosshair",
      icon: "M3 18h18v2H3zM8 8h8v8H8z", line: true,
      hints: [t("Click the point of a body that is to slide."), t("Click where it slides to.")],
      make: (maker, picks) => {
          apart(picks);
          const body = bodyAt(picks[0]!), point = maker.point(picks[0]!), angle = direction(picks[0]!, picks[1]!);
          const block = maker.block(point, angle), turn = angle * Math.PI / 180;
          maker.pin(point, block, body);
          maker.joint("slider", freshName(maker.all, "rail", "rail1"), block, "", { origin: `=${point}`,
              axis: [Number(Math.cos(turn).toFixed(12)), Number(Math.sin(turn).toFixed(12))] });
      } },
    { name: "slot", key: "O", title: t("pin in a slot of a bar"), cursor: "crosshair",
      icon: "M5 9h14a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6zM9 12h2v1H9z",
      hints: [t("Click the point of a body that is the pin."), t("Click the bar that has the slot.")],
      make: (maker, picks) => {
          const body = bodyAt(picks[0]!), point = maker.point(picks[0]!);
          const bar = maker.sketch.bars.find((one) => one.body !== body && bodiesAt(picks[1]!).includes(one.body));
          if (!bar)
              throw new Error("there is no other bar");
          maker.joint("slotted_hinge", freshName(maker.all, "slot", "slot1"), body, bar.body,
                      { origin: `=${point}`, axis: `=${bar.to.name} - ${bar.from.name}` });
      } },
    { name: "rod", key: "R", title: t("rod without mass"), cursor: "crosshair", icon: "M5 18 18 5l1 1L6 19z", line: true,
      hints: [t("Click a point of a body."), t("Click a point of another, or of the ground.")],
      make: (maker, picks) => { apart(picks); maker.between("rod", "rod", picks, () => ({})); } },
    { name: "spring", key: "K", title: t("spring"), cursor: "crosshair", icon: "M4 20l3-2-2-4 6 2-3-6 7 2-3-6 5 1 3-3", line: true,
      hints: [t("Click a point of a body."), t("Click a point of another, or of the ground. As drawn it is at rest.")],
      make: (maker, picks) => {
          apart(picks);
          maker.between("distance", "spring", picks, (line) =>
              ({ spring: { length: { stiffness: STIFFNESS, rest: `=${line}` } } }));
      } },
    { name: "damper", key: "D", title: t("damper"), cursor: "crosshair", icon: "M4 11h6V7h8v10h-8v-4H4zM18 11h3v2h-3z", line: true,
      hints: [t("Click a point of a body."), t("Click a point of another, or of the ground.")],
      make: (maker, picks) => {
          apart(picks);
          maker.between("distance", "damper", picks, () => ({ spring: { length: { damping: DAMPING } } }));
      } },
    { name: "gears", key: "W", title: t("pair of gear wheels"), cursor: "crosshair",
      icon: "M8 6a5 5 0 1 0 .01 0zM17 9a3.500 3.500 0 1 0 .01 0z", line: true,
      hints: [t("Click the centre of the first wheel: a pin, the end of an arm that carries it, or anywhere."),
              t("Click the centre of the second wheel."),
              t("Click where they touch: between the centres, or beyond one of them for a ring round it.")],
      make: (maker, picks) => {
          apart(picks.slice(0, 2));
          geared(maker, picks);
      } },
    { name: "belt", key: "Q", title: t("belt round two wheels"), cursor: "crosshair", line: true,
      icon: "M6 6h12a6 6 0 0 1 0 12H6A6 6 0 0 1 6 6zm0 3a3 3 0 0 0 0 6h12a3 3 0 0 0 0-6z",
      hints: [t("Click the first wheel's centre; where there is none a wheel of 20 mm is made."), t("Click the centre of the second wheel.")],
      make: (maker, picks) => {
          apart(picks);
          belted(maker, picks);
      } },
    { name: "motor", key: "M", title: t("motor"), cursor: "pointer", icon: MOTOR,
      hints: [t("Click a pin or a wheel on the ground: the motor turns it at 30 rpm.")],
      make: (maker, [pick]) => {
          const driven = driveable(maker.sketch, pick!.point, pick!.under);
          if (!driven)
              throw new Error("there is no pin or slider to drive");
          maker.set(["joints", driven.joint, "motor"],
                    { [driven.coordinate]: { speed: driven.coordinate === "theta" ? SPEED : "50 mm/s" } });
      } },
    { name: "load", key: "F", title: t("force"), cursor: "crosshair", icon: "M4 11h10V6l7 6-7 6v-5H4z", line: true,
      hints: [t("Click the point of a body where it acts."), t("Click where the arrow ends: 10 mm are 10 N.")],
      make: (maker, picks) => {
          apart(picks);
          const marker = maker.marker(picks[0]!, "at");
          maker.add("loads", freshName(maker.all, "force", "force1"), { marker,
              force: [newtons(PUSH * (picks[1]!.x - picks[0]!.x)), newtons(PUSH * (picks[1]!.y - picks[0]!.y))] });
      } },
    { name: "marker", key: "T", title: t("marker, whose way is drawn"), cursor: "crosshair",
      icon: "M11 3h2v6h6v2h-6v10h-2V11H5V9h6z",
      hints: [t("Click a point of a body: its way is drawn and recorded.")],
      make: (maker, [pick]) => { maker.marker(pick!, "mark"); } },
    { name: "measure", key: "E", title: t("measure velocity and acceleration of a point"), cursor: "crosshair",
      icon: "M3 16 16 3l5 5L8 21zM8 12l2 2M11 9l3 3M14 6l2 2",
      hints: [t("Click a point of a body: its velocity and acceleration are recorded and plotted.")],
      make: (maker, [pick]) => {
          const marker = maker.marker(pick!, "mark");
          for (const quantity of ["velocity", "acceleration"])
              maker.add("measures", freshName(maker.all, `${marker}_${quantity}`), { marker, quantity });
      } },
    { name: "distance", key: "C", title: t("measure the distance of two points"), cursor: "crosshair", line: true,
      icon: "M3 6h2v12H3zM19 6h2v12h-2zM6 12l3-3v2h6V9l3 3-3 3v-2H9v2z",
      hints: [t("Click a point of a body."), t("Click a point of another, or of the ground: how far they are apart is recorded and plotted.")],
      make: (maker, picks) => {
          const [one, other] = picks.map((pick) => bodiesAt(pick)[0] ?? "");
          if (one === other)
              throw new Error(one ? `both are points of ${one}: their distance does not change` : "one of the points must be of a body");
          const markers = picks.map((pick) => maker.marker(pick, "mark", true));
          maker.add("measures", freshName(maker.all, "distance", "distance1"), { distance: markers });
      } },
    { name: "angle", key: "A", title: t("measure the angle between two bodies"), cursor: "crosshair",
      icon: "M4 19h17v2H3l-.8-1.600L14 3l1.600 1.200zM13 18a6 6 0 0 0-2.400-4.600l1.200-1.600A8 8 0 0 1 15 18z",
      hints: [t("Click a body."), t("Click another, or where there is none: the angle from that one, or from the x axis, is recorded and plotted.")],
      make: (maker, picks) => {
          const [one, other] = picks.map((pick) => pick.under[0] ?? pick.point?.bodies[0] ?? "");
          if (!one || one === other)
              throw new Error(one ? "click two bodies" : "the first must be a body");
          const frames = [one, other || "ground"].map((body) => maker.add("markers", freshName(maker.all, "frame", "frame1"), { body: body! }));
          maker.add("measures", freshName(maker.all, "angle", "angle1"), { angle: frames });
      } },
    { name: "mirror", key: "I", title: t("mirrored copy of what is selected"), cursor: "crosshair", line: true,
      icon: "M11 3h2v18h-2zM9 7v10H3zM15 7v10h6z",
      hints: [t("Click a point of the mirror: what is selected, or everything, is copied to its other side."), t("Click another point of it.")],
      motions: ([one, other]) => { apart([one!, other!]); return [mirrored(one!, other!)]; }, make: () => {} },
    { name: "repeat", key: "N", title: t("copies of what is selected along a line"), cursor: "crosshair", line: true, counts: true,
      icon: "M3 9h4v6H3zM10 9h4v6h-4zM17 9h4v6h-4z",
      hints: [t("Click a point of what is selected, or of everything."), t("Click where it is on the next copy.")],
      motions: ([from, to], count) => {
          apart([from!, to!]);
          return Array.from({ length: count }, (_, k) => shifted(from!, to!, k + 1));
      }, make: () => {} },
    { name: "turn", key: "U", title: t("copies of what is selected about a point"), cursor: "crosshair", line: true, counts: true, centre: true,
      icon: "M12 11h2v2h-2zM11 3h4v4h-4zM18 10h4v4h-4zM11 17h4v4h-4zM4 10h4v4H4z",
      hints: [t("Click the centre."), t("Click a point of what is selected, or of everything."), t("Click where it is on the next copy.")],
      motions: ([about, from, to], count) => {
          apart([about!, from!]);
          const angle = (pick: Pick) => Math.atan2(pick.y - about!.y, pick.x - about!.x), step = angle(to!) - angle(from!);
          if (Math.abs(Math.sin(step / 2)) < 1e-6)
              throw new Error("the two directions are one");
          return Array.from({ length: count }, (_, k) => turned(about!, (k + 1) * step));
      }, make: () => {} },
    { name: "positions", key: "Y", title: t("four-bar through three positions of a body"), cursor: "crosshair", line: true,
      icon: "M3 19l4-9 2 1-4 9zM10 12l6-6 1.500 1.500-6 6zM14 18h8v2h-8z",
      hints: [t("Click a point of the body in its first position."), t("Click another point of it there: the direction."),
              t("Click where the first point is in the second position."), t("Click in which direction the other is seen from it there."),
              t("Click where the first point is in the third position."), t("Click in which direction the other is seen from it there."),
              t("Click a pin of the body in its first position: it gets a bar to the ground."), t("Click the other pin of it there.")],
      make: (maker, picks) => {
          for (const k of [0, 2, 4])
              apart(picks.slice(k, k + 2));
          return ledThrough(maker, picks);
      } },
    { name: "photo", key: "H", title: t("photo behind the grid, and its scale"), cursor: "crosshair", line: true, photo: true,
      icon: "M4 6h4l2-2h4l2 2h4v13H4zM12 9a3.500 3.500 0 1 0 .01 0z",
      hints: [t("Click one end of a length on the photo that you know."), t("Click its other end, then type the length below.")],
      make: () => {} },
];
