#!/usr/bin/env python3
"""The page of `tenon view` in a headless Chromium: it shows, moves and reports what the tool does.

With --store the coarse pictures are stored anew instead of compared.
"""
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from desk import HERE, READY, ROOT, TENON, browser, is_ready, tenon, write_page

EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
JOINTS = sorted((ROOT / "examples" / "joints").glob("*.yaml"))
PICTURES = HERE / "pictures.json"
STORE = "--store" in sys.argv

# Coordinates after one second may differ by this much (rad, m): the two libraries of mathematical
# functions differ in last digits, and a rag doll that falls on its limits amplifies them.
CLOSE = 1e-12
LESS_CLOSE = {"ragdoll.yaml": 1e-9}

# Means over 16 x 9 parts of the picture, counted here: browsers scale pictures in ways of their own. And its contrast.
THUMBNAIL = """(() => {
    const { scene } = tenon, { width, height } = (scene.draw(true), scene.canvas);
    const paper = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
    paper.drawImage(scene.canvas, 0, 0);
    let darkest = 255, brightest = 0;
    const { data } = paper.getImageData(0, 0, width, height), sums = new Float64Array(16 * 9 * 3), counts = new Float64Array(16 * 9);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const part = 16 * Math.floor(9 * y / height) + Math.floor(16 * x / width);
            counts[part]++;
            for (let k = 0; k < 3; k++) {
                const value = data[4 * (y * width + x) + k];
                sums[3 * part + k] += value;
                darkest = Math.min(darkest, value);
                brightest = Math.max(brightest, value);
            }
        }
    return [[...sums].map((sum, i) => Math.round(sum / counts[Math.floor(i / 3)])), brightest - darkest];
})()"""

HOSTILE = [
    "<script>hacked=1</script>", "<img src=x onerror=hacked=1>", "<svg onload=hacked=1>",
    "</script><script>hacked=1</script>", "--><script>hacked=1</script>", "<!--", "]]>", "&lt;b&gt;",
    "\"><script>hacked=1</script>", "'onmouseover='hacked=1", "javascript:hacked=1", "{{MODEL}}",
    "${hacked=1}", "`;hacked=1;`", "\\u003cscript>hacked=1</script>", "<iframe srcdoc='<b>'></iframe>",
    "<math><mi href=javascript:hacked=1>", "<style>*{display:none}</style>", "a\u2028b\u2029c",
    "<a href=//example.com>x</a>",
]


