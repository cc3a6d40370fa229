"""Random calls, seeded and stateful, with values that are none among their arguments: no crash, no endless call,
only errors that say what is wrong; what fails has changed nothing, and what is read is a number or none is there.

TENON_PYTHON_CALLS: how many calls (1500 without); TENON_PYTHON_FIRST: the first program's number."""

import os
import random

import numpy as np
import pytest

import tenon

CALLS = int(os.environ.get("TENON_PYTHON_CALLS", 1500))
FIRST = int(os.environ.get("TENON_PYTHON_FIRST", 0))
OPTIONS = ["integrator", "solver", "events", "loops", "spectral_radius", "position_tolerance", "force_tolerance",
           "relative_tolerance", "absolute_tolerance", "accuracy", "max_iterations", "iterations", "keep_velocities", "cookie", "x"]
EACH = 60  # calls of a program
REFUSALS = (tenon.Error, ValueError, TypeError, KeyError, OverflowError, MemoryError, IndexError)

MODEL = """tenon: 1
bodies:
  a: {position: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}
  b: {position: [2, 0, 0], mass: 1, inertia: [1, 1, 1]}
joints:
  j: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], range: {theta: [-3, 3]}}
  k: {type: universal, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0]}
couplings: {c: {terms: [{coordinate: j.theta}, {coordinate: k.roll}]}}
markers: {m: {body: b, position: [1, 0, 0]}}
simulation: {duration: 0.05}
"""


