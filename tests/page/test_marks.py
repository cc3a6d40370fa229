#!/usr/bin/env python3
"""What a motion has in particular: dead points and turning points as marks on the sliders, spectra of curves, plots as SVG, a view
that follows a body. All beside closed forms.
"""
import cmath
import csv
import io
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree

from desk import Desk, ROOT

FOUR_BAR = """tenon: 1
name: four-bar
world: planar
gravity: [0, 0]
parameters: {a: %g m, b: %g m, c: %g m, d: %g m, start: %g rad, B: "=turn([a, 0], start)", far: "=norm([d, 0] - B)",
  C: "=B + turn([b, 0], direction([d, 0] - B) + acos((b^2 + far^2 - c^2) / (2*b*far)))"}
bodies:
  crank: {position: =B/2, angle: =start, mass: 1, inertia: 1}
  coupler: {position: =(B+C)/2, angle: =direction(C-B), mass: 1, inertia: 1}
  rocker: {position: "=(C+[d, 0])/2", angle: "=direction(C-[d, 0])", mass: 1, inertia: 1}
joints:
  in: {type: hinge, a: crank, origin: [0, 0]%s}
  top: {type: hinge, a: coupler, b: crank, origin: =B}
  end: {type: hinge, a: rocker, b: coupler, origin: =C}
  out: {type: hinge, a: rocker, origin: [=d, 0]}
simulation: {step: 2 ms, duration: 2}
"""

# 3 Hz and 40 N/m about z = -0.1: z = 0.1 cos(2 pi f t) - 0.1, f = sqrt(k/m) / 2 pi
SPRING = """tenon: 1
name: a mass on a spring
gravity: [0, 0, 0]
bodies: {block: {mass: %.17g, inertia: [1, 1, 1], position: [0.1, 0, 0]}}
joints: {rail: {type: slider, a: block, origin: [0, 0, 0], axis: [1, 0, 0], spring: {z: {stiffness: 40, rest: -100 mm}}}}
markers: {m: {body: block}}
simulation: {step: 5 ms, duration: 4}
"""

CART = """tenon: 1
name: cart
gravity: [0, 0, -9.81]
bodies: {cart: {mass: 1, inertia: [1, 1, 1], shapes: [box: {size: [0.4, 0.2, 0.2]}]},
  post: {kind: fixed, position: [0, 1, 0], shapes: [box: {size: [0.1, 0.1, 1]}]}}
joints: {rail: {type: slider, a: cart, origin: [0, 0, 0], axis: [1, 0, 0], initial: {z: 0}, speed: {z: 1}}}
simulation: {step: 10 ms, duration: 4}
"""


def turned(angle):
    """In (-pi, pi]."""
    return math.remainder(angle, 2 * math.pi)


