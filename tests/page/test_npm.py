#!/usr/bin/env python3
"""The npm package under node: every example moves as the tool says, what the README shows works, mistakes are
told, and its types are those that users compile against."""
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("TENON_BUILD", ROOT / "build-viewer")).resolve()
TENON = os.environ.get("TENON", str(BUILD / "tenon"))
PACKAGE = BUILD / "page" / "npm"
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
CLOSE = 1e-12  # m, rad, relative to 1
# The two C libraries round sin, cos and the like differently in the last place; what moves wildly shows it.
LESS_CLOSE = 1e-7

RUN = """
import { load } from "tenon";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
const folder = process.argv[2], seconds = Number(process.argv[3]);
const files = {};
for (const name of readdirSync(folder, { recursive: true }))
    if (/[.](stl|obj|csv|yaml)$/.test(name) && statSync(join(folder, name)).isFile())
        files[name] = readFileSync(join(folder, name));
const out = {};
for (const name of process.argv.slice(4)) {
    const sim = await load(readFileSync(join(folder, name), "utf8"), { name, files });
    const run = sim.run(seconds, { every: seconds / 10 });
    out[name] = Object.fromEntries(run.columns.map((one) => [one, Array.from(run.column(one))]));
}
console.log(JSON.stringify(out, (_, value) => value === Infinity ? "inf" : value));
"""

TYPES = """
import { load, ModelError, StepError, type Energy, type Recording } from "tenon";
const sim = await load("tenon: 1", { parameters: { length: "350 mm" } });
const run: Recording = sim.run(1, { step: 1e-3 });
const column: Float64Array = run.column("a.theta");
const energy: Energy = sim.energy();
const names: string[] = sim.model.joints.map((joint) => joint.name);
// @ts-expect-error: no such method
sim.jump();
// @ts-expect-error: a number is wanted
sim.step("1");
console.log(column.length, energy.total, names, ModelError.name, StepError.name);
"""


