/* Entries added, set and taken out of a model's text: what is not asked for stays, letter by letter. */
import assert from "node:assert/strict";
import { closureOf, freshName, freshPoint, mentions, sectionsOf, withEntry, withValue,
         withoutItems } from "../../web/src/drawing/entries.ts";

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
console.log("entries: all as it should be");