def state_after(model, seconds, folder):
    """What the tool records, by name, angles in rad as the page has them."""
    table = folder / "motion.csv"
    run = tenon("run", model, "--time", repr(seconds), "--every", repr(seconds), "--csv", table, "--quiet")
    assert run.returncode == 0, run.stderr
    with open(table, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    units = next(line for line in lines if line.startswith("# units:"))[len("# units:"):].strip().split(",")
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    return {name: math.radians(float(value)) if unit.startswith("deg") else float(value)
            for name, unit, value in zip(rows[0], units, rows[-1])}


class PageTest(unittest.TestCase):
    own = shared = None  # pages: of this case, of all

    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(cls.browser.close)
        cls.folder = pathlib.Path(folder.name)
        cls.pictures = {} if STORE else json.loads(PICTURES.read_text(encoding="utf-8"))
        cls.stored = {}

    @classmethod
    def tearDownClass(cls):
        if STORE:
            lines = [f"{json.dumps(name)}: {json.dumps(cls.stored[name])}" for name in sorted(cls.stored)]
            PICTURES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

    def page_of(self, model, *options):
        out = self.folder / (pathlib.Path(model).stem + ".html")
        write_page(model, out, *options)
        self.assertLessEqual(out.stat().st_size, 3e6)
        return out

    def open(self, model, **size):
        """A page of its own, for what is seen, sized or taken away. The one before is closed: tabs that are open draw."""
        if self.own:
            self.own.close()
        page = type(self).own = self.browser.page(**size)
        self.addCleanup(page.close)
        page.open(self.page_of(model))
        return is_ready(page)

    def show(self, name):
        """An example in the page that all cases share which leave nothing behind: to open one takes two seconds of the
        processor, most of it for the first picture."""
        page = self.shared
        if not page:
            page = type(self).shared = is_ready(self.browser.page(self.page_of(ROOT / "examples" / "pendulum.yaml")))
        page.front()
        page.messages.clear()
        model = ROOT / "examples" / f"{name}.yaml"
        problems = self.load(page, model.read_text(encoding="utf-8"), model.name)
        self.assertFalse([one for one in problems if one["severity"] == "error"], problems)
        page.run("tenon.open('joints')")
        return page

    def load(self, page, text, name="model.yaml"):
        return page.run(f"tenon.load({json.dumps(text)}, {json.dumps(name)})")

    # ---- pictures and motion ----

    def compare_picture(self, page, name):
        picture, contrast = page.run(THUMBNAIL)
        self.assertGreater(contrast, 60, f"{name}: nothing is drawn")
        text = "".join(f"{x // 16:x}" for x in picture)
        self.stored[name] = text
        if STORE:
            return
        expected = self.pictures.get(name)
        self.assertIsNotNone(expected, f"{name} has no stored picture: test_page.py --store")
        difference = [abs(int(a, 16) - int(b, 16)) for a, b in zip(text, expected)]
        self.assertLess(sum(difference) / len(difference), 0.6, f"{name}: another picture than stored")

    def compare_motion(self, page, model):
        """After one second, as a whole number of the model's steps."""
        step, duration = page.run("[tenon.model.step, tenon.model.duration]")
        seconds = step * round(min(1.0, duration) / step)
        native = state_after(model, seconds, self.folder)
        reached, failure, names, values = page.run(f"""(async () => {{
            const frame = await tenon.client.run({seconds!r}, tenon.wish());
            const names = tenon.model.columns, last = await tenon.client.columns(names.map((_, k) => k));
            return [frame.time, frame.failure, names, last.slice(1).map((column) => column[column.length - 1])];
        }})()""")
        self.assertEqual(failure, "")
        self.assertAlmostEqual(reached, seconds, delta=1e-9)
        kept = set(page.run("""tenon.model.joints.flatMap((joint) =>
            joint.coordinates.map((one) => `${joint.name}.${one.name}`))"""))
        worst, compared = 0.0, 0
        for name, value in zip(names, values):
            if name in native and (name in kept or re.search(r"\.(p?[xyz])$", name)):
                worst = max(worst, abs(value - native[name]))
                compared += 1
        self.assertGreater(compared, 0, f"{model.name}: nothing to compare is recorded")
        self.assertLessEqual(worst, LESS_CLOSE.get(model.name, CLOSE), model.name)
        return worst

    def parts_of(self, model):
        """What `tenon view` put into the page of a model, and the page around it."""
        before, rest = self.page_of(model).read_text(encoding="utf-8").split('id="tenon-model">')
        data, after = rest.split("</script>", 1)
        return json.loads(data), before + after

    def test_every_example_opens_draws_and_moves_as_the_tool_says(self):
        """The pages are the same but for their model, so that one is opened and loads the models of the others: to open one
        takes two seconds of the processor."""
        worst, shared, first = {}, self.show("pendulum"), self.parts_of(EXAMPLES[0])[1]
        for model in EXAMPLES:
            with self.subTest(model.name):
                data, around = self.parts_of(model)
                self.assertTrue(around == first, "pages differ in more than their model")
                self.assertEqual(data["name"], model.name)
                page = self.open(model) if data.get("files") else shared
                if page is shared:
                    page.front()
                    problems = self.load(page, data["text"], data["name"])
                    self.assertFalse([one for one in problems if one["severity"] == "error"], problems)
                self.compare_picture(page, model.name)
                worst[model.name] = self.compare_motion(page, model)
                page.run(f"tenon.client.run(2, tenon.wish()).then((frame) => tenon.refresh())")
                self.assertEqual(page.messages, [])
        most = max(worst, key=worst.get)
        print(f"\n{len(worst)} examples: coordinates after 1 s differ by at most {worst[most]:.1e} ({most})")

    def test_a_robot_of_another_format_opens_and_moves_as_the_tool_says(self):
        model = ROOT / "examples" / "arm.urdf"
        page = self.open(model)
        self.compare_motion(page, model)
        self.assertEqual(page.messages, [])

    def test_every_joint_opens_draws_and_moves_as_the_tool_says(self):
        page, worst = self.show("pendulum"), 0.0
        for model in JOINTS:
            with self.subTest(model.name):
                problems = self.load(page, model.read_text(encoding="utf-8"), model.name)
                self.assertFalse([one for one in problems if one["severity"] == "error"])
                self.compare_picture(page, "joints/" + model.name)
                worst = max(worst, self.compare_motion(page, model))
        self.assertEqual(page.messages, [])
        print(f"\n{len(JOINTS)} joints: coordinates after 1 s differ by at most {worst:.1e}")

    # ---- in the hand ----

    def test_the_crank_turns_all_round_with_its_joints_closed(self):
        """A parallelogram: its coupler stays parallel to the ground link, unless it changes branch."""
        page = self.show("four_bar_hard")
        answer = page.run("""(async () => {
            let worst = 0, turned = 0, outcomes = new Set();
            const start = tenon.frame.coordinates[0];
            const opposite = tenon.frame.coordinates[0] + tenon.frame.coordinates[6];
            for (let degree = 0; degree <= 360; degree++) {
                const value = start + degree * Math.PI / 180;
                const got = await tenon.client.setCoordinate(0, 0, value);
                outcomes.add(`${got.status} ${got.outcome}`);
                worst = Math.max(worst, got.position, got.angle, Math.abs(got.value - value));
                const frame = await tenon.client.frame(tenon.wish());
                worst = Math.max(worst, frame.numbers[6], frame.numbers[7]);
                turned = Math.max(turned, Math.abs(frame.coordinates[0] + frame.coordinates[6] - opposite));
            }
            return [worst, turned, [...outcomes]];
        })()""")
        worst, turned, outcomes = answer
        self.assertEqual(outcomes, ["0 set"])
        self.assertLessEqual(worst, 1e-10)
        # where the links lie in one line, a closing error e leaves sqrt(e) of play; the other branch is 1 rad away
        self.assertLessEqual(turned, 1e-5)
        print(f"\nfour-bar: joints closed to {worst:.1e}, parallel to {turned:.1e} rad")

    def test_a_second_slider_says_dependent(self):
        page = self.show("four_bar_hard")
        page.wait("document.querySelectorAll('.coordinate input[type=range]').length === 4")
        page.run("""(() => {
            const slider = document.querySelector('.coordinate input[type=range]');
            slider.dispatchEvent(new PointerEvent('pointerdown'));
            slider.value = Number(slider.value) + 10;
            slider.dispatchEvent(new Event('input'));
            slider.dispatchEvent(new Event('change'));
        })()""")
        page.wait("""[...document.querySelectorAll('.coordinate .note')]
            .map((note) => note.textContent).join() === ',dependent,dependent,dependent'""")
        self.assertEqual(page.messages, [])

    def test_undo_and_redo_give_the_same_bits(self):
        page = self.show("ragdoll")
        answer = page.run("""(async () => {
            const bits = async () => [...(await tenon.client.frame(tenon.wish())).coordinates].join();
            const before = await bits(), changed = [before];
            for (const [j, value] of [[8, 0.3], [9, 0.2], [8, 0.1]]) {
                await tenon.client.setCoordinate(j, 0, value);
                await tenon.client.endChange();
                changed.push(await bits());
            }
            const back = [], again = [];
            for (let k = 0; k < 3; k++) { await tenon.client.undo(); back.push(await bits()); }
            for (let k = 0; k < 3; k++) { await tenon.client.redo(); again.push(await bits()); }
            return [changed, back, again];
        })()""")
        changed, back, again = answer
        self.assertEqual(len(set(changed)), 4)
        self.assertEqual(back, changed[2::-1])
        self.assertEqual(again, changed[1:])

    def test_undo_goes_back_over_drives(self):
        """A motor, a spring and friction where nothing acted before: undone, the motion is the old one again."""
        page = self.show("double_pendulum")
        before, driven, after, again = page.run("""(async () => {
            const wish = tenon.wish(), start = await tenon.client.frame(wish);
            const run = async () => {
                const frame = await tenon.client.run(tenon.frame.start + 0.4, wish);
                await tenon.client.seekFrame(0, wish);
                return [...frame.coordinates];
            };
            const before = await run();
            await tenon.client.setMotor(0, 0, 1, 2, NaN);
            await tenon.client.setFriction(1, 0, 0.5, 0.1);
            await tenon.client.setSpring(1, 0, 10, 1, 0);
            const driven = await run();
            for (let k = 0; k < 3; k++) await tenon.client.undo();
            const after = await run();
            for (let k = 0; k < 3; k++) await tenon.client.redo();
            return [before, driven, after, await run()];
        })()""")
        self.assertGreater(max(abs(a - b) for a, b in zip(before, driven)), 0.1)
        self.assertLess(max(abs(a - b) for a, b in zip(before, after)), 1e-9)
        self.assertEqual(driven, again)
        self.assertEqual(page.messages, [])

    def test_a_body_dragged_in_pause_keeps_the_joints_closed(self):
        page = self.show("four_bar_hard")
        before = page.run("[...tenon.frame.coordinates]")
        # a place of the picture with a moving body under it
        x, y = page.run("""(() => {
            const box = tenon.scene.canvas.getBoundingClientRect();
            for (let y = box.top + 8; y < box.bottom; y += 12)
                for (let x = box.left + 8; x < box.right; x += 12) {
                    const hit = tenon.scene.pick(x, y);
                    if (hit && hit.body >= 0 && tenon.model.bodies[hit.body].kind !== "fixed")
                        return [x, y];
                }
        })()""")
        page.mouse("Pressed", x, y)
        time.sleep(0.2)
        for k in range(1, 6):
            page.mouse("Moved", x + 12 * k, y + 6 * k)
            time.sleep(0.05)
        page.mouse("Released", x + 60, y + 30)
        page.wait("!tenon.drag.active")
        page.run("tenon.refresh()")
        after, numbers = page.run("[[...tenon.frame.coordinates], [...tenon.frame.numbers]]")
        self.assertGreater(max(abs(a - b) for a, b in zip(before, after)), 1e-2)
        self.assertLessEqual(max(numbers[6], numbers[7]), 1e-10)
        self.assertEqual(page.messages, [])

    def test_a_body_pulled_while_time_goes_on(self):
        """The hand's spring brings the body near, the joints stay closed, and what is let go falls again."""
        page = self.show("double_pendulum")
        near, error, apart = page.run("""(async () => {
            const point = [0.1, 0, 0], start = await tenon.client.worldPoint(1, point);
            const to = [start[0] - 0.4, start[1], start[2] + 0.2];
            const far = async () => {
                const at = await tenon.client.worldPoint(1, point);
                return Math.hypot(...at.map((x, i) => x - to[i]));
            };
            await tenon.client.pull(1, point, to);
            let error = 0, near = Infinity;
            for (let t = 0.1; t < 3; t += 0.1) {
                const frame = await tenon.client.run(t, tenon.wish());
                error = Math.max(error, frame.numbers[6], frame.numbers[7]);
            }
            near = await far();
            await tenon.client.release();
            await tenon.client.run(3.4, tenon.wish());
            return [near, error, await far()];
        })()""")
        self.assertLess(near, 0.25)
        self.assertLessEqual(error, 1e-10)
        self.assertGreater(apart, near + 0.1)
        self.assertEqual(page.messages, [])

    def test_loads_are_arrows(self):
        """Each load on a body is a row: its force where it takes hold."""
        page = self.show("pendulum")
        self.load(page, """tenon: 1
gravity: [0, 0, 0]
bodies: {box: {mass: 2, inertia: [1, 1, 1]}, other: {mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}}
loads:
  push: {body: box, at: [0, 0.5, 0], force: [10, 0, 0]}
  twist: {body: other, moment: [0, 0, 4]}
""")
        loads, heads = page.run("""(async () => {
            await tenon.refresh();
            return [[...tenon.frame.loads], tenon.scene.loads.heads.mesh.count];
        })()""")
        self.assertEqual(loads, [0, 0.5, 0, 10, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4])
        self.assertEqual(heads, 3)  # one of the force, two of the moment
        page.run("(tenon.loads = false, tenon.refresh())")
        self.assertEqual(page.run("tenon.scene.loads.heads.mesh.count"), 0)
        page.run("(tenon.loads = true, 0)")
        self.assertEqual(page.messages, [])

    def test_what_moves_stays_in_the_picture(self):
        """A crank that turns out of the first picture is brought into it, unless the user looks from elsewhere."""
        page = self.show("planar_crank")
        outside = """(async () => {
            for (let k = 0; k < 90; k++) {
                await tenon.client.run(tenon.frame.time + 0.02, tenon.wish());
                await tenon.refresh();
            }
            tenon.scene.view.camera.updateMatrixWorld();
            return tenon.scene.points().map((p) => p.clone().project(tenon.scene.view.camera))
                .filter((p) => Math.abs(p.x) > 1 || Math.abs(p.y) > 1).length;
        })()"""
        self.assertEqual(page.run(outside), 0)
        page.run("tenon.scene.view.controls.dispatchEvent({ type: 'start' })")
        before = page.run("tenon.scene.view.camera.top")
        page.run("(tenon.scene.view.camera.zoom = 8, tenon.scene.view.camera.updateProjectionMatrix())")
        self.assertGreater(page.run(outside), 0)
        self.assertEqual(page.run("tenon.scene.view.camera.top"), before)
        self.assertEqual(page.messages, [])

    def test_ground_marks_are_in_the_first_view(self):
        page = self.show("pendulum")
        outside = page.run("""(({ scene }) => { scene.view.camera.updateMatrixWorld();
            return scene.lines.ends(scene.shown.list).map((p) => p.clone().project(scene.view.camera))
                .filter((p) => Math.abs(p.x) > 1 || Math.abs(p.y) > 1).length; })(tenon)""")
        self.assertEqual(outside, 0)
        self.assertGreater(page.run("tenon.scene.lines.ends(tenon.scene.shown.list).length"), 4)

    def test_nothing_swings_through_the_ground(self):
        page = self.show("double_pendulum")
        page.run("""(async () => {
            for (let k = 1; k < 40; k++) {
                await tenon.client.run(0.05 * k, tenon.wish());
                await tenon.refresh(true);
            }
        })()""")
        low, lowest, ground = page.run("""[tenon.scene.bounds.min.z, Math.min(...tenon.scene.points().map((p) => p.z)),
                                          tenon.scene.ground.position.z]""")
        self.assertLess(lowest, low - 0.1)  # or it shows nothing
        self.assertLess(ground, lowest)
        self.assertEqual(page.messages, [])

    def test_a_browser_is_opened(self):
        """That of BROWSER, with the page; without one, or without a file, the tool says so."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program, seen, out = folder / "browser", folder / "seen", folder / "page.html"
            program.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\n', encoding="utf-8")
            program.chmod(0o755)

            def view(*more, **variables):
                keep = {key: value for key, value in os.environ.items() if key != "BROWSER"}
                return subprocess.run([TENON, "view", ROOT / "examples" / "pendulum.yaml", "--open", *more], capture_output=True, text=True,
                                      timeout=60, check=False, env={**keep, **variables})

            run = view("--out", out, BROWSER=str(program))
            self.assertEqual(run.returncode, 0, run.stderr)
            for _ in range(200):
                if seen.exists():
                    break
                time.sleep(0.05)
            self.assertEqual(seen.read_text(encoding="utf-8"), f"{out}\n")
            run = view("--out", out, BROWSER=str(folder / "none"))
            self.assertEqual(run.returncode, 1)
            self.assertIn("the program of BROWSER: No such file", run.stderr)
            run = view("--out", out, PATH=str(folder))
            self.assertEqual(run.returncode, 1)
            self.assertIn("no program shows it", run.stderr)
            self.assertEqual(view("--out", "-").returncode, 3)

    def test_a_recorded_motion(self):
        """Played as it was recorded, nothing simulated; then, on demand, the model itself."""
        for name, ending in (("excavator", "h5"), ("planar_crank", "csv"), ("winding_stop", "h5")):
            with self.subTest(name):
                model, motion = ROOT / "examples" / f"{name}.yaml", self.folder / f"motion.{ending}"
                run = tenon("run", model, "--time", "0.6", "--every", "0.02", "--quiet",
                            "--csv" if ending == "csv" else "--hdf5", motion)
                self.assertEqual(run.returncode, 0, run.stderr)
                if self.own:
                    self.own.close()
                page = type(self).own = self.browser.page(self.page_of(model, "--recording", motion))
                self.addCleanup(page.close)
                is_ready(page)
                self.assertEqual(page.run("[tenon.frame.time, tenon.frame.end, tenon.frame.frames]"), [0, 0.6, 31])
                native = state_after(model, 0.6, self.folder)
                shown, worst, error = page.run("""(async () => {
                    await tenon.seek(0.6);
                    let shown = 0, worst = 0;
                    const native = %s;
                    tenon.model.joints.forEach((joint, j) => joint.coordinates.forEach((one, i) => {
                        const wanted = native[`${joint.name}.${one.name}`];
                        if (wanted !== undefined) {
                            shown++;
                            worst = Math.max(worst, Math.abs(tenon.frame.coordinates[6 * j + i] - wanted));
                        }
                    }));
                    return [shown, worst, Math.max(tenon.frame.numbers[6], tenon.frame.numbers[7])];
                })()""" % json.dumps(native))
                self.assertGreater(shown, 0)
                self.assertLessEqual(worst, 1e-12)
                self.assertLessEqual(error, 1e-9)
                page.run("(tenon.speed = 4, tenon.play())")  # from the end: once more from the start
                page.wait("!tenon.playing && tenon.frame.time === 0.6")
                page.run("(tenon.play(), tenon.pause())")  # not played after all
                self.assertEqual(page.run("(async () => (await tenon.refresh(), [tenon.playing, tenon.frame.time]))()"),
                                 [False, 0.6])
                page.run("tenon.open('plots')")
                self.assertTrue(page.run("document.querySelector('.closed').disabled"))
                page.run("tenon.play()")  # and what is simulated instead begins at rest
                page.run("[...document.querySelectorAll('.joints button')]"
                         ".find((one) => one.textContent === 'simulate it here').click()")
                page.wait("tenon.recorded === '' && tenon.frame.time === 0 && tenon.frame.frames === 1")
                self.assertEqual(page.messages, [])

    def test_up_is_what_the_model_says(self):
        page = self.show("pendulum")
        for text, up in (("gravity: [0, 0, -9.81]", [0, 0, 1]), ("gravity: [0, -9.81, 0]", [0, 1, 0]),
                         ("draw: {up: x}", [1, 0, 0]), ("gravity: [0, 0, 0]", [0, 0, 1])):
            self.load(page, f"tenon: 1\n{text}\nbodies: {{a: {{mass: 1, inertia: [1, 1, 1], "
                            "shapes: [box: {size: [1, 2, 3]}]}}\n")
            self.assertEqual(page.run("[...tenon.scene.view.camera.up]"), up)
        self.assertEqual(page.messages, [])

    def test_gallery(self):
        out = self.folder / "gallery.html"
        subprocess.run([sys.executable, ROOT / "scripts" / "make_page_gallery.py", TENON, out], check=True,
                       capture_output=True)
        page = self.browser.page(out)
        self.addCleanup(page.close)
        page.wait(READY, 120)
        self.assertEqual(page.run("document.querySelectorAll('.tile').length"), len(EXAMPLES))
        page.mouse("Moved", 200, 150)
        page.wait("tenon.playing && tenon.frame.time > 0")
        page.run("document.querySelectorAll('.tile')[1].click()")
        page.wait("tenon.name === %s && tenon.playing" % json.dumps(EXAMPLES[1].name))
        self.assertEqual(page.messages, [])

    def test_the_state_saved_as_a_model_is_the_same_mechanism(self):
        page = self.show("car_suspension")
        for model in ("car_suspension", "excavator", "atwood", "clock_train", "planar_crank", "double_pendulum",
                      "clutch", "motor_press"):
            with self.subTest(model):
                text = (ROOT / "examples" / f"{model}.yaml").read_text(encoding="utf-8")
                self.load(page, text, model)
                answer = page.run("""(async () => {
                    await tenon.client.run(0.2, tenon.wish());
                    const before = [...(await tenon.client.frame(tenon.wish())).coordinates];
                    const { status, text } = await tenon.client.writeModel();
                    const problems = await tenon.load(text, "saved.yaml");
                    return [before, [...tenon.frame.coordinates], status, problems];
                })()""")
                before, after, status, problems = answer
                self.assertEqual(status, 0)
                self.assertFalse([one for one in problems if one["severity"] == "error"], problems)
                self.assertLessEqual(max(abs(a - b) for a, b in zip(before, after)), 1e-9)

    def test_a_parameter_changes_the_mechanism(self):
        """A rod of length L from parameters: after a change its joint is where L says, seen from the same place."""
        page = self.show("pendulum")
        text = ("tenon: 1\nparameters: {length: 0.5}\nbodies: {bob: {position: [=length, 0, 0], mass: 1, "
                "inertia: [1, 1, 1]}}\njoints: {pin: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
                "markers: {end: {body: bob}}\n")
        self.load(page, text)
        self.assertEqual(page.run("tenon.frame.markers[0]"), 0.5)
        page.run("""(() => {
            const slider = document.querySelector('.parameters input[type=range]');
            slider.value = 0.75;
            slider.dispatchEvent(new Event('input'));
        })()""")
        page.wait("tenon.frame && tenon.frame.markers[0] === 0.75")
        self.load(page, text)
        self.assertEqual(page.run("tenon.frame.markers[0]"), 0.5)
        self.assertEqual(page.messages, [])

    def test_a_design_is_saved_as_it_is_written(self):
        """Parameters set here, at their places in the text; formulas and comments stay. It is the mechanism shown."""
        page = self.show("pendulum")
        body = ("bodies: {bob: {position: [=length, 0, 0], mass: =2*heavy, inertia: [1, 1, 1]}}\n"
                "joints: {pin: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0]}}\nmarkers: {end: {body: bob}}\n")
        for head in ("# head\ntenon: 1\nparameters: {length: 500 mm, heavy: =3 kg}  # of the rod\n",
                     "tenon: 1\nparameters:\n  # of the rod\n  length: 500 mm   # long\n  heavy: 3 kg\n",
                     "tenon: 1\n'parameters':\n    heavy: 1 kg\n    \"length\": 0.5 m\n"):
            with self.subTest(head):
                self.load(page, head + body)
                saved = page.run("tenon.setParameter('length', '0.75 m').then(() => tenon.design())")
                self.assertRegex(saved, "length\"?: 0.75 m")
                self.assertEqual(saved.replace("0.75 m", "OLD"), re.sub("500 mm|0.5 m", "OLD", head + body, count=1))
                self.load(page, saved)
                self.assertEqual(page.run("tenon.frame.markers[0]"), 0.75)
        jansen = (ROOT / "examples" / "jansen.yaml").read_text(encoding="utf-8")
        self.load(page, jansen)
        saved = page.run("tenon.setParameter('legs', '4').then(() => tenon.design())")
        changed = [(a, b) for a, b in zip(jansen.splitlines(), saved.splitlines()) if a != b]
        self.assertEqual(len(changed), 1)
        bodies = page.run("tenon.model.bodies.length")
        self.load(page, saved)
        self.assertEqual(page.run("tenon.model.bodies.length"), bodies)
        self.assertEqual(page.messages, [])

    def test_settings_are_saved_in_the_text_as_it_is_written(self):
        """Everything the panel of a joint sets, at its place in the text; all else stays; read back it stands so."""
        page = self.show("pendulum")
        head = """# of two rods
tenon: 1
angle: deg
parameters: {length: 500 mm}  # each
bodies:
  one: {position: [=length/2, 0, 0], mass: 1, inertia: [1, 1, 1]}
  two: {position: [=3/2*length, 0, 0], mass: 1, inertia: [1, 1, 1]}
joints:
"""
        first = "  pin: {type: hinge, a: one, origin: [0, 0, 0], axis: [0, 1, 0]}  # to the wall\n"
        second = """  knee:   # between them
    type: hinge
    a: two
    b: one
    origin: [=length, 0, 0]
    axis: [0, 1, 0]
    motor: {theta: {speed: 90, max_force: 3}}
    spring:
      theta: {stiffness: 5}   # weak
    friction: {theta: {force: 1, static_force: 2}}
    linear_stiffness: 1.0e6
"""
        self.load(page, head + first + second + "couplings: {same: {terms: [{coordinate: pin.theta}], hold: in_range}}\n")
        steps = [
            ("setRange(0, 0, -0.5, 0.25)", "pin: {type: hinge, a: one, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: ["),
            ("setBreak(0, 250, Infinity)", "break_force: 250}  # to the wall"),
            ("setCompliance(1, 4, 0.002)", "linear_compliance: 0.002"),
            ("setMotor(1, 0, 0, 0, NaN)", None), ("setSpring(1, 0, 0, 0, 0)", None),
            ("setFriction(1, 0, 1, 0.5)", "friction: {theta: {force: 1, static_force: 2, viscous: 0.5}}"),
            ("setDriver(1, 0, true, 0, 1)", "    drive: {theta: {position: {polynomial: [0 deg, "),
            ("setEnabled(0, false)", "enabled: false"),
            ("setRange(2, 0, -1, Infinity)", "hold: in_range, range: ["),
            ("setBreak(2, 7, Infinity)", "break_force: 7"),
        ]
        for call, words in steps:
            self.assertEqual(page.run(f"tenon.client.{call}"), "", call)
            saved = page.run("tenon.design()")
            if words:
                self.assertIn(words, saved)
        self.assertNotIn("motor", saved)
        self.assertNotIn("spring", saved)
        self.assertNotIn("stiffness", saved)
        self.assertIn(head, saved)
        self.assertIn("  knee:   # between them\n    type: hinge\n    a: two\n", saved)
        stands = "tenon.client.settings().then((all) => JSON.stringify(all.map((one) => [one.enabled, one.break_force, "\
            "one.linear, one.coordinates.map((c) => [c.driver && c.driver.numbers.map((x) => x.toFixed(9)), c.motor, "\
            "(c.lower ?? -9).toFixed(9), (c.upper ?? 9).toFixed(9), c.friction])])))"
        before = page.run(stands)
        self.load(page, saved)
        self.assertEqual(page.run(stands), before)
        for _ in steps:  # nothing was set in this one
            self.assertEqual(page.run("tenon.design()"), saved)
        self.assertEqual(page.messages, [])

    def test_a_lock_is_saved_with_its_value(self):
        """Its joints are one and the same in the file, by merge keys: only a text with each of them can say it."""
        page = self.show("four_bar_hard")
        lock = """(async () => {
            await tenon.client.setCoordinate(0, 0, tenon.frame.coordinates[0] + 0.5);
            await tenon.client.setLocked(0, 0, true);
            await tenon.refresh();
        })()"""
        plain = page.run("tenon.client.writeModel()")["text"]
        page.run(lock)
        self.assertIn("cannot say", page.run("tenon.design().then(() => '', (error) => String(error))"))
        self.load(page, plain)
        page.run(lock)
        locked = page.run("[...tenon.frame.coordinates]")
        saved = page.run("tenon.design()")
        self.load(page, saved)
        again = page.run("[...tenon.frame.coordinates]")
        self.assertLessEqual(max(abs(a - b) for a, b in zip(locked, again)), 1e-9)
        self.assertEqual(page.run("tenon.client.settings().then((all) => all[0].coordinates[0].locked)"), 1)
        self.assertEqual(page.messages, [])

    def test_json_stays_json(self):
        page = self.show("pendulum")
        self.load(page, json.dumps({"tenon": 1, "bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}}, "joints": {
            "j": {"type": "hinge", "a": "a", "origin": [0, 0, 0], "axis": [0, 1, 0], "motor": {"theta": {"speed": 1}}}}},
            indent=1), "model.json")
        page.run("(async () => { await tenon.client.setMotor(0, 0, 2, 0.5, 4); await tenon.client.setBreak(0, 3, 4); })()")
        saved = json.loads(page.run("tenon.design()"))["joints"]["j"]
        self.assertAlmostEqual(float(saved["motor"]["theta"]["position"].split()[0]), math.degrees(0.5), places=9)
        self.assertEqual((saved["motor"]["theta"]["max_force"], saved["break_force"], saved["break_torque"]), (4, 3, 4))

    def test_what_a_text_cannot_say_is_told(self):
        """A joint of a part has no place of its own in the text: no file is given that forgets it."""
        page = self.show("stewart")
        inside = page.run("tenon.model.joints.findIndex((joint) => joint.name.includes('.') || joint.name.includes('['))")
        self.assertGreaterEqual(inside, 0)
        page.run(f"tenon.client.setBreak({inside}, 100, Infinity)")
        told = page.run("tenon.design().then(() => '', (error) => String(error))")
        self.assertIn(page.run(f"tenon.model.joints[{inside}].name"), told)
        saved = page.run("tenon.client.writeModel()")
        self.load(page, saved["text"])
        self.assertEqual(page.run(f"tenon.client.settings().then((all) => all[{inside}].break_force)"), 100)

    def test_parameters_are_undone_and_joints_keep_what_was_set(self):
        page = self.show("pendulum")
        self.load(page, "tenon: 1\nparameters: {length: 0.5}\nbodies: {bob: {position: [=length, 0, 0], mass: 1, "
                        "inertia: [1, 1, 1]}}\njoints: {pin: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
                        "markers: {end: {body: bob}}\n")
        stands = "tenon.client.settings().then((all) => [tenon.frame.markers[0], all[0].coordinates[0].upper, " \
                 "all[0].break_force, all[0].coordinates[0].friction.viscous])"
        page.run("(async () => { await tenon.client.setRange(0, 0, -1, 0.5); await tenon.client.setBreak(0, 30, Infinity);"
                 " await tenon.client.setFriction(0, 0, 0, 0.25); })()")
        start = page.run(stands)
        self.assertEqual(start, [0.5, 0.5, 30, 0.25])
        page.run("tenon.setParameter('length', '0.6', false).then(() => tenon.setParameter('length', '0.75'))")
        self.assertEqual(page.run(stands), [0.75, 0.5, 30, 0.25])
        page.run("tenon.client.setRange(0, 0, -1, 0.9)")
        after = page.run("tenon.undo().then(() => 0)"), page.run("tenon.undo().then(() => 0)")
        self.assertEqual(page.run(stands), start, after)
        self.assertEqual(page.run("document.querySelector('.parameters input[type=range]').value"), "0.5")
        page.run("tenon.undo().then(() => 0)")
        self.assertEqual(page.run(stands)[3], 0)
        for _ in range(3):
            page.run("tenon.redo().then(() => 0)")
        self.assertEqual(page.run(stands), [0.75, 0.9, 30, 0.25])
        self.assertIn("length: 0.75", page.run("tenon.design()"))
        page.run("tenon.step()")
        self.assertEqual(page.messages, [])

    def test_a_joint_breaks_at_the_force_set_in_its_panel(self):
        page = self.show("pendulum")
        page.run("[...document.querySelectorAll('details.joint')].forEach((one) => { one.open = true; })")
        page.wait("document.querySelector('details.more')")
        page.run("document.querySelector('details.more').open = true")
        page.wait("document.querySelector('[aria-label=\"force that breaks it\"]')")
        page.run("""(() => {
            const box = document.querySelector('[aria-label="force that breaks it"]');
            box.value = '0.5';
            box.dispatchEvent(new Event('change'));
        })()""")
        page.wait("tenon.frame.canUndo")
        page.run("(async () => { await tenon.client.run(0.01, tenon.wish()); await tenon.refresh(); })()")
        self.assertIn("broke", " ".join(page.run("tenon.client.events().then((all) => all.map((one) => one.text))")))
        self.assertEqual(page.run("tenon.client.settings().then((all) => all[0].enabled)"), 0)
        page.run("tenon.undo()")
        self.assertEqual(page.run("tenon.client.settings().then((all) => [all[0].enabled, all[0].break_force])"), [1, None])
        self.assertEqual(page.messages, [])

    def test_memory_is_steady(self):
        """After the first 500 pictures 1500 more leave the page's heap as it was."""
        page = self.open(ROOT / "examples" / "excavator.yaml")
        round_trip = """(async () => {
            const wish = tenon.wish();
            for (let k = 0; k < 500; k++)
                tenon.scene.show({ ...await tenon.client.seekFrame(k % 20, wish), wrenches: null }, false);
        })()"""
        page.run("(async () => { for (let k = 1; k < 21; k++) await tenon.client.run(0.01 * k, tenon.wish()); })()")
        sizes = []
        for _ in range(4):
            page.run(round_trip)
            page.call("HeapProfiler.collectGarbage")
            heap = page.call("Runtime.getHeapUsage")
            sizes.append((heap["usedSize"] + heap.get("backingStorageSize", 0)) / 1e6)
        self.assertLess(max(sizes[1:]), sizes[0] + 1.5, sizes)  # MB
        print(f"\nheap after rounds of 500 pictures: {', '.join(f'{x:.1f}' for x in sizes)} MB")

    # ---- what is seen ----

    SEEN = """(() => {  // pixels that are not ground, of the picture as it stands
        const { scene } = tenon, small = document.createElement("canvas");
        scene.look.ground = false;
        scene.refreshGround();
        scene.draw(true);
        small.width = 320;
        small.height = 180;
        const paper = small.getContext("2d", { willReadFrequently: true });
        paper.drawImage(scene.canvas, 0, 0, 320, 180);
        const { data } = paper.getImageData(0, 0, 320, 180);
        let seen = 0;
        for (let i = 0; i < data.length; i += 4)
            seen += Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 30;
        return seen;
    })()"""

    def choose(self, page, label, value):
        """Sets a control of the page as its user would."""
        page.run("""(() => {
            const one = document.querySelector(`[aria-label="%s"]`);
            one.value = "%s";
            one.dispatchEvent(new Event("input", { bubbles: true }));
            one.dispatchEvent(new Event("change", { bubbles: true }));
        })()""" % (label, value))

    def test_section_and_exploded_view(self):
        page = self.show("excavator")
        page.run("tenon.open('look')")
        whole = page.run(self.SEEN)
        self.choose(page, "section", "x")
        cut = []
        for share in (0.02, 0.35, 1):
            self.choose(page, "at", share)
            cut.append(page.run(self.SEEN))
        self.assertLess(cut[0], 0.35 * whole)
        self.assertLess(cut[0], cut[1])
        self.assertLess(cut[1], cut[2])
        self.assertAlmostEqual(cut[2], whole, delta=0.05 * whole)
        self.choose(page, "section", "none")
        self.assertAlmostEqual(page.run(self.SEEN), whole, delta=0.01 * whole)
        boxes = "tenon.scene.solids.box().getSize(tenon.scene.sun.position.clone()).toArray()"
        before = page.run(boxes)
        self.choose(page, "apart", 1)
        page.run("tenon.refresh()")
        apart = page.run(boxes)
        self.assertGreater(max(a / b for a, b in zip(apart, before)), 1.5)
        self.choose(page, "apart", 0)
        page.run("tenon.refresh()")
        self.assertEqual(page.run(boxes), before)
        self.choose(page, "solid", 0)
        self.assertTrue(page.run("tenon.scene.solids.materials.body.transparent"))
        self.choose(page, "solid", 1)
        self.assertEqual(page.messages, [])

    def test_each_way_to_move_keeps_the_joints_closed(self):
        """Shown by itself, and afterwards the mechanism is where it was, to the bit."""
        for name, ways in (("excavator", 0), ("stewart", 0), ("double_pendulum", 2), ("four_bar_hard", 1)):
            with self.subTest(name):
                page = self.show(name)
                page.run("tenon.open('report')")
                page.wait("document.querySelector('.report .counts')")
                chips = "[...document.querySelectorAll('.report .chip')]"
                page.wait("document.querySelector('.report h3')")
                count = page.run(f"{chips}.length")
                self.assertGreaterEqual(count, ways)
                before = page.run("[...tenon.frame.coordinates]")
                for k in range(min(count, 2)):
                    page.run(f"{chips}[{k}].click()")
                    page.wait("JSON.stringify([...tenon.frame.coordinates]) !== '%s'"
                              % json.dumps(before, separators=(",", ":")), 20)
                    for _ in range(5):
                        time.sleep(0.1)
                        self.assertLessEqual(page.run("Math.max(tenon.frame.numbers[6], tenon.frame.numbers[7])"), 1e-10)
                    page.run(f"{chips}[{k}].click()")
                    page.wait("JSON.stringify([...tenon.frame.coordinates]) === '%s'"
                              % json.dumps(before, separators=(",", ":")), 20)
                self.assertEqual(page.messages, [])

    def test_loops_and_rows_light_up(self):
        """A redundant row of the four-bar: it and those it repeats, and the way it pushes or turns."""
        page = self.show("four_bar_hard")
        page.run("tenon.open('report')")
        page.wait("document.querySelector('.report .row')")
        texts = page.run("[...document.querySelectorAll('.report .row')].map((one) => one.textContent)")
        self.assertEqual(len(texts), 4)  # a loop and three rows
        lit = "[...tenon.scene.solids.highlighted].sort()"
        page.run("document.querySelectorAll('.report .row')[0].click()")
        self.assertEqual(page.run(lit), ["b1", "b2", "b3", "j0", "j1", "j2", "j3"])
        for k in (1, 2, 3):
            page.run(f"document.querySelectorAll('.report .row')[{k}].click()")
            page.wait("tenon.frame.row")
            page.run("tenon.refresh()")
            row = page.run("[...tenon.frame.row]")
            self.assertAlmostEqual(math.hypot(*row[3:]), 1, places=12)
            # the plane of the linkage is x-z: it is held in it by a push along y, or against turns out of it
            self.assertAlmostEqual(abs(row[4]) if any(row[3:6]) else row[7], 1 if any(row[3:6]) else 0, places=9)
            self.assertGreater(len(page.run(lit)), 1)
            self.assertGreater(page.run("tenon.scene.row.heads.mesh.count"), 0)
        page.run("document.querySelectorAll('.report .row')[3].click()")
        page.wait("tenon.scene.row.heads.mesh.count === 0")
        self.assertEqual(page.messages, [])

    def test_events_are_marks_on_the_time_line(self):
        page = self.show("pendulum")
        self.load(page, """tenon: 1
bodies: {bob: {position: [0.5, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {pin: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: [-.inf, 0.5]}, restitution: {theta: 0.5}}}
simulation: {integrator: generalized_alpha, step: 1.0e-3, duration: 2}
""")
        page.run("tenon.client.run(2, tenon.wish()).then(() => tenon.refresh())")
        page.wait("document.querySelectorAll('.ticks i').length > 0")
        events = page.run("tenon.client.events()")
        marks = page.run("[...document.querySelectorAll('.ticks i')].map((one) => [parseFloat(one.style.left), one.title])")
        self.assertIn("limit reached, pin", marks[0][1])
        self.assertAlmostEqual(marks[0][0], 50 * events[0]["time"], delta=0.1)
        page.run("tenon.open('report')")
        page.wait("[...document.querySelectorAll('.report .row')].some((one) => one.textContent.includes('limit reached'))")
        page.run("[...document.querySelectorAll('.report .row')].find((one) => one.textContent.includes('limit')).click()")
        page.wait(f"Math.abs(tenon.frame.time - {events[0]['time']}) < 2.1")
        self.assertEqual(page.messages, [])

    def test_forces_by_part_add_up(self):
        """What the arrows show of the parts is together what they show of the whole."""
        page = self.show("motor_press")
        page.run("(async () => { tenon.open('look'); await tenon.client.run(0.2, tenon.wish()); await tenon.refresh(); })()")
        shown = {}
        for part in range(-1, 8):
            self.choose(page, "parts of the forces", part)
            page.wait(f"tenon.wrench === {part}")
            page.run("tenon.refresh()")
            shown[part] = page.run("[...tenon.frame.wrenches]")
            largest = max(math.hypot(*shown[part][i:i + 3]) for i in range(len(shown[part])) if i % 9 in (3, 6))
            self.assertEqual(page.run("tenon.scene.forces.heads.mesh.count > 0"), largest > 1e-9, part)
        size = max(map(abs, shown[-1]))
        for i in range(len(shown[-1])):
            if i % 9 > 2:
                self.assertAlmostEqual(sum(shown[part][i] for part in range(8)), shown[-1][i], delta=1e-9 * size)
        self.assertGreater(sum(any(abs(x) > 1e-6 * size for i, x in enumerate(shown[part]) if i % 9 > 2)
                               for part in range(8)), 2)  # constraint, motor, friction, spring ...
        self.choose(page, "parts of the forces", "off")
        page.wait("tenon.scene.forces.heads.mesh.count === 0")
        self.assertEqual(page.messages, [])

    def test_traces_of_markers(self):
        page = self.show("jansen")
        markers = page.run("tenon.model.markers.length")
        self.assertGreater(markers, 0)
        page.run("""(async () => {
            for (let k = 1; k <= 20; k++)
                await tenon.client.run(0.02 * k, tenon.wish()).then(() => tenon.refresh());
        })()""")
        used = "tenon.scene.traces.bundle.object.visible ? tenon.scene.traces.bundle.object.geometry.instanceCount : 0"
        rows = page.run("tenon.scene.traces.rows")  # one after each step, more than there were pictures
        self.assertEqual(rows, 1 + round(0.4 / page.run("tenon.model.step")))
        self.assertEqual(page.run(used), (rows - 1) * markers)
        page.run("(tenon.scene.look.traces = false, tenon.refresh())")
        self.assertEqual(page.run(used), 0)
        page.run("(async () => { tenon.scene.look.traces = true; await tenon.reset(); })()")
        self.assertEqual(page.run(used), 0)
        self.assertEqual(page.messages, [])

    def test_the_tour(self):
        """Its steps point at what they speak of, in the picture on a desk and on a phone; Escape ends it."""
        for width, height, mobile in ((1280, 720, False), (390, 844, True)):
            page = self.open(ROOT / "examples" / "pendulum.yaml", width=width, height=height, mobile=mobile)
            page.run("(document.querySelector('[data-tab=joints]').focus(), tenon.tour.start())")
            steps = 0
            while not page.run("tenon.tour.element.hidden"):
                steps += 1
                self.assertLess(steps, 20)
                box, tour, focus = page.run("""(() => {
                    const at = (one) => { const r = one.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
                    return [at(document.querySelector('.pointed')), at(tenon.tour.element),
                            tenon.tour.element.contains(document.activeElement)];
                })()""")
                self.assertTrue(focus)
                for left, top, right, bottom in (box, tour):
                    self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, (steps, box, tour))
                page.key("Enter", code="Enter", text="\r", windowsVirtualKeyCode=13)
            self.assertEqual(steps, 8)
            self.assertEqual(page.run("document.activeElement.dataset.tab"), "joints")
            page.run("tenon.tour.start()")
            page.key("Escape")
            self.assertTrue(page.run("tenon.tour.element.hidden"))
            self.assertEqual(page.messages, [])

    def test_touch(self):
        """One finger turns the view, two come nearer, one takes a body; all panels fit the screen."""
        page = self.open(ROOT / "examples" / "four_bar_hard.yaml", width=390, height=844, mobile=True)

        def touch(*ways):
            """Each way: where a finger begins and ends."""
            for step in range(7):
                points = [{"x": a + (c - a) * step / 6, "y": b + (d - b) * step / 6, "id": k}
                          for k, (a, b, c, d) in enumerate(ways)]
                page.call("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart",
                                                       "touchPoints": points})
                time.sleep(0.03)
            page.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        page.call("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 3})
        places = """(() => {
            const box = tenon.scene.canvas.getBoundingClientRect(), found = [null, null];
            for (let y = box.top + 40; y < box.bottom - 40; y += 8)
                for (let x = box.left + 40; x < box.right - 40; x += 8) {
                    const hit = tenon.scene.pick(x, y);
                    if (!hit)
                        found[0] ??= [x, y];
                    else if (hit.body > 0 && tenon.model.bodies[hit.body].kind !== "fixed")
                        found[1] ??= [x, y];
                }
            return found;
        })()"""
        body = page.run(places)[1]
        view = "((c) => [c.getAzimuthalAngle(), c.getPolarAngle()])(tenon.scene.view.controls)"
        first, coordinates = page.run(view), page.run("[...tenon.frame.coordinates]")
        touch((*body, body[0] + 40, body[1] + 30))
        page.wait("!tenon.drag.active")
        page.run("tenon.refresh()")
        self.assertLess(math.dist(first, page.run(view)), 1e-9)
        self.assertGreater(max(abs(a - b) for a, b in zip(coordinates, page.run("[...tenon.frame.coordinates]"))), 1e-2)
        ground = page.run(places)[0]
        touch((*ground, ground[0] + 60, ground[1] + 10))
        turned = page.run(view)
        self.assertGreater(math.dist(first, turned), 0.1)
        x, y = page.run("(() => { const r = tenon.scene.canvas.getBoundingClientRect(); "
                        "return [(r.left + r.right) / 2, r.top + 30]; })()")
        distance = "tenon.scene.view.camera.position.distanceTo(tenon.scene.view.controls.target)"
        far = page.run(distance)
        touch((x - 30, y, x - 120, y), (x + 30, y, x + 120, y))
        self.assertLess(page.run(distance), 0.8 * far)
        for panel in ("joints", "look", "report", "plots", "text", "out"):
            page.run(f"tenon.open('{panel}')")
            time.sleep(0.1)
            wide = page.run("""[...document.querySelectorAll('.panel:not([hidden]) *')]
                .filter((one) => !one.closest('.cm-editor')).map((one) => [one.className,
                one.getBoundingClientRect()]).filter(([, r]) => r.width > 0 && r.right > innerWidth + 1 && r.left < innerWidth)
                .map(([name, r]) => `${name} ${r.right}`)""")
            self.assertEqual(wide, [], panel)
            self.assertEqual(page.run("document.documentElement.scrollWidth"), 390)
        self.assertEqual(page.messages, [])

    def test_pictures_while_the_bucket_is_dragged(self):
        """On the processor's renderer what costs most is left out of moving pictures and back in still ones."""
        page = self.show("excavator")
        page.wait("tenon.scene.sun.castShadow", 20)  # a still picture, in time
        page.run("(window.before = tenon.pictures, tenon.play())")
        page.wait("tenon.pictures > before + 5")
        moving = page.run("[tenon.scene.sun.castShadow, tenon.scene.floor.visible, tenon.scene.renderer.getPixelRatio()]")
        self.assertEqual(moving[:2], [False, False])
        self.assertLessEqual(moving[2], 1)
        page.run("tenon.pause()")
        page.wait("tenon.scene.sun.castShadow && tenon.scene.floor.visible", 20)
        self.assertEqual(page.messages, [])

    # ---- text ----

    def test_mistakes_are_told_as_by_the_tool(self):
        page = self.show("pendulum")
        mistakes = [
            "tenon: 1\nbodies: {a: {mas: 1}}\n",
            "tenon: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\njoints:\n  j: {type: hing, a: a}\n",
            "tenon: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\njoints:\n  j: {type: hinge, a: b}\n",
            "tenon: 1\nbodies: [1, 2\n",
            "tenon: 2\n",
            "tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1]}}\nsimulation: {step: 0}\n",
            "tenon: 1\nbodies: {a: {mass: .nan, inertia: [1, 1, 1]}}\n",
            "",
        ]
        for text in mistakes:
            with self.subTest(text):
                model = self.folder / "model.yaml"
                model.write_text(text, encoding="utf-8")
                told = re.findall(r"^(?:.*model\.yaml)(?::(\d+):(\d+))?: (error|warning): (.*)$",
                                  tenon("check", model).stderr, re.M)
                self.assertTrue(told)
                found = [(str(p["line"] or ""), str(p["column"] or ""), p["severity"], p["message"])
                         for p in page.run(f"tenon.client.check({json.dumps(text)})")
                         if p["severity"] != "note"]
                self.assertEqual(found, told)
        self.assertEqual(page.messages, [])

    def test_a_mistake_that_is_typed_is_told_under_its_line(self):
        """Typed into the editor, key by key: place and words are those of the tool."""
        page = self.show("pendulum")
        model = self.folder / "typed.yaml"
        page.run("tenon.open('text')")
        page.wait("document.querySelector('.cm-content')")
        page.run("""(() => { const { view } = tenon.editor;
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: "" } });
            view.focus(); })()""")
        page.call("Input.insertText", {"text": "tenon: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"})
        page.call("Input.insertText", {"text": "  j: {type: hing, a: a, origin: [0, 0, 0], axis: [0, 1, 0]}"})
        page.wait("document.querySelector('.problems li.error')")
        text = page.run("tenon.editor.text()")
        model.write_text(text, encoding="utf-8")
        told = re.findall(r"typed\.yaml:(\d+:\d+): error: (.*)$", tenon("check", model).stderr, re.M)
        shown = page.run("[...document.querySelectorAll('.problems li.error button')].map((one) => one.textContent)")
        self.assertEqual(shown, [f"{place}: {words}" for place, words in told])
        page.wait("document.querySelector('.cm-lintRange-error')")
        self.assertIn("hing", page.run("[...document.querySelectorAll('.cm-lintRange-error')].map((one) => one.textContent)"))
        page.run("tenon.editor.view.dispatch({ changes: { from: tenon.editor.text().indexOf('hing,') + 4, insert: 'e' } })")
        page.wait("document.querySelectorAll('.problems li').length === 0")
        page.key("Enter", code="Enter", windowsVirtualKeyCode=13, modifiers=2)
        page.wait("tenon.model && tenon.model.joints.length === 1 && tenon.model.joints[0].name === 'j'")
        self.assertEqual(page.messages, [])

    def test_the_model_follows_its_text(self):
        """At each change without mistakes, from where one looks; one with mistakes changes nothing; undone it is old."""
        page = self.show("pendulum")
        page.run("tenon.open('text')")
        page.wait("document.querySelector('.cm-content')")
        old = page.run("tenon.editor.text()")
        page.run("tenon.scene.view.look('x')")
        looks = "((c) => [c.getAzimuthalAngle(), c.getPolarAngle()])(tenon.scene.view.controls)"
        view = page.run(looks)
        put = "tenon.editor.view.dispatch({ changes: { from: 0, to: tenon.editor.view.state.doc.length, insert: %s } })"
        text = ("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                "  one: {type: hinge, a: a, origin: [0, 0, 1], axis: [0, 1, 0]}\n"
                "  two: {type: slider, a: b, b: a, origin: [0, 0, 0], axis: [0, 0, 1]}\n")
        page.run(put % json.dumps(text))
        page.wait("tenon.model.joints.map((one) => one.name).join() === 'one,two'")
        page.wait("document.querySelectorAll('details.joint').length === 2")
        self.assertLess(math.dist(page.run(looks), view), 1e-12)
        page.run(put % json.dumps(text.replace("slider", "slyder")))
        page.wait("document.querySelector('.problems li.error')")
        self.assertEqual(page.run("[tenon.model.joints.length, tenon.source]"), [2, text])
        page.run("tenon.undo().then(() => 0)")
        self.assertEqual(page.run("tenon.editor.text()"), old)
        self.assertEqual(page.run("tenon.model.joints.length"), 1)
        page.run("tenon.redo().then(() => 0)")
        self.assertEqual(page.run("[tenon.editor.text(), tenon.model.joints.length]"), [text, 2])
        page.run("document.querySelector('#run-text').click()")
        page.wait("tenon.playing && tenon.frame.time > 0")
        self.assertEqual(page.messages, [])

    def test_a_parameter_that_counts_makes_other_joints(self):
        page = self.show("jansen")
        page.run("tenon.setParameter('legs', '4').then(() => 0)")
        self.assertEqual(page.run("[...document.querySelectorAll('details.joint')].length"),
                         page.run("tenon.model.joints.length"))
        page.run("tenon.undo().then(() => 0)")
        self.assertEqual(page.run("[...document.querySelectorAll('details.joint')].length"),
                         page.run("Math.min(250, tenon.model.joints.length)"))
        self.assertEqual(page.messages, [])

    def test_the_editor_takes_what_was_set(self):
        page = self.show("pendulum")
        page.run("tenon.open('text')")
        page.wait("document.querySelector('.cm-content')")
        page.run("tenon.client.setRange(0, 0, -0.5, 0.5)")
        page.run("[...document.querySelectorAll('.editor button')].find((one) => one.textContent.startsWith('With')).click()")
        page.wait("tenon.editor.text().includes('range: {theta: [')")
        page.wait("document.querySelectorAll('.problems li').length === 0")
        self.assertEqual(page.messages, [])

    def test_hostile_names_stay_names(self):
        page = self.show("pendulum")
        page.run("(window.shownBefore = tenon.what, 0)")
        self.addCleanup(page.run, "(tenon.scene.look.labels = false, tenon.what = shownBefore, 0)")
        elements = "document.querySelectorAll('script, img, iframe, math, style, a, object').length"
        before = page.run(elements)
        for name in HOSTILE:
            with self.subTest(name):
                quoted = json.dumps(name)
                text = (f"tenon: 1\nname: {quoted}\nbodies: {{{quoted}: {{mass: 1, inertia: [1, 1, 1]}}}}\n"
                        f"joints: {{{json.dumps(name + '!')}: {{type: hinge, a: {quoted}, origin: [0, 0, 1], "
                        f"axis: [0, 1, 0]}}}}\nmarkers: {{{json.dumps(name + '?')}: {{body: {quoted}}}}}\n")
                self.load(page, text, name)
                page.run("""(async () => {
                    tenon.scene.look.labels = true;
                    tenon.what = 63;
                    await tenon.refresh(true);
                    for (const tab of ["look", "report", "plots", "text", "out", "joints"])
                        tenon.open(tab);
                    if (tenon.model)
                        tenon.select(0);
                })()""")
                if page.run("tenon.model !== null"):
                    self.assertEqual(page.run("document.querySelector('h1').textContent"), name)
                self.assertFalse(page.run("typeof hacked !== 'undefined'"))
        time.sleep(0.3)
        styles = page.run("document.querySelectorAll('head > style:not([id])').length")
        self.assertLessEqual(page.run(elements) - styles, before)
        self.assertEqual(page.messages, [])

    def test_gltf_is_valid(self):
        """The Khronos validator finds nothing to say about any example."""
        modules = pathlib.Path(TENON).parent / "page" / "web"
        films = []
        for model in EXAMPLES:
            films.append(self.folder / (model.stem + ".glb"))
            run = tenon("run", model, "--time", "0.1", "--every", "0.02", "--gltf", films[-1], "--quiet")
            self.assertEqual(run.returncode, 0, run.stderr)
        script = """
            const { readFileSync } = require("fs");
            const validator = require("gltf-validator");
            (async () => {
                for (const film of process.argv.slice(1)) {
                    const report = await validator.validateBytes(new Uint8Array(readFileSync(film)));
                    if (report.issues.messages.length > 0)
                        console.log(film, JSON.stringify(report.issues.messages.slice(0, 3)));
                }
            })();"""
        judged = subprocess.run(["node", "-e", script, *map(str, films)], cwd=modules, capture_output=True,
                                text=True, check=False)
        self.assertEqual((judged.returncode, judged.stdout, judged.stderr), (0, "", ""))

    # ---- people ----

    def test_keyboard_names_and_sizes(self):
        for width, height, mobile in ((1280, 720, False), (390, 844, True)):
            page = self.open(ROOT / "examples" / "four_bar_linkage.yaml", width=width, height=height, mobile=mobile)
            self.assertEqual(page.run("document.documentElement.scrollWidth"), width)
            small = page.run("""[...document.querySelectorAll('.stage canvas')]
                .map((one) => one.getBoundingClientRect()).map((r) => [r.width, r.height])""")[0]
            self.assertGreater(min(small), 200)
            nameless = page.run("""[...document.querySelectorAll('button, input, select, [role]')].filter((one) =>
                !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length ||
                  one.getAttribute('aria-labelledby') || one.getAttribute('role') === 'status'))
                .map((one) => one.outerHTML.slice(0, 120))""")
            self.assertEqual(nameless, [])
        page = self.show("four_bar_linkage")
        page.run("document.body.focus()")
        page.key(" ", code="Space")
        page.wait("tenon.playing && tenon.frame.time > 0.05")
        page.key(" ", code="Space")
        page.wait("!tenon.playing")
        page.key(".")
        page.key("r")
        page.wait("tenon.frame.time === 0")
        for number, panel in enumerate(("joints", "look", "report", "plots", "text", "out"), 1):
            page.key(str(number))
            self.assertFalse(page.run(f"document.getElementById('panel-{panel}').hidden"))
        self.assertEqual(page.messages, [])

    def test_the_view_by_keys(self):
        page = self.show("excavator")
        page.run("tenon.scene.canvas.focus()")
        seen = """((view) => [view.controls.getAzimuthalAngle(), view.controls.getPolarAngle(),
            view.camera.position.distanceTo(view.controls.target), ...view.controls.target.toArray()])(tenon.scene.view)"""
        before = page.run(seen)
        for key, which, way in (("ArrowRight", 0, 1), ("ArrowUp", 1, -1), ("PageUp", 2, -1), ("PageDown", 2, 1)):
            page.key(key)
            after = page.run(seen)
            self.assertGreater(way * (after[which] - before[which]), 0.05, key)
            for k in range(6):
                if k != which:
                    self.assertAlmostEqual(after[k], before[k], places=6, msg=key)
            before = after
        # a level drag goes round what is up: as high as before
        height = "tenon.scene.view.camera.position.dot(tenon.scene.view.camera.up)"
        high = page.run(height)
        page.mouse("Pressed", 40, 600)
        for x in range(50, 250, 20):
            page.mouse("Moved", x, 600)
        page.mouse("Released", 230, 600)
        turned = page.run(seen)
        self.assertGreater(abs(turned[0] - before[0]), 0.2)
        self.assertAlmostEqual(page.run(height), high, places=9)
        before = turned
        page.key("ArrowLeft", modifiers=8)
        self.assertGreater(math.dist(page.run(seen)[3:], before[3:]), 0.01)
        page.key("f")
        self.load(page, (ROOT / "examples" / "planar_crank.yaml").read_text(encoding="utf-8"))
        before = page.run(seen)
        page.key("ArrowRight")
        after = page.run(seen)
        self.assertEqual(after[:2], before[:2])
        self.assertGreater(after[3], before[3])
        self.assertEqual(page.messages, [])

    def test_what_is_taken_away(self):
        """Picture, drawing, numbers and film are what they say: the browser itself reads them again."""
        page = self.show("double_pendulum")
        png, svg, table, film, errors = page.run("""(async () => {
            const saved = [], make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { saved.push(blob); return make.call(URL, blob); };
            HTMLAnchorElement.prototype.click = () => {};
            await tenon.client.run(0.1, tenon.wish());
            await tenon.refresh();
            tenon.open("out");
            document.querySelector("[aria-label='length of the film in seconds']").value = "1.5";
            const take = async (name) => {
                const count = saved.length;
                [...document.querySelectorAll(".out button")].find((one) => one.textContent === name).click();
                while (saved.length === count)
                    await new Promise((done) => setTimeout(done, 20));
                return saved[count];
            };
            const png = await createImageBitmap(await take("PNG"));
            const svg = new DOMParser().parseFromString(await (await take("SVG")).text(), "image/svg+xml");
            const table = (await (await take("CSV")).text()).trim().split("\\r\\n").map((line) => line.split(","));
            const video = document.createElement("video"), blob = await take("WebM from here on");
            const shown = new Promise((done) => { video.onloadeddata = done; video.onerror = done; });
            video.muted = true;
            video.src = make.call(URL, blob);
            await shown;
            const canvas = tenon.scene.canvas.getBoundingClientRect();
            return [[png.width / canvas.width, png.height / canvas.height],
                    [svg.querySelectorAll("parsererror").length, svg.documentElement.tagName,
                     svg.querySelectorAll("path, polygon, line, polyline, circle").length],
                    [table.length, new Set(table.map((line) => line.length)).size, Number(table[1][0])],
                    [blob.type.split(";")[0], blob.size, video.videoWidth, video.videoHeight, video.error?.message ?? ""],
                    document.querySelector(".out [role=status]").textContent];
        })()""")
        self.assertEqual(png, [2, 2])
        self.assertEqual(svg[:2], [0, "svg"])
        self.assertGreater(svg[2], 3)
        self.assertEqual((table[1], table[2]), (1, 0))
        self.assertGreater(table[0], 2)
        self.assertEqual((film[0], film[4], errors), ("video/webm", "", ""))
        self.assertGreater(film[1], 5000)
        self.assertGreater(min(film[2:4]), 100)
        self.assertEqual(page.messages, [])

    def test_the_page_copies_itself(self):
        """The copy has the present state, opens and runs."""
        page = self.show("double_pendulum")
        copy = page.run("""(async () => {
            await tenon.client.run(0.5, tenon.wish());
            await tenon.refresh();
            let text = "";
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { text = blob.text(); return make.call(URL, blob); };
            HTMLAnchorElement.prototype.click = () => {};
            tenon.open("out");
            [...document.querySelectorAll(".out button")].find((one) => one.textContent === "This page").click();
            while (text === "")
                await new Promise((done) => setTimeout(done, 20));
            return [await text, [...tenon.frame.coordinates]];
        })()""")
        path = self.folder / "copy.html"
        path.write_text(copy[0], encoding="utf-8")
        other = self.browser.page(path)
        self.addCleanup(other.close)
        other.wait(READY)
        again = other.run("[...tenon.frame.coordinates]")
        self.assertLessEqual(max(abs(a - b) for a, b in zip(copy[1], again)), 1e-9)
        self.assertEqual(other.messages, [])

    # ---- speed ----

    def test_speed_of_pictures(self):
        """What a picture costs in script, of the excavator and of a chain of a thousand links."""
        page = self.show("excavator")
        links = 1000
        bodies = "\n".join(f"  l{i}: {{position: [{i + 0.5}, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1], "
                           "shapes: [box: {size: [0.9, 0.2, 0.2]}]}" for i in range(links))
        joints = "\n".join(f"  j{i}: {{type: hinge, a: l{i}, {f'b: l{i - 1}, ' if i else ''}"
                           f"origin: [{i}, 0, 0], axis: [0, 1, 0]}}" for i in range(links))
        chain = f"tenon: 1\nbodies:\n{bodies}\njoints:\n{joints}\nsimulation: {{step: 0.01, duration: 1}}\n"
        page.call("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor, whatever runs beside it

        def used():
            return next(one["value"] for one in page.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")

        for name, text, limit in (("excavator", None, 16), ("chain of 1000", chain, 16)):
            if text:
                self.load(page, text, name)
            before = used()
            page.run("""(async () => {
                for (let k = 0; k < 15; k++) {
                    const frame = await tenon.client.frame(tenon.wish());
                    tenon.scene.show({ ...frame, wrenches: null }, false);
                    tenon.scene.render();
                }
            })()""")
            spent = 1e3 * (used() - before) / 15
            print(f"\n{name}: {spent:.1f} ms of script a picture (wanted: {limit})")
            # the machine of a test may be ten times slower and busy: only a blunder is a failure
            self.assertLess(spent, 10 * limit)


if __name__ == "__main__":
    if STORE:
        sys.argv.remove("--store")
    unittest.main()
