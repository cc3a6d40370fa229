/* templates.ts: mechanisms to begin with: points in mm and the acts that draw them, with the tools of the board.
 *
 * An act is a tool's name with points: "bar A B". "pin C bar1 bar2" pins two bodies, "slot B bar2" puts the
 * pin of B into a bar, "guide bar1 A B" lets a bar slide along a line on the ground.
 */
import { freshName, sectionsOf } from "./entries.ts";
import { fieldOf, sketchOf } from "./sketch.ts";
import type { Sketch } from "./sketch.ts";
import { Maker, TOOLS } from "./tools.ts";
import type { Pick } from "./tools.ts";
import type { Model } from "../engine.ts";

export interface Template { title: string; kind: string; story: string; points: string; acts: string }

const F = "four bars", S = "sliders and slots", L = "straight lines", M = "many bars", W = "wheels", P = "springs and swings";

export const TEMPLATES: Template[] = [
    { title: "Crank and rocker", kind: F, story: "The shortest bar turns all round, the rocker swings.",
      points: "A 0 0 B 0 30 C 95 65 D 90 0 E 60 90", acts: "bar A B; plate B C E; bar C D; ground A; ground D; motor A; marker E" },
    { title: "Double crank", kind: F, story: "The shortest bar is the ground: both cranks turn all round, one unevenly.",
      points: "A 0 0 B 0 70 C 80 75 D 30 0", acts: "bar A B; bar B C; bar C D; ground A; ground D; motor A" },
    { title: "Double rocker", kind: F, story: "The coupler is the shortest: let go, both sides swing.",
      points: "A 0 0 B 20 70 C 60 75 D 100 0", acts: "bar A B; bar B C; bar C D; ground A; ground D" },
    { title: "Parallelogram", kind: F, story: "The coupler stays level while the cranks turn.",
      points: "A 0 0 B 20 60 C 120 60 D 100 0", acts: "bar A B; bar B C; bar C D; ground A; ground D; motor A" },
    { title: "Windscreen wiper", kind: F, story: "A motor that turns one way wipes to and fro.",
      points: "A 0 0 B 0 20 C 100 45 D 100 0 E 130 130", acts: "bar A B; bar B C; plate D C E; ground A; ground D; motor A; marker E" },
    { title: "Car hood hinge", kind: F, story: "Two unequal rockers lead the hood up and back, held by a spring.",
      points: "A 0 0 B 40 40 C 90 35 D 60 -10 E 260 20", acts: "bar A B; bar D C; plate B C E; ground A; ground D; spring C A; marker E" },
    { title: "Slider-crank", kind: S, story: "Crank, rod and piston: the engine.",
      points: "A 0 0 B 0 40 C 140 0 X 200 0", acts: "bar A B; bar B C; slider C X; ground A; motor A" },
    { title: "Offset slider-crank", kind: S, story: "The rail does not go through the crank's axle: back is faster than forth.",
      points: "A 0 0 B 0 40 C 130 -40 X 200 -40", acts: "bar A B; bar B C; slider C X; ground A; motor A" },
    { title: "Quick return", kind: S, story: "A crank pin in the slot of a lever drives a ram: slow forth, quick back.",
      points: "A 0 100 B 40 100 D 0 0 E 80 200 G -20 240 X 60 240",
      acts: "bar A B; bar D E; slot B bar2; bar E G; slider G X; ground A; ground D; motor A" },
    { title: "Scotch yoke", kind: S, story: "A pin in a cross slot: the bar moves as a sine.",
      points: "A 0 0 B 40 0 C 40 -60 D 40 60 X 80 -60", acts: "bar A B; bar C D; guide bar2 C X; slot B bar2; ground A; motor A" },
    { title: "Swinging cylinder", kind: S, story: "The crank pin runs in the slot of a lever on the ground.",
      points: "A 0 0 B 30 40 D 120 0 E 0 53.333", acts: "bar A B; bar D E; slot B bar2; ground A; ground D; motor A" },
    { title: "Elliptic trammel", kind: S, story: "Two points of a bar on two rails: every other point draws an ellipse.",
      points: "A -60 0 B 0 80 C -20 53.333 X 60 0 Y 0 160", acts: "bar A B; slider A X; slider B Y; marker C bar1" },
    { title: "Chebyshev's straight line", kind: L, story: "The middle of the coupler runs nearly straight.",
      points: "A 0 0 B 60 80 C 20 80 D 80 0 M 40 80", acts: "bar A B; bar B C; bar C D; ground A; ground D; marker M bar2" },
    { title: "Hoecken's straight line", kind: L, story: "A crank whose coupler point runs straight and evenly for half of a turn.",
      points: "A 0 0 B -30 0 C 15 60 D 60 0 E 60 120", acts: "bar A B; bar B E; bar C D; pin C bar2 bar3; ground A; ground D; motor A; marker E" },
    { title: "Watt's straight line", kind: L, story: "The middle of the short coupler draws an eight with two straight parts.",
      points: "A 0 0 B 80 0 C 80 -40 D 160 -40 M 80 -20", acts: "bar A B; bar B C; bar C D; ground A; ground D; marker M bar2" },
    { title: "Roberts' straight line", kind: L, story: "The tip of a triangle runs along the line between the grounds.",
      points: "A 0 0 B 25 90 C 75 90 D 100 0 P 50 0", acts: "bar A B; bar C D; plate B P C; ground A; ground D; marker P" },
    { title: "Peaucellier's cell", kind: L, story: "Seven bars draw an exact straight line.",
      points: "O 0 0 C 35 0 P 70 0 Q 88.571 46.422 R 88.571 -46.422 T 107.143 0",
      acts: "bar O Q; bar O R; bar P Q; bar Q T; bar T R; bar R P; bar C P; ground O; ground C; marker T" },
    { title: "Scissor lift", kind: M, story: "Two pairs of scissors: the platform rises and stays level.",
      points: "A 0 0 B 100 0 C 100 50 D 0 50 M 50 25 E 100 100 H 0 100 N 50 75 X 140 0",
      acts: "bar A C; bar B D; pin M bar1 bar2; bar D E; bar C H; pin N bar3 bar4; ground A; slider B X; motor A 3 rpm" },
    { title: "Pantograph", kind: M, story: "What one point draws another draws larger.",
      points: "A 0 0 B 40 60 C 80 120 D 80 0 E 120 60 H 160 0", acts: "bar A C; bar C H; bar B D; bar D E; pin B bar1 bar3; pin E bar2 bar4; ground A; marker D; marker H" },
    { title: "Watt's six bars", kind: M, story: "A crank and a rocker that carries two more bars.",
      points: "A 0 0 B 0 30 C 95 65 D 90 0 E 130 60 G 190 70 H 180 0", acts: "bar A B; bar B C; plate D C E; bar E G; bar G H; ground A; ground D; ground H; motor A" },
    { title: "Stephenson's six bars", kind: M, story: "The coupler's point drives a second loop.",
      points: "A 0 0 B 0 30 C 95 65 D 90 0 E 50 110 G 150 130 H 170 20", acts: "bar A B; plate B C E; bar C D; bar E G; bar G H; ground A; ground D; ground H; motor A" },
    { title: "Theo Jansen's leg", kind: M, story: "Eleven lengths that walk: the foot goes straight on the ground and lifts.",
      points: "O 0 0 C 0 15 F -38 -7.8 U -46.736 32.77 K -77.668 -13.672 L -20.995 -43.231 H -57.448 -47.487 Z -7.691 -90.39",
      acts: "bar O C; bar C U; bar C L; plate F U K; bar F L; bar K H; plate L H Z; ground O; ground F; motor O; marker Z" },
    { title: "Oil pump", kind: M, story: "Crank and pitman rock a beam.",
      points: "A 0 0 B 30 0 C 20 110 D 110 120 E 200 110", acts: "bar A B; bar B C; plate C D E; ground A; ground D; motor A; marker E" },
    { title: "Toggle press", kind: M, story: "Two bars nearly in line press with a force that grows without bound.",
      points: "A -10 60 B 5 60 C 90 60 D 100 130 E 96 -10 X 96 -80", acts: "bar A B; bar B C; bar C D; bar C E; slider E X; ground A; ground D; motor A" },
    { title: "Truss", kind: M, story: "Three bars on a pin and a roller: nothing can move, which is told.",
      points: "A 0 0 B 120 0 C 60 90 X 200 0", acts: "bar A C; bar C B; bar A B; ground A; slider B X" },
    { title: "Two gear wheels", kind: W, story: "One turns the other the other way, as the radii say.",
      points: "A 0 0 B 100 0 T 35 0", acts: "gears A B T; motor A" },
    { title: "Train of three wheels", kind: W, story: "The wheel in the middle changes the direction only.",
      points: "A 0 0 B 70 0 C 160 0 T 30 0 U 110 0", acts: "gears A B T; gears B C U; motor A" },
    { title: "Planetary gear", kind: W, story: "A sun drives planets on an arm inside a ring: lock the ring (Joints) and the arm turns slowly.",
      points: "A 0 0 B 50 0 C 0 50 T 40 0 U 60 0 V 0 40 W 0 60",
      acts: "plate A B C; ground A; gears A B T; gears A B U; gears A C V; gears A C W; motor T wheel1" },
    { title: "Geared five bars", kind: W, story: "Two cranks on gear wheels: the point between them draws a curve of its own.",
      points: "A 0 0 B 80 0 C 0 30 D 80 -30 E 40 90 T 40 0", acts: "bar A C; bar B D; ground A; ground B; bar C E; bar E D; gears A B T; motor A; marker E" },
    { title: "Pendulum", kind: P, story: "A bar on a pin.", points: "A 0 0 B 120 -40", acts: "bar A B; ground A; marker B" },
    { title: "Double pendulum", kind: P, story: "Two bars: chaos.", points: "A 0 0 B 100 0 C 190 30",
      acts: "bar A B; bar B C; ground A; marker C" },
    { title: "Bar on a spring", kind: P, story: "A spring holds a bar against its weight.",
      points: "A 0 0 B 120 0 D 80 120", acts: "bar A B; ground A; spring B D; damper B D" },
    { title: "Over-centre toggle", kind: P, story: "A spring across a pin: two places of rest.",
      points: "A 0 0 B 30 80 D 0 -60", acts: "bar A B; ground A; spring B D; gravity off" },
    { title: "Swing with a damper", kind: P, story: "A plate swings until the damper has taken all.",
      points: "A 0 0 B -60 -90 C 60 -90 D 160 0", acts: "plate A B C; ground A; damper C D; marker B" },
];

