"""Random calls of the whole public package, on the examples: every method and property of every public class, arguments drawn by
the names of parameters; a name without a row in ARGUMENTS fails, so that the table stays whole. Objects that calls return take
the places of others. No crash, no endless call; what is refused says why; a refused call leaves the state as it was.

TENON_PYTHON_CALLS: how many calls (600 without); TENON_PYTHON_FIRST: the first program's number."""

import inspect
import os
import pathlib
import random

import numpy as np

import tenon

CALLS = int(os.environ.get("TENON_PYTHON_CALLS", 600))
FIRST = int(os.environ.get("TENON_PYTHON_FIRST", 0))
EACH = 60  # calls of a program
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
LARGE = {"n_four_bar_40.yaml"}  # a step takes as long as a program
REFUSALS = (tenon.Error, ValueError, TypeError, KeyError, OverflowError, MemoryError, IndexError, AttributeError, OSError, ImportError)
# Not called: pages, which test_models and test_view make
UNCALLED = {("Model", "html"), ("Simulation", "show"), ("View", "wait")}
# Calls that keep what they could do.
GO_ON = {"advance", "run", "assemble", "set_coordinates", "place"}


class Program:
    def __init__(self, number, folder):
        self.chance, self.folder = random.Random(number), folder
        paths = [path for path in sorted(EXAMPLES.glob("*.yaml")) + sorted((EXAMPLES / "joints").glob("*.yaml")) if path.name not in LARGE]
        self.path = self.chance.choice(paths)
        model = tenon.load(self.path)
        self.objects = {"Model": model, "Simulation": model.simulation(), "Batch": model.batch(2, threads=1), "Builder": tenon.Builder("b")}
        self.names = [*model.bodies, *model.joints, *model.markers, *model.couplings]
        self.paths = [f"{joint}.{one}" for joint in model.joints for one in model.coordinates(joint)]
        self.refused = self.taken = 0

    # ---- arguments ----

    def number(self):
        return self.chance.choice([0.0, 1.0, -1.0, self.chance.uniform(-2, 2), 1e-3, 1e9, 1e300, float("nan"), float("inf"), None, "1", 10**400])

    def time(self):
        return self.chance.choice([1e-3, 1e-3, 2e-3, 1e-2, 0.0, -1.0, float("nan"), float("inf"), None, "1"])

    def duration(self):
        """Never the model's own, which may be a minute."""
        return self.chance.choice([1e-3, 1e-2, 0.0, -1.0, float("nan"), float("inf"), "1"])

    def moment(self):
        return self.objects["Simulation"].time + 1e-3 if self.chance.random() < 0.8 else self.time()

    def whole(self):
        return self.chance.choice([0, 1, 2, 3, -1, 2.5, None, "1", 10**9])

    def few(self):
        return self.chance.choice([1, 1, 2, 0, -1, None, 2.5])

    def name(self):
        return self.chance.choice([self.chance.choice(self.names or [""]), self.chance.choice(self.names or [""]), "", "x", "a\0", "é" * 50, 3, None])

    def coordinate(self):
        return self.chance.choice(self.paths or [""]) if self.chance.random() < 0.8 else self.name()

    def array(self):
        shape = self.chance.choice([(2,), (3,), (6,), (7,), (6, 6), (2, 3), (0,), (), (len(self.paths),), (2, len(self.paths))])
        block = np.array([self.chance.uniform(-1, 1) for _ in range(int(np.prod(shape)))]).reshape(shape)
        if block.size and self.chance.random() < 0.2:
            block.flat[self.chance.randrange(block.size)] = self.chance.choice([np.nan, np.inf, 1e300])
        return self.chance.choice([block, block, block.tolist(), block.astype(object), None, "x"])

    def mapping(self):
        return self.chance.choice([{}, {self.coordinate(): self.number()}, {self.name(): self.array()}, None, [1]])

    def function(self):
        def raises(*_):
            raise ValueError("of the test")
        return self.chance.choice([None, 1.0, lambda t: (0.1 * t, 0.1, 0.0), lambda t: (float("nan"),) * 3, raises, "f", tenon.Formula("t"),
                                   tenon.Sine(0.1, 3.0, 0.0, 0.0), tenon.Table([(0, 0), (1, 1)]), tenon.Polynomial([0.0, 1.0])])

    def loads(self):
        return self.chance.choice([None, self.on_stage, self.on_stage, 1])

    def on_stage(self, stage):
        self.call("Stage", stage)

    def state(self):
        sim = self.objects["Simulation"]
        return self.chance.choice([sim.save(), sim.save(), sim.save()[:-1], b"", b"\0" * len(sim.save()), None])

    def file(self):
        return self.chance.choice([self.folder / "a.csv", self.folder / "b.yaml", self.folder, self.folder / "no" / "such", "", "a\0", None])

    ARGUMENTS = {"h": time, "time": moment, "duration": duration, "step": time, "every": time, "steps": few, "count": few, "threads": few,
                 "efforts": array, "values": mapping, "speeds": array, "which": array, "markers": mapping, "coordinates": mapping,
                 "weight": number, "name": name, "body": name, "joint": name, "path": file, "set": mapping, "pose": array, "twist": array,
                 "wrench": array, "effort": number, "enabled": whole, "force": number, "moment": number, "frame": name, "position": function,
                 "speed": function, "max_force": number, "time_constant": number, "loads": loads, "state": state, "stiffness": array,
                 "damping": array, "type": name, "keys": mapping, "options": mapping, "result": name, "parameter": name, "ends": array,
                 "locked": whole, "value": number, "key": coordinate, "initial": mapping, "names": mapping}
    OTHERS = {("Simulation", "apply_effort", "path"): coordinate, ("Stage", "coordinate", "path"): coordinate,
              ("Stage", "add_effort", "path"): coordinate, ("Batch", "place", "values"): array, ("Coordinate", "speed", "speed"): number}

    # ---- calls ----

    def arguments(self, kind, call, function):
        given = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            make = self.OTHERS.get((kind, call, parameter.name)) or self.ARGUMENTS[parameter.name]
            omitted = parameter.default is not parameter.empty and self.chance.random() < 0.5
            if parameter.kind is parameter.VAR_KEYWORD or (omitted and parameter.name != "duration"):
                continue
            given.append(make(self))
        return given

    def call(self, kind, thing):
        name, member = self.chance.choice(members(kind))
        before = self.objects["Simulation"].save() if kind == "Simulation" else None
        try:
            if isinstance(member, property):
                if member.fset and self.chance.random() < 0.5:
                    setattr(thing, name, *self.arguments(kind, name, member.fset))
                answer = getattr(thing, name)
            else:
                answer = member(thing, *self.arguments(kind, name, member))
            self.taken += 1
        except REFUSALS as error:
            self.refused += 1
            assert str(error), (kind, name)
            if before is not None and thing is self.objects["Simulation"] and name not in GO_ON and not isinstance(error, AttributeError):
                assert thing.save() == before, (kind, name, error)
            return
        if type(answer).__name__ in TABLE:
            self.objects[type(answer).__name__] = answer

    def run(self):
        for _ in range(EACH):
            kind = self.chance.choice(["Simulation", "Simulation", *self.objects, "Coordinate"])
            if kind == "Coordinate" and self.paths:
                self.call(kind, self.objects["Simulation"][self.chance.choice(self.paths)])
            elif kind in self.objects:
                self.call(kind, self.objects[kind])
            sim = self.objects["Simulation"]
            assert np.isfinite(sim.time) and np.isfinite(sim.poses()).all()


TABLE = {name: thing for name, thing in vars(tenon).items() if inspect.isclass(thing) and not issubclass(thing, Exception)}


def members(kind):
    """Public methods, properties and what brackets do, of a class."""
    brackets = ("__getitem__", "__contains__", "__len__", "__repr__")
    return [(name, member) for name, member in inspect.getmembers(TABLE[kind], lambda one: inspect.isfunction(one) or isinstance(one, property))
            if (not name.startswith("_") or name in brackets) and (kind, name) not in UNCALLED]


def test_every_parameter_has_a_row():
    for kind in TABLE:
        for name, member in members(kind):
            function = member.fset if isinstance(member, property) else member
            for parameter in list(inspect.signature(function).parameters)[1:] if function else []:
                assert (kind, name, parameter) in Program.OTHERS or parameter in Program.ARGUMENTS, (kind, name, parameter)


def test_random_calls(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    taken = refused = 0
    for k in range(max(1, CALLS // EACH)):
        program = Program(FIRST + k, tmp_path)
        program.run()
        taken, refused = taken + program.taken, refused + program.refused
    print(f"{taken} calls taken, {refused} refused")
    assert taken > 0 and refused > 0