class Package(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        (self.folder / "node_modules").mkdir()
        # as npm installs it: unpacked from what npm packs
        packed = subprocess.run(["npm", "pack", "--silent", str(PACKAGE)], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(packed.returncode, 0, packed.stderr)
        subprocess.run(["tar", "-xzf", packed.stdout.strip(), "-C", "node_modules"], cwd=self.folder, check=True)
        (self.folder / "node_modules" / "package").rename(self.folder / "node_modules" / "tenon")

    def node(self, script, *arguments):
        (self.folder / "main.mjs").write_text(script)
        return subprocess.run(["node", "main.mjs", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=600)

    def test_the_version_is_the_tool_s(self):
        wanted = subprocess.run([TENON, "version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.assertEqual(json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["version"], wanted)

    def test_examples_move_as_the_tool_says(self):
        seconds = 0.2
        done = self.node(RUN, ROOT / "examples", seconds, *[path.name for path in EXAMPLES])
        self.assertEqual(done.returncode, 0, done.stderr)
        runs, worst = json.loads(done.stdout), {}
        for path in EXAMPLES:
            table = self.folder / "motion.csv"
            run = subprocess.run([TENON, "run", path, "--time", str(seconds), "--every", str(seconds / 10), "--csv", table, "--quiet"],
                                 capture_output=True, text=True, timeout=300)
            self.assertEqual(run.returncode, 0, run.stderr)
            with open(table) as file:
                lines = file.readlines()
            units = next(line for line in lines if line.startswith("# units:"))[len("# units:"):].strip().split(",")
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
            scale = {name: math.pi / 180 if unit.startswith("deg") else 1.0 for name, unit in zip(rows[0], units)}
            ours = runs[path.name]
            self.assertEqual(len(ours["t"]), len(rows), path.name)
            places = ("t", "px", "py", "pz", "x", "y", "z", "theta", "qw", "qx", "qy", "qz")
            names = [name for name in rows[0] if name in ours and name.rsplit(".", 1)[-1] in places]
            self.assertGreater(len(names), 1)
            # the tool records at the times asked for, the package after the step that reaches them
            same = [k for k, row in enumerate(rows) if abs(float(row["t"]) - ours["t"][k]) < 1e-12]
            self.assertGreaterEqual(len(same), 2, path.name)
            worst[path.name] = max(abs(float(rows[k][name]) * scale[name] - ours[name][k]) / max(1.0, abs(ours[name][k]))
                                   for name in names for k in same)
        far = {name: value for name, value in worst.items() if value > CLOSE}
        print(f"\n{len(worst)} examples, {len(far)} differ by more than {CLOSE:g}: {far}")
        self.assertLess(max(worst.values()), LESS_CLOSE)
        self.assertLess(len(far), len(EXAMPLES) // 2)

    def test_models_of_others(self):
        """URDF with a mesh, by name: the coordinates are those of `tenon run`; hostile XML is an error with its line."""
        folder = self.folder / "arm"
        (folder / "meshes").mkdir(parents=True)
        (folder / "meshes" / "part.obj").write_text("v 0 0 .1\nv .1 0 0\nv 0 .1 0\nv -.1 0 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
        text = (ROOT / "examples" / "arm.urdf").read_text(encoding="utf-8")
        text = text.replace('<box size="0.16 0.2 0.2"/>', '<mesh filename="package://arm/meshes/part.obj"/>')
        self.assertIn("part.obj", text)
        (folder / "arm.urdf").write_text(text, encoding="utf-8")
        run = subprocess.run([TENON, "run", folder / "arm.urdf", "--time", "0.1", "--every", "0.1", "--csv", folder / "m.csv", "--quiet"],
                             capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)
        with open(folder / "m.csv") as file:
            last = list(csv.DictReader(line for line in file if not line.startswith("#")))[-1]
        done = self.node("""
            import { load, ModelError } from "tenon";
            import { readFileSync } from "node:fs";
            const folder = process.argv[2], text = readFileSync(`${folder}/arm.urdf`, "utf8");
            const files = { "meshes/part.obj": readFileSync(`${folder}/meshes/part.obj`) };
            const sim = await load(text, { name: "arm.urdf", files });
            sim.run(0.1);
            const out = { messages: sim.messages, values: {}, text: sim.text(), told: [] };
            for (const joint of sim.model.joints)
                if (joint.coordinates.length === 1)
                    out.values[`${joint.name}.${joint.coordinates[0].name}`] = sim.coordinate(joint.name);
            for (const bad of ["<!DOCTYPE r [<!ENTITY a 'b'>]>\\n<robot name='&a;'/>", "<robot name='r'>\\n" + "<a>".repeat(100000)])
                await load(bad, { name: "bad.urdf" }).catch((error) => out.told.push([error instanceof ModelError, error.message]));
            console.log(JSON.stringify(out));
        """, folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = json.loads(done.stdout)
        self.assertFalse([one for one in out["messages"] if "part.obj" in one["message"]])  # found
        self.assertTrue(any(one["severity"] == "note" and one["line"] == 17 for one in out["messages"]))
        self.assertGreater(len(out["values"]), 5)
        for name, value in out["values"].items():
            self.assertAlmostEqual(value, float(last[name]), delta=1e-11)
        self.assertTrue(out["text"].startswith("tenon: 1"))
        self.assertIn("meshes/part.obj", out["text"])
        self.assertEqual([one[0] for one in out["told"]], [True, True])
        self.assertRegex(out["told"][0][1], r"^1:\d+: this is no XML that can be read: it declares entities")
        self.assertIn("more than 256 deep", out["told"][1][1])

    def test_what_the_readme_shows(self):
        script = (ROOT / "web/npm/README.md").read_text().split("```js\n")[1].split("```")[0]
        model = ROOT / "examples" / "excavator.yaml"
        done = self.node(script.replace('"excavator.yaml", "utf8"', f'"{model}", "utf8"').replace("run(5.0", "run(0.1")
                         .replace("boom.theta", self.first_coordinate(model)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.split()), 2)

    def first_coordinate(self, model):
        out = self.folder / "m.csv"
        subprocess.run([TENON, "run", model, "--time", "0.01", "--csv", out, "--quiet"], check=True, timeout=60)
        with open(out) as file:
            header = next(line for line in file if not line.startswith("#"))
        return next(name for name in header.split(",") if name.endswith(".theta"))

    def test_closed_form_and_state(self):
        """A free body under gravity falls by g t^2 / 2; a state restored goes on with the same bits."""
        done = self.node("""
            import { load } from "tenon";
            const sim = await load("{tenon: 1, gravity: [0, 0, -9.81], parameters: {m: 1 kg}, bodies: {b: {mass: =m, inertia: [1, 1, 1]}}}",
                                   { parameters: { m: "2 kg" } });
            for (let k = 0; k < 50; k++) sim.step(0.01);
            const state = sim.save();
            for (let k = 0; k < 50; k++) sim.step(0.01);
            const z = sim.poses()[2], mass = sim.model.parameters[0].value[0];
            sim.restore(state);
            for (let k = 0; k < 50; k++) sim.step(0.01);
            console.log(JSON.stringify([z, sim.poses()[2] === z, mass, sim.time]));""")
        self.assertEqual(done.returncode, 0, done.stderr)
        z, same, mass, time = json.loads(done.stdout)
        self.assertAlmostEqual(z, -9.81 / 2, 9)
        self.assertEqual((same, mass), (True, 2))
        self.assertAlmostEqual(time, 1, 12)

    def test_mistakes(self):
        done = self.node("""
            import { load, ModelError } from "tenon";
            try { await load("tenon: 1\\nbodys: {}\\n", { name: "wrong.yaml" }); }
            catch (error) {
                console.log(JSON.stringify([error instanceof ModelError, error.problems.map((p) => [p.line, p.column, p.hint])]));
            }""")
        self.assertEqual(done.returncode, 0, done.stderr)
        told, problems = json.loads(done.stdout)
        self.assertTrue(told)
        hints = [hint for line, column, hint in problems if (line, column) == (2, 1)]
        self.assertTrue(hints[0].startswith("did you mean 'bodies'? There are: tenon, world,"), hints)

    def test_runs_that_would_not_end(self):
        """Times that are none are errors at once, and change nothing; a step that is none is refused."""
        done = self.node("""
            import { load, StepError } from "tenon";
            const sim = await load("{tenon: 1, bodies: {b: {mass: 1, inertia: [1, 1, 1]}}}");
            const wrong = [[NaN], [Infinity], [-1], [0], [1, { step: -1 }], [1, { step: 0 }], [1, { step: NaN }],
                           [1, { step: Infinity }], [1, { step: 1e-16 }], [1, { every: -1 }], [1, { every: 0 }]];
            const told = wrong.map((given) => {
                try { sim.run(...given); } catch (error) { return error instanceof RangeError; }
                return false;
            });
            for (const h of [NaN, Infinity, -1, 0]) {
                try { sim.step(h); told.push(false); } catch (error) { told.push(error instanceof StepError); }
            }
            try { sim.restore(new ArrayBuffer(3)); told.push(false); } catch (error) { told.push(error instanceof RangeError); }
            console.log(JSON.stringify([told, sim.time]));""")
        self.assertEqual(done.returncode, 0, done.stderr)
        told, time = json.loads(done.stdout)
        self.assertEqual((told, time), ([True] * 16, 0))

    def test_types(self):
        (self.folder / "main.ts").write_text(TYPES)
        tsc = BUILD / "page" / "web" / "node_modules" / "typescript" / "bin" / "tsc"
        done = subprocess.run(["node", tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext",
                               "--moduleResolution", "nodenext", "--types", "", "--lib", "es2022,dom", "main.ts"],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)
        (self.folder / "package.json").write_text('{"type": "module"}')
        done = subprocess.run(done.args, cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_size(self):
        self.assertLess((self.folder / "node_modules/tenon/tenon.wasm").stat().st_size, 2.4e6)


if __name__ == "__main__":
    unittest.main()