/* The drawing as it is so far; all points are known, joints lie at theirs. */
function drawn(text: string, at: Map<string, [number, number]>): Sketch {
    const all = sectionsOf(text), joints = Object.entries(all.joints ?? {});
    const origin = ([, joint]: (typeof joints)[0]) => at.get(String(fieldOf(joint, "origin")).slice(1)) ?? [NaN, NaN];
    const model = { parameters: Object.keys(all.parameters ?? {}).map((name) => ({ name, value: at.get(name) ?? [] })),
                    joints: joints.map(([name, joint]) => ({ name, type: String(fieldOf(joint, "type")) })) };
    return sketchOf(text, model as unknown as Model, Float64Array.from(joints.flatMap((joint) => [...origin(joint), 0])));
}

/* The text of a template, by the tools with which people draw. */
export function textOf({ title, points, acts }: Template): string {
    const at = new Map<string, [number, number]>();
    const words = points.split(" ");
    for (let k = 0; k < words.length; k += 3)
        at.set(words[k]!, [Number(words[k + 1]) / 1000, Number(words[k + 2]) / 1000]);
    let text = `tenon: 1\nworld: planar\nname: ${title}\ngravity: [0, -9.81]\nparameters:\n` + [...at].map(([name, [x, y]]) =>
        `  ${name}: [${Number((1000 * x).toFixed(3))} mm, ${Number((1000 * y).toFixed(3))} mm]\n`).join("") +
        "bodies: {}\njoints: {}\nsimulation: {duration: 10 s}\n";
    for (const act of acts.split("; ")) {
        const [name, ...rest] = act.split(" ") as [string, ...string[]], maker = new Maker(text, drawn(text, at));
        const bodies = rest.filter((word) => !at.has(word));
        const picks = rest.filter((word) => at.has(word)).map((word): Pick => ({ x: at.get(word)![0], y: at.get(word)![1],
            point: maker.sketch.points.find((point) => point.name === word) ?? null, under: bodies, near: 1e-6 }));
        if (name === "gravity")
            maker.text = text.replace("gravity: [0, -9.81]", "gravity: [0, 0]");
        else if (name === "guide")
            maker.joint("slider", freshName(maker.all, "rail", "rail1"), bodies[0]!, "",
                        { origin: `=${rest[1]}`, axis: `=${rest[2]} - ${rest[1]}` });
        else if (name === "pin")
            maker.pin(rest[0]!, bodies[0]!, bodies[1] === "ground" ? "" : bodies[1]!);
        else if (name === "slot")
            TOOLS.find((tool) => tool.name === name)!.make(maker, [picks[0]!, { ...picks[0]!, point: null }]);
        else
            TOOLS.find((tool) => tool.name === name)!.make(maker, picks);
        text = maker.text;
    }
    return text;
}