class Program:
    def __init__(self, number, model):
        self.chance, self.model = random.Random(number), model
        self.sim = model.simulation(integrator=self.chance.choice(["generalized_alpha", "dormand_prince", "backward_euler"]))
        self.batch = model.batch(3, threads=2) if number % 4 == 0 else None
        self.kept = [self.sim.save()]
        self.refused = self.taken = 0

    def number(self):
        return self.chance.choice([0.0, 1.0, -1.0, self.chance.uniform(-4, 4), 1e-3, 1e9, -1e30, 1e300, float("nan"),
                                   float("inf"), -float("inf"), 5e-324, True, None, "1", 10**400, np.float32(2), [1.0]])

    def small(self):
        """A time that is short or none: a long one would be worked off."""
        return self.chance.choice([1e-3, 1e-3, 2e-3, 0.01, 0.0, -1.0, float("nan"), float("inf"), -float("inf"), 1e-30, None, "1"])

    def name(self):
        return self.chance.choice(["a", "b", "j", "k", "m", "c", "j.theta", "k.roll", "k.pitch", "c.value", "", "x", "j\0",
                                   "j.", ".theta", "é" * 100, "j.theta.theta", 3, None])

    def array(self, *shapes):
        shape = self.chance.choice([*shapes, *shapes, (), (0,), (1,), (7,), (3, 3), (2, 2, 2)])
        block = np.array([self.chance.uniform(-1, 1) for _ in range(int(np.prod(shape)))]).reshape(shape)
        if block.size and self.chance.random() < 0.2:
            block.flat[self.chance.randrange(block.size)] = self.chance.choice([np.nan, np.inf, 1e300])
        return self.chance.choice([block, block.tolist(), block.astype(np.float32), np.asfortranarray(block),
                                   block[::-1] if block.ndim else block, block.astype(int), block.astype(object), None, "x"])

    def function(self):
        def raises(*_):
            raise RuntimeError("of the test")
        at = self.sim["j.theta"].value
        return self.chance.choice([lambda t: (at, 0.0, 0.0), lambda t: (at + 0.1 * t, 0.1, 0.0), raises, lambda t: None,
                                   lambda t: (float("nan"),) * 3, lambda t: self.call_inside(), None, 1.0,
                                   tenon.Polynomial([at, 1.0]), tenon.Sine(0.1, 3.0, 0.0, at), tenon.Table([(0, at), (1, 1)]),
                                   tenon.Spline([(0, 0)]), tenon.Formula("t"), tenon.Formula("t\0"), tenon.Formula("1/0"), "f"])

    def call_inside(self):
        """From inside a callback: refused, or harmless."""
        try:
            self.chance.choice([lambda: self.sim.step(1e-3), lambda: self.sim["j"].drive(None), lambda: self.sim.restore(self.kept[0]),
                                self.sim.poses, self.sim.energy, self.sim.check, lambda: self.sim["j"].value])()
        except REFUSALS:
            pass
        return 0.0, 0.0, 0.0

    def stage_calls(self, stage):
        return [lambda: stage.pose(self.name()), lambda: stage.velocity(self.name()), lambda: stage.coordinate(self.name()),
                lambda: stage.add_derivatives(self.name(), self.array((6, 6)), self.array((6, 6))), lambda: stage.time]

    def calls(self):
        sim, n, name = self.sim, self.number, self.name
        coordinate = lambda: sim[name()]
        calls = [lambda: sim.step(self.small()), lambda: sim.advance(sim.time + self.small()), lambda: sim.advance(self.small()),
                 lambda: sim.run(self.small(), 1e-3, n()), lambda: sim.run(0.01, self.chance.choice([0.01, 1e-3, 0.0, -1.0, float("nan")])),
                 lambda: setattr(coordinate(), "value", n()), lambda: setattr(coordinate(), "speed", n()),
                 lambda: setattr(coordinate(), "range", self.array((2,))), lambda: setattr(coordinate(), "locked", n()),
                 lambda: coordinate().drive(self.function()), lambda: coordinate().motor(self.function(), None, n()),
                 lambda: coordinate().motor(None, self.function(), n(), n()), lambda: coordinate().force,
                 lambda: sim.set_pose(name(), self.array((7,))), lambda: sim.set_velocity(name(), self.array((6,))),
                 lambda: sim.apply_wrench(name(), self.array((6,))), lambda: sim.apply_effort(name(), n()),
                 lambda: sim.set_break_load(name(), n(), n()), lambda: sim.set_enabled(name(), n()),
                 lambda: sim.set_coordinates({name(): n(), name(): n()}), lambda: sim.place({name(): self.array((3,))}, weight=n()),
                 sim.assemble, sim.check, lambda: sim.marker(name()), lambda: sim.wrench(name(), self.chance.choice("ABCDx")),
                 lambda: sim.set_loads(self.chance.choice([None, lambda stage: stage.add_effort(name(), n()),
                                                           lambda stage: stage.add_wrench(name(), self.array((6,))),
                                                           lambda stage: self.chance.choice(self.stage_calls(stage))(),
                                                           lambda stage: self.call_inside()])),
                 lambda: self.model.simulation(**{self.chance.choice(OPTIONS): n()}).step(1e-3),
                 lambda: self.model.run(self.small(), self.chance.choice([1e-3, None, float("inf"), "1"]), n()), lambda: sim.pose(name()), lambda: sim.break_load(name()),
                 lambda: self.sim.check().unique(name()),
                 lambda: self.kept.append(sim.save()), lambda: sim.restore(self.chance.choice(self.kept)),
                 lambda: sim.restore(self.chance.choice([b"", b"x" * 10, b"\0" * len(self.kept[0]), self.kept[0][:-1]])),
                 lambda: setattr(sim, "threads", n())]
        if self.batch is not None:
            batch, width = self.batch, len(self.batch.coordinates)
            calls += [lambda: batch.step(self.small(), self.chance.choice([0, 1, 3, -1, 10**8, 2.5])),
                      lambda: batch.step(1e-3, 1, self.array((3, width), (width,))), lambda: batch.reset(self.array((3,))),
                      lambda: batch.reset(self.chance.choice([[True, False, True], [0, 1], [1] * 4, None])),
                      lambda: batch.place(self.array((3, width), (width,)), self.array((3, width)))]
        return calls

    def run(self):
        for _ in range(EACH):
            before = self.sim.save()
            try:
                self.chance.choice(self.calls())()
                self.taken += 1
            except REFUSALS as error:
                self.refused += 1
                assert str(error)
                if isinstance(error, tenon.StepError):
                    assert np.isfinite(error.time)
            except RuntimeError as error:
                assert "of the test" in str(error)
                self.sim["j.theta"].drive(None)
                self.sim["j.theta"].motor()
            assert np.isfinite(self.sim.time)
            poses = self.sim.poses()
            assert np.isfinite(poses).all(), (poses, before == self.sim.save())


@pytest.mark.parametrize("first", range(FIRST, FIRST + 4))
def test_random_calls(first):
    model = tenon.loads(MODEL)
    taken = refused = 0
    for k in range(max(1, CALLS // EACH // 4)):
        program = Program(first + 1000 * k, model)
        program.run()
        taken, refused = taken + program.taken, refused + program.refused
    print(f"{taken} calls taken, {refused} refused")
    assert taken > 0 and refused > 0
