/* Entries added, set and taken out of a model's text: what is not asked for stays, letter by letter; and what
 * else of the page needs no browser: units, numbers that are searched, scales, rows. */
import assert from "node:assert/strict";
import { closureOf, freshName, freshPoint, mentions, sectionsOf, withEntry, withValue,
         withoutItems } from "../../web/src/drawing/entries.ts";
import { lengthNames } from "../../web/src/drawing/moves.ts";
import { reached } from "../../web/src/drawing/reached.ts";
import { Series, trailOf } from "../../web/src/series.ts";
import { scalesOf } from "../../web/src/ui/across.ts";
import { readNumber } from "../../web/src/units.ts";

const TEXT = `# a crank and a rod
tenon: 1
world: planar
parameters:
  A: [0 mm, 0 mm]   # on the ground
  B: [30 mm, 40 mm]
  C: [120 mm, 40 mm]
bodies:
  crank: {position: "=(A + B)/2", density: 7850}  # turns
  rod:
    position: "=(B + C)/2"   # floats
    density: 7850
joints:
  A: {type: hinge, a: crank, origin: =A}
  B: {type: hinge, a: rod, b: crank, origin: =B}

couplings: {gears: {gear: {a: A.theta, b: B.theta, ratio: -1}}}
# how long
simulation: {duration: 5 s}
`;

/* lines of one text that another does not have */
const gone = (a, b) => a.split("\n").filter((line) => !b.split("\n").includes(line));

