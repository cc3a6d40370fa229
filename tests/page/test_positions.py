#!/usr/bin/env python3
"""A four-bar through three positions of a body, by clicks: beside the circles through three points, worked out here with complex
numbers, and by the motion of what was made."""
import cmath
import json
import math
import unittest

from desk import Desk

# Two points of the body in each position, mm: the second gives the direction.
GOOD = [(-60, 40), (-20, 50), (-30, 60), (10, 80), (10, 70), (40, 100)]
PIVOTS = [(-60, 40), (-20, 50)]


def centre(a, b, c):
    """Where the perpendicular bisectors of ab and ac meet: |z - a| = |z - b| = |z - c|."""
    p, q = b - a, c - a
    return a + p * q * (p - q).conjugate() / (p.conjugate() * q - p * q.conjugate())


class Positions(Desk):
    def begin(self):
        self.click("#start")
        self.click("#start-blank")
        self.settle()

    def draw(self, tool, *places):
        self.click(f"#tool-{tool}")
        for x, y in places:
            self.click(self.page.run(f"""(() => {{ const box = tenon.stage.getBoundingClientRect(), [x, y] = tenon.board.screen({x} / 1000, {y} / 1000);
                return [box.left + x, box.top + y]; }})()"""))
        self.settle()

    def test_a_four_bar_through_three_positions(self):
        self.begin()
        before = self.page.run("tenon.source")
        self.draw("positions", *GOOD, *PIVOTS)
        self.assertEqual(self.said(), "bar1 leads bar2 through all three positions.")
        points = {name: complex(x, y) for name, x, y in self.page.run("tenon.board.sketch.points.map(({ name, x, y }) => [name, 1000 * x, 1000 * y])")}
        at = [complex(*one) for one in GOOD]
        turns = [cmath.phase(at[2 * k + 1] - at[2 * k]) - cmath.phase(at[1] - at[0]) for k in range(3)]
        ways = [[at[2 * k] + (complex(*pivot) - at[0]) * cmath.exp(1j * turns[k]) for k in range(3)] for pivot in PIVOTS]
        fixed = []
        for way in ways:
            z = centre(*way)
            radii = [abs(z - one) for one in way]
            self.assertLess(max(radii) - min(radii), 1e-9)
            self.assertLess(min(abs(z - one) for one in points.values()), 2e-3)  # a micrometre each way, as it is written
            fixed.append(z)
        # driven to each position the body lies there
        mark = self.page.run("tenon.model.markers.findIndex((one) => one.name === 'led1')")
        for k in (1, 2):
            turn = cmath.phase((ways[0][k] - fixed[0]) / (ways[0][0] - fixed[0]))
            got, place, angle = self.page.run(f"""(async () => {{
                const crank = tenon.model.joints.findIndex((one) => one.a === 0 && one.b < 0);
                const got = await tenon.client.setCoordinate(crank, 0, {turn});
                const frame = await tenon.client.frame(tenon.wish()), poses = await tenon.client.poses();
                const one = await tenon.client.worldPoint(1, [0, 0, 0]), other = await tenon.client.worldPoint(1, [0.01, 0, 0]);
                await tenon.refresh();
                return [got.outcome, [...frame.markers.slice({3 * mark}, {3 * mark} + 2)], Math.atan2(other[1] - one[1], other[0] - one[0])];
            }})()""")
            self.assertEqual(got, "set")
            self.assertLess(abs(1000 * complex(*place) - at[2 * k]), 5e-3)
            self.assertLess(abs(math.remainder(angle - cmath.phase(complex(*PIVOTS[1]) - complex(*PIVOTS[0])) - turns[k], 2 * math.pi)), 1e-4)
        while self.page.run("tenon.frame.canUndo"):
            self.page.run("tenon.undo()")
        self.assertEqual(self.page.run("tenon.source"), before)

    def test_positions_that_cannot_be_had(self):
        """Places of a pivot on one line; and a position on the other branch, which is told and drawn."""
        self.begin()
        before = self.page.run("tenon.source")
        self.draw("positions", (-60, 40), (-20, 40), (0, 40), (40, 40), (60, 40), (100, 40), (-60, 40), (-20, 40))
        self.assertIn("no circle goes through them", self.said())
        self.assertEqual(self.page.run("tenon.source"), before)
        # a body that turns over: of the two signs of the angle at the rocker not all can be the same
        self.draw("positions", (-60, 0), (-20, 0), (0, 40), (0, 80), (60, 0), (20, -10), (-60, 0), (-20, 0))
        self.assertRegex(self.said(), r"position \d lies (on the other branch|beyond a dead point of the crank)")
        self.assertEqual(self.page.run("tenon.model.bodies.length"), 3)


if __name__ == "__main__":
    unittest.main()