class Marks(Desk):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keep_downloads()

    def load(self, text, name="model.yaml"):
        super().load(text, name)
        self.page.run("tenon.open('joints')")

    def of(self, joint):
        """Its only coordinate now."""
        return self.page.run(f"tenon.frame.coordinates[6 * tenon.model.joints.findIndex((one) => one.name === {json.dumps(joint)})]")

    def marks(self, joint="in"):
        number = self.page.run(f"tenon.model.joints.findIndex((one) => one.name === {json.dumps(joint)})")
        return self.page.run(f"tenon.client.marks({number}, 0, 1)")

    def test_where_a_rocker_turns_back(self):
        """Crank and coupler in line, stretched or folded; the pose stays as it is; a mark goes there."""
        a, b, c, d, start = 0.1, 0.35, 0.3, 0.4, 0.7
        self.load(FOUR_BAR % (a, b, c, d, start, ", motor: {theta: {speed: 1, max_force: 1}}"))
        here, states = self.of("in"), self.page.run("tenon.client.frame(tenon.wish()).then((it) => [...it.coordinates])")
        found = self.marks()
        self.assertEqual(states, self.page.run("tenon.client.frame(tenon.wish()).then((it) => [...it.coordinates])"))
        angle = {r: math.acos((d * d + r * r - c * c) / (2 * d * r)) for r in (b + a, b - a)}
        wanted = [angle[b + a], angle[b - a] + math.pi]
        turns = [one for one in found if not one["dead"]]
        self.assertEqual(len(turns), len(found))
        self.assertEqual(len(turns), 2)
        for phi in wanted:
            self.assertLess(min(abs(turned(one["value"] - here + start - phi)) for one in turns), 1e-6)
        # on the slider of the motor without a touch, and one press goes there
        self.page.wait("document.querySelectorAll('.coordinate .tick.turn').length >= 2")
        text = self.page.run("document.querySelector('.coordinate .tick.turn').title")
        self.assertRegex(text, r"^out theta [−\d.]+ °: it turns back, at in theta [−\d.]+ °$")
        self.click(".coordinate .tick.turn")
        self.page.run("tenon.refresh()")
        phi = self.of("in") - here + start
        self.assertLess(min(abs(turned(phi - one)) for one in wanted), 1e-6)
        # the slider's own place of the mark is where its thumb is now
        self.assertLess(self.page.run("""(() => { const one = document.querySelector('.joint .coordinate input[type=range]');
            return Math.min(...[...one.parentElement.querySelectorAll('.tick.turn')].map((tick) =>
                Math.abs(parseFloat(tick.style.left) / 100 - (one.value - one.min) / (one.max - one.min)))); })()"""), 1e-4)

    def test_dead_points_of_an_input_that_does_not_turn_round(self):
        """Coupler and rocker in line."""
        a, b, c, d, start = 0.3, 0.25, 0.3, 0.5, 0.6
        self.load(FOUR_BAR % (a, b, c, d, start, ", motor: {theta: {speed: 1, max_force: 1}}"))
        here = self.of("in")
        dead = sorted(one["value"] - here + start for one in self.marks() if one["dead"])
        phi = math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d))
        self.assertEqual(len(dead), 2)
        self.assertAlmostEqual(dead[0], -phi, delta=1e-6)
        self.assertAlmostEqual(dead[1], phi, delta=1e-6)
        self.page.wait("document.querySelectorAll('.coordinate .tick.dead').length === 2")

    def test_an_open_chain_has_no_marks(self):
        self.load((ROOT / "examples" / "double_pendulum.yaml").read_text(encoding="utf-8"))
        self.assertEqual(self.page.run("tenon.client.marks(0, 0, 1)"), [])

    def test_turning_points_along_the_time(self):
        """At a steady turn of the crank: at known times; a press on a mark goes to its time."""
        a, b, c, d, start = 0.1, 0.35, 0.3, 0.4, 0.2
        self.load(FOUR_BAR % (a, b, c, d, start, ", drive: {theta: {position: '=2*pi*t'}}"))
        self.click(".transport .play")
        self.page.wait("tenon.frame.time >= 1.6")
        self.click(".transport .play")
        self.page.run("tenon.refresh()")
        angle = {r: math.acos((d * d + r * r - c * c) / (2 * d * r)) for r in (b + a, b - a)}
        times = sorted((phi - start) % (2 * math.pi) / (2 * math.pi) + k for phi in (angle[b + a], angle[b - a] + math.pi) for k in (0, 1))
        end = self.page.run("tenon.frame.time")
        column = self.page.run("tenon.model.columns.indexOf('out.theta')")
        found = [one["time"] for one in self.page.run(f"tenon.client.turns([{column}])")]
        wanted = [one for one in times if one < end - 0.01]
        self.assertEqual(len(found), len(wanted))
        for one, other in zip(found, wanted):
            self.assertAlmostEqual(one, other, delta=2e-5)
        self.page.wait(f"document.querySelectorAll('.timeline .tick.turn').length === {len(wanted)}")
        self.assertIn("out.theta turns back at", self.page.run("document.querySelector('.timeline .tick.turn').title"))
        self.click(".timeline .tick.turn")
        # to exactly that time, between two pictures that are kept, and what was simulated stays
        self.page.wait(f"Math.abs(tenon.frame.time - {found[0]}) < 1e-9 && !tenon.playing")
        kept = self.page.run("[tenon.frame.end, tenon.frame.at, tenon.frame.frames]")
        self.assertLess(abs(self.page.run("tenon.frame.coordinates[0]") - 2 * math.pi * found[0]), 1e-6)
        self.assertEqual(kept[0], end)
        self.assertLess(kept[1], kept[2] - 1)
        # one step goes on from a state of the run, not from between
        self.page.run("tenon.step()")
        self.assertAlmostEqual(self.page.run("tenon.frame.time / 0.002") % 1, round(self.page.run("tenon.frame.time / 0.002") % 1), delta=1e-6)

    def test_the_spectrum_of_a_mass_on_a_spring(self):
        """The peak is its frequency and amplitude; all numbers are those of the sum that defines the transform."""
        frequency = 3.0
        self.load(SPRING % (40 / (2 * math.pi * frequency) ** 2))
        self.page.run("tenon.client.run(4, tenon.wish()).then(() => tenon.refresh())")
        self.page.run("tenon.open('plots')")
        self.choose(".plots > input", "rail.z")
        for name in ("energy.total", "energy.kinetic"):
            self.page.run(f"[...document.querySelectorAll('.plots .chip')].find((one) => one.textContent === '{name}')?.click()")
        self.choose(".plots select", "-1")
        self.page.wait("!document.querySelector('.plots .window').hidden")
        self.assertRegex(self.page.run("document.querySelector('.plots .window').textContent"),
                         r"(?s)Amplitudes of 801 rows at even times, 0\.0000 to 4\.0000 s, without their mean, window of Hann.* Beyond [\d.]+ Hz they are less than 0.2 % of the largest")
        rows = list(csv.reader(io.StringIO(self.taken("#plot-csv"))))
        self.assertEqual(rows[0], ["frequency [Hz]", "rail.z [mm]"])
        f, amplitude = ([float(row[k]) for row in rows[1:]] for k in (0, 1))
        peak = max(range(len(f)), key=amplitude.__getitem__)
        self.assertAlmostEqual(f[peak], frequency, delta=0.03)
        self.assertAlmostEqual(amplitude[peak], 100, delta=2)
        self.assertLess(max(y for x, y in zip(f, amplitude) if abs(x - frequency) > 1.0), 1.0)
        times, values = self.page.run("""tenon.client.columns([tenon.model.columns.indexOf('rail.z')])
            .then(([t, x]) => [[...t], [...x].map((one) => one * 1000)])""")
        mean, n = sum(values) / len(values), len(values)
        window = [(1 - math.cos(2 * math.pi * k / n)) / 2 for k in range(n)]
        for k in (0, 1, 7, peak - 1, peak, 100, len(f) - 1):
            total = sum((x - mean) * w * cmath.exp(-2j * math.pi * f[k] * t) for x, w, t in zip(values, window, times))
            self.assertAlmostEqual(amplitude[k], 2 * abs(total) / sum(window), delta=1e-7)
        self.choose(".plots select", "0")
        self.page.wait("document.querySelector('.plots .window').hidden")

    def test_plots_as_svg(self):
        """Texts and lines: the points of a curve are its rows, in the scales that are written beside them."""
        self.load(SPRING % 0.1)
        self.page.run("tenon.client.run(1, tenon.wish()).then(() => tenon.refresh())")
        self.page.run("tenon.open('plots')")
        self.choose(".plots > input", "rail.z")
        root = ElementTree.fromstring(self.taken("#plot-svg"))
        space = "{http://www.w3.org/2000/svg}"
        texts = [one.text for one in root.iter(space + "text")]
        self.assertIn("t [s]", texts)
        self.assertIn("[mm]", texts)
        curve = next(one for one in root.iter(space + "path") if one.get("class") == "curve" and one[0].text == "rail.z")
        points = [tuple(map(float, one.split())) for one in curve.get("d").replace("L", "M").split("M")[1:]]
        times, values = self.page.run("tenon.client.columns([tenon.model.columns.indexOf('rail.z')]).then((all) => all.map((one) => [...one]))")
        self.assertEqual(len(points), len(times))
        for k, line in ((0, times), (1, values)):
            low, high = min(line), max(line)
            first, last = points[line.index(low)][k], points[line.index(high)][k]
            for point, value in zip(points, line):
                self.assertAlmostEqual(point[k], first + (last - first) * (value - low) / (high - low), delta=0.02)
        # a name is text, whatever is in it
        self.page.run("tenon.load(%s, 'x.yaml')" % json.dumps((SPRING % 0.1).replace("a mass on a spring", "'</svg><script>hacked=1</script>'")))
        self.page.run("tenon.client.run(0.1, tenon.wish()).then(() => tenon.refresh())")
        self.page.run("tenon.open('plots')")
        self.assertIn("</svg><script>", ElementTree.fromstring(self.taken("#plot-svg"))[0].text)

    def table(self):
        return self.page.run("[...document.querySelectorAll('.sweep-result tbody tr')].map((row) => [...row.cells].map((one) => one.textContent))")

    def test_a_sweep_of_a_coordinate(self):
        """The output angle of a four-bar by the law of cosines; beyond the dead point there is nothing; the pose is as before."""
        a, b, c, d, start = 0.3, 0.25, 0.3, 0.5, 0.6
        self.load(FOUR_BAR % (a, b, c, d, start, ""))
        self.page.run("tenon.open('plots')")
        self.click(".sweep > summary")
        self.page.wait("document.querySelector('#sweep-vary').options.length > 3")
        self.page.run("document.querySelector('#sweep-vary').value")
        here, out = self.of("in"), self.of("out")
        self.choose("#sweep-vary", "0")
        self.choose("#sweep-of", "out.theta")
        before = self.page.run("tenon.client.frame(tenon.wish()).then((it) => [...it.coordinates])")
        self.page.run("document.querySelector('.sweep').open || document.querySelector('.sweep > summary').click()")
        for label, value in (("from", f"{math.degrees(here)}"), ("to", f"{math.degrees(here + 1.2)}"), ("values", "25")):
            self.page.run(f"""(() => {{ const one = document.querySelector('.sweep input[aria-label="{label}"]');
                one.value = {json.dumps(value)}; one.dispatchEvent(new Event('change')); }})()""")
        self.click("#sweep-run")
        self.page.wait("document.querySelectorAll('.sweep-result tbody tr').length === 25")
        self.assertEqual(before, self.page.run("tenon.client.frame(tenon.wish()).then((it) => [...it.coordinates])"))
        last = math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d))

        def rocker(phi):
            x, y = a * math.cos(phi) - d, a * math.sin(phi)
            far = math.hypot(x, y)
            return math.atan2(y, x) - math.acos((far * far + c * c - b * b) / (2 * far * c))

        rows = [[float(one) if one else None for one in row] for row in csv.reader(self.taken("#sweep-csv").splitlines()[1:])]
        good = 0
        for angle, value in rows:
            phi = math.radians(angle) - here + start
            if phi < last - 1e-6:
                self.assertAlmostEqual(math.radians(value), out + rocker(phi) - rocker(start), delta=1e-8)
                good += 1
            else:
                self.assertIsNone(value)
        self.assertTrue(5 < good < 25, good)
        self.assertEqual(self.table()[-1][1], "limited")
        self.assertIn("cannot be had", self.page.run("document.querySelector('.sweep [role=status]').textContent"))

    def test_a_study_of_a_parameter(self):
        """The largest speed of a mass on a spring is A sqrt(k / m), whatever is shown meanwhile."""
        self.load(SPRING.replace("gravity", "parameters: {k: 40 N/m}\ngravity").replace("stiffness: 40", "stiffness: =k") % 0.1)
        self.page.run("tenon.open('plots')")
        self.page.run("document.querySelector('.sweep').open || document.querySelector('.sweep > summary').click()")
        self.page.wait("[...document.querySelectorAll('#sweep-vary option')].some((one) => one.textContent === 'k')")
        self.choose("#sweep-vary", self.page.run("[...document.querySelectorAll('#sweep-vary option')].find((one) => one.textContent === 'k').value"))
        self.choose("#sweep-of", "rail.z.speed")
        self.assertEqual(self.page.run("document.querySelector('#sweep-of').value"), "rail.z.speed")
        self.page.run("""(() => { const one = document.querySelector('.sweep input[aria-label="values"]');
            one.value = '5'; one.dispatchEvent(new Event('change')); })()""")
        self.click("#sweep-run")
        self.page.wait("document.querySelectorAll('.sweep-result tbody tr').length === 5")
        unit = self.page.run("tenon.display.of('m/s').size")
        rows = [list(map(float, row)) for row in csv.reader(self.taken("#sweep-csv").splitlines()[1:])]
        self.assertEqual([round(row[0], 9) for row in rows], [32, 36, 40, 44, 48])
        for k, value in rows:
            self.assertAlmostEqual(value * unit, 0.1 * math.sqrt(k / 0.1), delta=2e-3)
        self.assertTrue(self.page.run("document.querySelector('.sweep-result img').naturalWidth > 100"))
        # stopped: nothing more happens, and the next one runs
        self.click("#sweep-run")
        self.page.wait("document.querySelector('#sweep-run').textContent === 'Stop'")
        self.click("#sweep-run")
        self.page.wait("document.querySelector('#sweep-run').textContent === 'Run'")

    def test_the_view_follows_a_body(self):
        """It stays where it is on the screen, and the ground goes by; without, the other way round."""
        self.load(CART)
        self.page.run("tenon.open('look')")
        self.page.run("new Promise((done) => setTimeout(done, 500))")  # the picture has its size
        place = """((body) => tenon.client.worldPoint(body, [0, 0, 0]).then((at) => {
            const v = tenon.scene.view.camera; v.updateMatrixWorld();
            const p = tenon.scene.view.controls.target.clone().set(...at).project(v);
            return [p.x, p.y]; }))"""
        self.choose("#track", "cart")
        self.page.run("tenon.refresh()")
        cart, post = (self.page.run(f"{place}({body})") for body in (0, 1))
        self.page.run("tenon.client.run(2, tenon.wish()).then(() => tenon.refresh())")
        now, passed = (self.page.run(f"{place}({body})") for body in (0, 1))
        self.assertLess(math.dist(cart, now), 1e-6)
        self.assertGreater(math.dist(post, passed), 0.5)
        # another width of the picture leaves the body in its middle as it was
        self.page.run("tenon.open('plots')")
        self.page.run("new Promise((done) => setTimeout(done, 500))")
        self.page.run("tenon.open('look')")
        self.page.run("new Promise((done) => setTimeout(done, 500))")
        self.assertLess(math.dist(cart, self.page.run(f"{place}(0)")), 1e-6)
        self.choose("#track", "")
        self.page.run("(tenon.scene.view.hold = true, tenon.refresh())")
        cart, post = (self.page.run(f"{place}({body})") for body in (0, 1))
        self.page.run("tenon.client.run(3, tenon.wish()).then(() => tenon.refresh())")
        now, passed = (self.page.run(f"{place}({body})") for body in (0, 1))
        self.page.run("(tenon.scene.view.hold = false, 0)")
        self.assertGreater(math.dist(cart, now), 0.2)
        self.assertLess(math.dist(post, passed), 1e-6)


if __name__ == "__main__":
    unittest.main()