{ /* what a text says */
    const all = sectionsOf(TEXT);
    assert.deepEqual(Object.keys(all.parameters), ["A", "B", "C"]);
    assert.deepEqual(all.parameters.B, ["30 mm", "40 mm"]);
    assert.equal(all.bodies.rod.position, "=(B + C)/2");
    assert.equal(all.couplings.gears.gear.ratio, "-1");
    assert.deepEqual(sectionsOf("{}"), {});
    assert.deepEqual(sectionsOf("no: [model"), {});
}
{ /* added behind the last one; a section that is missing comes in its place, the comment stays with what it is of */
    const more = withEntry(TEXT, "bodies", "bar", { position: "=(A + C)/2", size: ["=norm(C - A)", "4 mm"] });
    assert.deepEqual(gone(more, TEXT), ['  bar: {position: =(A + C)/2, size: [=norm(C - A), 4 mm]}']);
    assert.deepEqual(gone(TEXT, more), []);
    const marked = withEntry(TEXT, "markers", "M", { body: "rod", position: "=[0, 1 mm]" });
    assert.deepEqual(gone(marked, TEXT), ["markers:", '  M: {body: rod, position: "=[0, 1 mm]"}']);
    assert.match(marked, /markers:\n  M: .*\n# how long\nsimulation/);
    assert.match(withEntry(TEXT, "couplings", "more", { mimic: {} }), /couplings: \{gears: .*, more: \{mimic: \{\}\}\}/);
    const blank = "tenon: 1\nbodies: {}   # none yet\njoints: {}\n";
    assert.equal(withEntry(blank, "bodies", "b", { mass: 1 }), "tenon: 1\nbodies: # none yet\n  b: {mass: 1}\njoints: {}\n");
    assert.equal(withEntry("tenon: 1", "bodies", "b", { mass: 1 }), "tenon: 1\nbodies:\n  b: {mass: 1}\n");
    const json = JSON.parse(withEntry('{"tenon": 1, "bodies": {"a": {"mass": 1}}}', "bodies", "b", { mass: 2 }));
    assert.deepEqual(json.bodies, { a: { mass: 1 }, b: { mass: 2 } });
}
{ /* set in place, the comment behind it stays */
    const moved = withValue(TEXT, ["parameters", "B"], ["31 mm", "40 mm"]);
    assert.deepEqual(gone(moved, TEXT), ["  B: [31 mm, 40 mm]"]);
    assert.match(withValue(TEXT, ["parameters", "A"], ["1 mm", "0 mm"]), /A: \[1 mm, 0 mm\] {3}# on the ground/);
    assert.match(withValue(TEXT, ["joints", "A", "motor"], { theta: { speed: "60 rpm" } }),
                 /origin: =A, motor: \{theta: \{speed: 60 rpm\}\}\}/);
}
{ /* names are words, not parts of words */
    assert.ok(mentions("=(A + B)/2", "A"));
    assert.ok(mentions("A.theta", "A"));
    assert.ok(!mentions("=(AB + B)/2", "A"));
    assert.ok(!mentions("crank.A", "A"));
    assert.ok(mentions({ a: ["x", "=norm(C - A)"] }, "A"));
}
{ /* taken out with what hangs on it, and with points that nothing else needs */
    const all = sectionsOf(TEXT);
    assert.deepEqual(closureOf(all, [["bodies", "rod"]]),
                     [["bodies", "rod"], ["joints", "B"], ["couplings", "gears"]]);
    const rest = withoutItems(TEXT, [["bodies", "rod"]]);
    assert.deepEqual(gone(TEXT, rest).map((line) => line.trim().split(":")[0]),
                     ["C", "rod", "position", "density", "B", "couplings"]);
    assert.deepEqual(gone(rest, TEXT), []);
    assert.deepEqual(Object.keys(sectionsOf(rest).parameters), ["A", "B"]);
    const none = withoutItems(rest, [["bodies", "crank"]]);
    assert.equal(none, "# a crank and a rod\ntenon: 1\nworld: planar\nbodies: {}\n\n# how long\nsimulation: {duration: 5 s}\n");
    assert.deepEqual(sectionsOf(withEntry(none, "bodies", "b", { mass: 1 })).bodies, { b: { mass: "1" } });
}
{ /* names that are free */
    const all = sectionsOf(TEXT);
    assert.equal(freshPoint(all), "D");
    assert.equal(freshName(all, "crank"), "crank2");
    assert.equal(freshName(all, "bar", "bar1"), "bar1");
}
{ /* hostile names are names */
    for (const name of ["a: b", "{x}", "#1", "'", "\"", "=x", "- y", " z ", "<script>", "a\nb", "$&"]) {
        const more = withEntry(TEXT, "bodies", name, { mass: 1 });
        assert.deepEqual(gone(TEXT, more), [], name);
        assert.ok(!mentions("=(A + B)/2", name));
    }
}
{ /* numbers with units, in the unit of their field */
    const near = (text, unit, value) => assert.ok(Math.abs(readNumber(text, unit) - value) < 1e-9 * Math.abs(value), text);
    for (const [text, unit, value] of [["30 deg", "°", 30], ["0.5 rad", "°", 90 / Math.PI], ["2 in", "mm", 50.8], ["1 ft", "m", 0.3048],
        ["300 rpm", "°/s", 1800], ["1 N/mm", "N/m", 1000], ["3 kN", "N", 3000], ["1 Nm", "N m", 1], ["2 N mm/deg", "N m/rad", 0.36 / Math.PI],
        ["1,5", "", 1.5], ["-1e3", "m", -1000], ["\u22122.5", "°", -2.5], ["1 rev", "°", 360], [".5 m", "mm", 500], ["3 mm/s^2", "m/s^2", 3e-3]])
        near(text, unit, value);
    for (const [text, unit] of [["5 kg", "mm"], ["", "m"], ["abc", "m"], ["1 furlong", "m"], ["5 Hz", "°/s"], ["2 m", ""], ["1 2", "m"], ["--1", "m"]])
        assert.equal(typeof readNumber(text, unit), "string", text);
}
{ /* numbers from which a pair follows: the smallest change that brings it there, or as near as it gets */
    const polar = ([r, phi]) => [r * Math.cos(phi), r * Math.sin(phi)];
    const [r, phi] = reached([0.05, Math.PI / 2], [0.05, 1], [0.03, 0.04], polar);
    assert.ok(Math.abs(r - 0.05) < 1e-9 && Math.abs(phi - Math.atan2(4, 3)) < 1e-9);
    const [turned] = reached([0], [1], [3, 4], ([a]) => [Math.cos(a), Math.sin(a)]);
    assert.ok(Math.abs(turned - Math.atan2(4, 3)) < 0.1);
    assert.equal(reached([1], [1], [0, 0], () => null), null);
    const text = "tenon: 1\nparameters: {A: [0, 0], r: 1, s: =2*r, B: \"=A + turn([s, 0], phi)\", phi: 1 rad}\n";
    assert.deepEqual(lengthNames(sectionsOf(text), "B").sort(), ["phi", "r"]);
}
{ /* a unit is as long both ways, and everything is in the picture */
    const x = Float64Array.from([0, 4, 1]), y = Float64Array.from([0, 1, NaN]);
    const scale = scalesOf(400, 300, [x], [y], true);
    assert.equal(scale.x.size, scale.y.size);
    assert.ok(scale.x.low < 0 && scale.y.low < 0);
    assert.ok(scalesOf(400, 300, [x], [y], false).y.size < scale.y.size);
}
{ /* rows are cut where time goes back, and thinned evenly */
    const series = new Series(), row = (k) => ({ index: k, time: 0.1 * k, values: new Float64Array(100_000), markers: new Float64Array(3) });
    for (let k = 0; k < 100; k++)
        if (series.isDue(series.stepAt(0.1 * k, 0.1)))
            series.add(row(k));
    assert.ok(series.rows.length < 50);
    const gaps = new Set(series.rows.slice(1).map(({ index }, k) => index - series.rows[k].index));
    assert.equal(gaps.size, 1);
    const { version } = series;
    series.cut(5);
    assert.ok(series.rows.every(({ time }) => time < 5) && series.version !== version);
    const trail = trailOf(series, { version: series.version, rows: series.rows.length - 2 }, 1e9);
    assert.deepEqual([trail.points.length, trail.shown], [6, series.rows.length]);
    assert.equal(trailOf(series, { version, rows: 3 }, 0).from, 0);
}
console.log("entries: all as it should be");
