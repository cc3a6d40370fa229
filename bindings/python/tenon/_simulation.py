"""A model in motion."""

import math
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from tenon import _functions
from tenon._errors import (Diagnostic, Diagnostics, Error, Raised, StepError, check, listen, status_name,
                           status_text, stopped, text)
from tenon._library import ffi, lib
from tenon._loads import Computed, Loads
from tenon._model import Model
from tenon._numbers import entry, vector
from tenon._recording import Recording
from tenon._view import View, _has_display, _in_notebook

# Between two looks for a key press, s.
_PATIENCE = 0.1


class StepReport:
    """What a step met, by the names of tn_step_report: iterations, factorizations, solves, fallbacks,
    halvings, parts, events, folds, position_error (m), angle_error (rad) ..."""

    __slots__ = ("_c",)

    def __init__(self, c):
        self._c = ffi.new("tn_step_report *", c[0])

    def __getattr__(self, name: str):
        if name.startswith("_") or name not in _REPORT:
            raise AttributeError(f"a step's report has no '{name}'; it has {', '.join(_REPORT)}")
        return getattr(self._c, name)

    def __dir__(self):
        return list(_REPORT)

    def __repr__(self) -> str:
        return ("<tenon.StepReport: " + ", ".join(f"{name} {getattr(self, name):g}" for name in _REPORT
                                                  if getattr(self, name)) + ">")


_REPORT = [name for name, field in ffi.typeof("tn_step_report").fields
           if field.type.kind == "primitive"]


@dataclass(frozen=True)
class Energy:
    """J; total = kinetic + potential + elastic; work by drives and lost since the start."""

    kinetic: float
    potential: float
    elastic: float
    total: float
    work: float
    lost: float


@dataclass(frozen=True)
class Accuracy:
    """How well the motion since the start has obeyed mechanics. verdict: "within" the requested accuracy, "balances"
    or "unbalanced" (fixed steps: accuracy is not controlled), "exceeded". figures: name -> (worst, allowed).
    exceeded_at: s, when a figure was first beyond its bound, NaN: never. Energies in J."""

    verdict: str
    text: str
    figures: Dict[str, Tuple[float, float]]
    exceeded_at: float
    energy_made: float
    energy_faded: float
    energy_turnover: float


def _floats(n: int, *more: int):
    """An array for C to fill, and its pointer."""
    array = np.empty((n, *more) if more else n)
    return array, ffi.from_buffer("double[]", array)


class Coordinate:
    """One coordinate of a joint (rad or m), or the value of a coupling, in a simulation."""

    __slots__ = ("_sim", "path", "_joint", "_number", "_is_coupling", "_coupling", "__weakref__")

    def __init__(self, sim: "Simulation", path: str):
        self._sim, self.path = sim, path
        self._joint, self._number = sim.model._coordinate(path)
        self._is_coupling = self._joint.i >= len(sim.model.joints)
        if self._is_coupling:
            name = path[:-len(".value")] if path.endswith(".value") else path
            self._coupling = sim.model._find("coupling", name)

    def _read(self, of_joint, of_coupling) -> float:
        if self._is_coupling:
            return of_coupling(self._sim._c, self._coupling)
        block = ffi.new("double[]", lib.TN_WRENCH_PART_COUNT)
        of_joint(self._sim._c, self._joint, block)
        return block[self._number]

    @property
    def value(self) -> float:
        """rad or m. Setting it moves the mechanism, loops closed, on its branch; Error if it cannot be
        reached."""
        return self._read(lib.tn_sim_joint_coordinates, lib.tn_sim_coupling_value)

    @value.setter
    def value(self, value: float) -> None:
        self._sim.set_coordinates({self.path: value})

    @property
    def speed(self) -> float:
        """rad/s or m/s. Setting it: the joints hold and the rest follows."""
        return self._read(lib.tn_sim_joint_speeds, lib.tn_sim_coupling_speed)

    @speed.setter
    def speed(self, speed: float) -> None:
        self._sim._check(lib.tn_sim_set_coordinate_speed(self._sim._c, self._joint, self._number, speed),
                         f"{self.path} cannot have the speed {speed:g}")

    @property
    def force(self) -> float:
        """N or N m, of lock, limits, drives, friction and springs together."""
        return sum(lib.tn_sim_coordinate_force(self._sim._c, self._joint, self._number, part)
                   for part in range(lib.TN_WRENCH_LOCK, lib.TN_WRENCH_PART_COUNT))

    @property
    def mass(self) -> float:
        """kg or kg m^2 that the bodies of the joint, free of all other joints, oppose to a motion along it at the present pose."""
        return lib.tn_sim_coordinate_mass(self._sim._c, self._joint, self._number)

    @property
    def range(self):
        """(lower, upper), rad or m; infinite: none."""
        ends = ffi.new("double[2]")
        self._sim._check(lib.tn_sim_get_range(self._sim._c, self._joint, self._number, ends, ends + 1), self.path)
        return ends[0], ends[1]

    @range.setter
    def range(self, ends) -> None:
        lower, upper = vector(ends, 2, f"the range of {self.path}")
        self._sim._check(lib.tn_sim_set_range(self._sim._c, self._joint, self._number, lower, upper),
                         f"the range of {self.path}")

    @property
    def locked(self) -> bool:
        return bool(lib.tn_sim_is_locked(self._sim._c, self._joint, self._number))

    @locked.setter
    def locked(self, locked: bool) -> None:
        self._sim._check(lib.tn_sim_set_locked(self._sim._c, self._joint, self._number, bool(locked)), self.path)

    @property
    def at_limit(self) -> int:
        """-1: at its lower limit, 1: at its upper one, 0: at neither."""
        return lib.tn_sim_at_limit(self._sim._c, self._joint, self._number, ffi.NULL)

    def drive(self, position: Optional[_functions.Function]) -> None:
        """Prescribes its motion: a function of time (s), rad or m; None: no longer."""
        c = (ffi.NULL if position is None
             else _functions.definition(position, self._sim._keep, self._sim._raised))
        self._sim._check(lib.tn_sim_set_driver(self._sim._c, self._joint, self._number, c), self.path)

    def motor(self, speed: Optional[_functions.Function] = None,
              position: Optional[_functions.Function] = None, max_force: float = float("inf"),
              time_constant: Optional[float] = None) -> None:
        """A motor for a speed or a position, functions of time; neither: no longer."""
        if speed is None and position is None:
            self._sim._check(lib.tn_sim_set_motor(self._sim._c, self._joint, self._number, ffi.NULL), self.path)
            return
        c = ffi.new("tn_motor_def *", lib.tn_default_motor_def())
        for name, function in (("speed", speed), ("position", position)):
            if function is not None:
                setattr(c, name, _functions.definition(function, self._sim._keep, self._sim._raised)[0])
        c.max_force = max_force
        if time_constant is not None:
            c.time_constant = time_constant
        self._sim._check(lib.tn_sim_set_motor(self._sim._c, self._joint, self._number, c), self.path)

    def __repr__(self) -> str:
        return f"<tenon.Coordinate {self.path} = {self.value:g}>"


class Simulation:
    """A model in motion, at its initial state.

    options: integrator, formulation, solver, events, loops (names as in model files), spectral_radius,
    position_tolerance, force_tolerance, relative_tolerance, absolute_tolerance, accuracy,
    max_iterations, iterations: what is not given is as in the model. messages: what assembling it told.
    sim["crank.theta"] is a Coordinate. While C computes, other threads of Python run; a simulation is
    for one thread at a time.
    """

    __slots__ = ("model", "messages", "_keep", "_raised", "_c", "_report", "_loads", "_view", "__weakref__")

    _ENUMS = {"integrator": ("tn_integrator", "tn_integrator_name", "TN_INTEGRATOR_COUNT"),
              "formulation": ("tn_formulation", "tn_formulation_name", "TN_FORMULATION_COUNT"),
              "solver": ("tn_solver", "tn_solver_name", "TN_SOLVER_COUNT"),
              "events": ("tn_event_timing", "tn_event_timing_name", "TN_EVENT_TIMING_COUNT"),
              "loops": ("tn_loop_policy", "tn_loop_policy_name", "TN_LOOPS_COUNT")}

    def __init__(self, model: Model, **options):
        self.model = model
        self._keep: list = []
        self._raised = Raised()
        listen()
        c = ffi.new("tn_sim_options *", lib.tn_default_sim_options(model._c))
        known = {field for field, _ in ffi.typeof("tn_sim_options").fields} - {"cookie"}
        for name, value in options.items():
            if name not in known:
                raise TypeError(f"there is no option '{name}'; there are {', '.join(sorted(known))}")
            setattr(c, name, self._enum(name, value) if name in self._ENUMS else value)
        out = ffi.new("tn_sim **")
        with Diagnostics() as problems:
            self.messages: List[Diagnostic] = problems.check(
                lib.tn_sim_create(model._c, c, problems.c, out))
        self._c = ffi.gc(out[0], lib.tn_sim_destroy)
        self._report = ffi.new("tn_step_report *")
        self._loads: Optional[Computed] = None
        self._view: Optional[View] = None

    @classmethod
    def _enum(cls, name: str, word: str) -> int:
        _, name_of, count = cls._ENUMS[name]
        words = [text(getattr(lib, name_of)(i)) for i in range(getattr(lib, count))]
        if word not in words:
            raise ValueError(f"there is no {name} '{word}'; there are {', '.join(words)}")
        return words.index(word)

    def _check(self, status: int, what: str) -> None:
        """Raises what a function of Python raised in the call; else as check does."""
        error = self._raised.take()
        if error is not None:
            raise error
        check(status, what)

    # Going on.

    @property
    def time(self) -> float:
        """s"""
        return lib.tn_sim_time(self._c)

    @property
    def threads(self) -> int:
        """That work on each step, with the same bits however many; 1 as it is made. They have something to do in
        trees of some ten thousand bodies on hinges."""
        return lib.tn_sim_threads(self._c)

    @threads.setter
    def threads(self, count: int) -> None:
        self._check(lib.tn_sim_set_threads(self._c, int(count)), "threads")

    def step(self, h: float) -> StepReport:
        """Advances by h seconds; StepError: it cannot, and nothing has changed."""
        listen()
        status = lib.tn_sim_step(self._c, h, self._report)
        self._went_on()
        error = self._raised.take()
        if error is not None or status != lib.TN_OK:
            raise error or self._failure(status, self._report)
        return StepReport(self._report)

    def advance(self, time: float) -> StepReport:
        """Advances to a later time, s: by as many steps as an integrator that controls its errors needs,
        or by steps of the model's length. StepError: it came no further than self.time."""
        listen()
        status = lib.tn_sim_advance(self._c, time, self._report)
        self._went_on()
        error = self._raised.take()
        if error is not None or status != lib.TN_OK:
            raise error or self._failure(status, self._report)
        return StepReport(self._report)

    def _failure(self, status: int, report) -> BaseException:
        error = self._raised.take() or stopped(status)
        if error is not None:
            return error
        culprit = None
        if report.culprit_joint.i >= 0:
            culprit = text(lib.tn_model_joint_name(self.model._c, report.culprit_joint))
        elif report.culprit_body.i >= 0:
            culprit = self.model.bodies[report.culprit_body.i]
        message = f"a step failed at t = {self.time:.9g} s: {status_text(status)}"
        return StepError(message + (f": {culprit}" if culprit else ""), status_name(status),
                         StepReport(report), self.time, culprit)

    def run(self, duration: Optional[float] = None, step: Optional[float] = None,
            every: Optional[float] = None) -> Recording:
        """Steps on for duration seconds in steps of `step`, recording every `every` seconds (nan: each
        step), also where a record is within a step, but not more often than once a step; what is not given is as in the model. From the start the frames are those of `tenon run
        --csv`, bit by bit, with angles in rad. StepError.recording: what there was before a failure."""
        simulation, record = lib.tn_model_simulation(self.model._c), lib.tn_model_record(self.model._c)
        duration = simulation.duration if duration is None else duration
        said = record.every if every is None else every
        if step is None:  # steps to an accuracy may be any: frames between them are not passed over
            divided = lib.tn_sim_get_options(self._c).accuracy > 0 and said > 0
            usual = lib.tn_usual_step(self.model._c, duration)
            step = min(usual, said) if divided else usual
        if every is None:
            every = lib.tn_usual_every(step, duration) if said != said else said  # nan: nobody said
        elif every < (1.0 - 1e-9) * step:
            raise Error(f"every {every} s is less than a step of {step} s, and a step has one record",
                        status_name(lib.TN_ERROR_ARGUMENT))
        grid = ffi.new("tn_time_grid *", lib.tn_time_grid_of(step, duration, every))
        if grid.steps == 0:
            raise Error(f"{duration} s in steps of {step} s: both have to be positive, and at most 1e15 steps",
                        status_name(lib.TN_ERROR_ARGUMENT))
        return self._run(grid)

    def _run(self, grid) -> Recording:
        listen()
        recorder = ffi.new("tn_recorder **")
        what = ffi.new("tn_record_def *", lib.tn_model_record(self.model._c)[0])
        what.degrees = 0  # radians, whatever the model's file counts in
        self._check(lib.tn_recorder_create(self._c, what, recorder), "recording")
        recorder = ffi.gc(recorder[0], lib.tn_recorder_destroy)
        columns = self._columns(recorder)
        try:
            data, rows = _floats(self._most_frames(grid), len(columns))
        except (MemoryError, ValueError):
            raise MemoryError(f"{self._most_frames(grid)} frames of {len(columns)} numbers") from None
        run = ffi.new("tenon_run *", {"start": self.time})
        status = lib.TN_OK
        while status == lib.TN_OK and run.steps < grid.steps:
            status = lib.tenon_run_steps(self._c, grid, recorder, rows, len(data), len(columns),
                                         _PATIENCE if self._view is None else 0.0, run)
            self._went_on()
        self._changed()
        statistics = {name: getattr(run, name) for name, _ in ffi.typeof("tenon_run").fields
                      if name not in ("last", "record_at", "start")}
        recording = Recording(columns, data[:run.frames], statistics)
        if status != lib.TN_OK:
            failure = self._failure(status, ffi.addressof(run, 'last'))
            failure.recording = recording  # of any exception: what there was before
            raise failure
        error = self._raised.take()
        if error is not None:
            raise error
        return recording

    @staticmethod
    def _most_frames(grid) -> int:
        """The start, and as many as there are steps, or periods and an end."""
        if not grid.every > grid.step:
            return 1 + grid.steps
        return 1 + int(min(grid.steps, math.floor(grid.duration / grid.every) + 2))

    @staticmethod
    def _columns(recorder) -> List[str]:
        names = []
        for column in range(lib.tn_recorder_column_count(recorder)):
            size = lib.tn_recorder_column_name(recorder, column, ffi.NULL, 0) + 1
            name = ffi.new("char[]", size)
            lib.tn_recorder_column_name(recorder, column, name, size)
            names.append(ffi.string(name).decode())
        return names

    # Its picture.

    def show(self, open: Optional[bool] = None) -> View:
        """The page that shows it while it runs, from now on: it opens in a browser, in a notebook in the output of the cell.
        open: whether to open a browser; None: if there is a display and it is not shown yet. Without one, open the url of the
        result in a browser of this machine. Rows are copied between steps, every 1/60 s of simulation, of short motions more
        often; the simulation does not wait for the page and has the same bits. It ends with the simulation, or by close()."""
        if self._view is None or self._view.closed:
            self._view = View(self)
            open = _has_display() and not _in_notebook() if open is None else open
        if open:
            self._view._open()
        return self._view

    def _went_on(self) -> None:
        if self._view is not None:
            self._view._stepped(self.time)

    def _changed(self) -> None:
        """The view shows the present state in place of what it had at this time and later."""
        if self._view is not None:
            self._view._take(self.time)

    # The state.

    def save(self) -> bytes:
        """The whole state: restore goes on with the same bits."""
        block = ffi.new("char[]", lib.tn_sim_state_size(self._c))
        lib.tn_sim_save(self._c, block)
        state = bytes(ffi.buffer(block))
        if not any(state):  # from inside a step
            check(lib.TN_ERROR_BUSY, "save")
        return state

    def restore(self, state: bytes) -> None:
        """A state of a simulation of the same model with the same options."""
        if len(state) < lib.tn_sim_state_size(self._c):
            raise Error("this is no state of this simulation")
        self._check(lib.tn_sim_restore(self._c, ffi.from_buffer(state)), "restore")
        self._changed()

    def __getitem__(self, path: str) -> Coordinate:
        return Coordinate(self, path)

    def poses(self) -> np.ndarray:
        """[bodies][7]: x, y, z (m), qw, qx, qy, qz of the bodies' frames in the world."""
        array, block = _floats(len(self.model.bodies), 7)
        lib.tn_sim_get_poses(self._c, block)
        return array

    def velocities(self) -> np.ndarray:
        """[bodies][6]: m/s of the bodies' origins, rad/s, world axes."""
        array, block = _floats(len(self.model.bodies), 6)
        lib.tn_sim_get_velocities(self._c, block)
        return array

    def pose(self, body: str) -> np.ndarray:
        """[7]: x, y, z (m), qw, qx, qy, qz."""
        t = lib.tn_sim_body_pose(self._c, self.model._find("body", body))
        return np.array([t.p.x, t.p.y, t.p.z, t.q.w, t.q.x, t.q.y, t.q.z])

    def marker(self, name: str) -> np.ndarray:
        """[3] m, world."""
        p = lib.tn_sim_marker_position(self._c, self.model._find("marker", name))
        return np.array([p.x, p.y, p.z])

    def set_pose(self, body: str, pose: Sequence[float]) -> None:
        """[7]; joints are not closed again: see assemble."""
        x, y, z, *q = vector(pose, 7, f"the pose of {body}")
        self._check(lib.tn_sim_set_body_pose(self._c, self.model._find("body", body),
                    {"p": {"x": x, "y": y, "z": z}, "q": q}), body)
        self._changed()

    def set_velocity(self, body: str, twist: Sequence[float]) -> None:
        """[6]: m/s at the body's origin, rad/s, world axes."""
        v = vector(twist, 6, f"the velocity of {body}")
        self._check(lib.tn_sim_set_body_velocity(self._c, self.model._find("body", body),
                    {"v": v[:3], "w": v[3:]}), body)

    def set_enabled(self, joint: str, enabled: bool) -> None:
        self._check(lib.tn_sim_set_enabled(self._c, self.model._find("joint", joint), bool(enabled)), joint)

    def break_load(self, joint: str) -> Tuple[float, float]:
        """N, N m: the force and the moment beyond which it breaks; infinite: it never does."""
        loads = ffi.new("double[2]")
        self._check(lib.tn_sim_get_break(self._c, self.model._find("joint", joint), loads, loads + 1), joint)
        return loads[0], loads[1]

    def set_break_load(self, joint: str, force: float, moment: float = float("inf")) -> None:
        self._check(lib.tn_sim_set_break(self._c, self.model._find("joint", joint), force, moment), joint)

    # What acts.

    def apply_wrench(self, body: str, wrench: Sequence[float]) -> None:
        """[6] N, N m on a body, world axes, about its origin, during the next step alone; calls add up."""
        f = vector(wrench, 6, f"a wrench on {body}")
        self._check(lib.tn_sim_apply_wrench(self._c, self.model._find("body", body), {"f": f[:3], "m": f[3:]}),
                    f"a wrench on {body}")

    def apply_effort(self, path: str, effort: float) -> None:
        """N or N m along a coordinate, during the next step alone."""
        joint, number = self.model._coordinate(path)
        self._check(lib.tn_sim_apply_effort(self._c, joint, number, effort), f"an effort on {path}")

    def set_loads(self, loads: Optional[Loads]) -> None:
        """A function that is called with a Stage wherever the equations are evaluated, and adds wrenches
        and efforts to it; None: no longer. It must be pure: the same time and motion give the same
        loads. Its exceptions come out of the step, which has then not been taken."""
        computed = None if loads is None else Computed(self.model, loads, self._raised)
        self._check(lib.tn_sim_set_load_callback(self._c, lib.tenon_loads if computed else ffi.NULL,
                                                 computed.handle if computed else ffi.NULL), "loads")
        self._loads = computed

    def wrench(self, joint: str, frame: str = "C") -> np.ndarray:
        """[6] N, N m: what body A feels, in the axes and about the origin of frame 'C' or 'D', or in
        world axes about the origin of 'A'; 'B': what B feels about its own."""
        frames = {"C": lib.TN_WRENCH_IN_C, "D": lib.TN_WRENCH_IN_D, "A": lib.TN_WRENCH_ON_A,
                  "B": lib.TN_WRENCH_ON_B}
        w = lib.tn_sim_joint_wrench(self._c, self.model._find("joint", joint), entry(frames, frame, "frame"))
        return np.array([w.f.x, w.f.y, w.f.z, w.m.x, w.m.y, w.m.z])

    def energy(self) -> Energy:
        e = lib.tn_sim_energy(self._c)
        return Energy(e.kinetic, e.potential, e.elastic, e.total, e.work, e.lost)

    def accuracy(self) -> Accuracy:
        a = ffi.new("tn_accuracy *", lib.tn_sim_accuracy(self._c))
        figures = [lib.tn_accuracy_get_figure(a, k) for k in range(lib.tn_accuracy_figure_count())]
        sentence = ffi.new("char[]", lib.tn_accuracy_print(a, ffi.NULL, 0) + 1)
        lib.tn_accuracy_print(a, sentence, len(sentence))
        return Accuracy(text(lib.tn_verdict_word(a.verdict)), text(sentence),
                        {text(f.name): (f.worst, f.allowed) for f in figures}, a.exceeded_at, a.energy_made,
                        a.energy_faded, a.energy_turnover)

    def joint_error(self) -> float:
        """m or rad: the largest error of a hard row."""
        r = lib.tn_sim_residuals(self._c)
        return max(r.position, r.angle)

    # Placing it.

    def set_coordinates(self, values: Mapping[str, float]) -> None:
        """Sets coordinates together, loops closed, the branch kept; an Error, and nothing has changed,
        if one depends on others or is stopped by a limit."""
        requests = ffi.new("tn_coordinate_request[]", len(values))
        for request, (path, value) in zip(requests, values.items()):
            request.joint, request.coordinate = self.model._coordinate(path)
            request.value = value
        options = ffi.new("tn_coordinate_options *", lib.tn_default_coordinate_options())
        options.all_or_nothing = 1
        answers = ffi.new("tn_coordinate_answer[]", len(values))
        status = lib.tn_sim_set_coordinates(self._c, requests, len(values), options, answers, ffi.NULL)
        error = self._raised.take() or stopped(status)
        if error is not None:
            raise error
        if status != lib.TN_OK:
            told = [f"{path}: {text(lib.tn_coordinate_outcome_word(a.outcome))} at {a.value:g}"
                    for path, a in zip(values, answers) if a.outcome != lib.TN_COORDINATE_SET]
            raise Error("; ".join(told) or status_text(status), status_name(status))
        self._changed()

    def place(self, markers: Mapping[str, Sequence[float]],
              coordinates: Optional[Mapping[str, float]] = None, weight: float = 0.0) -> Dict[str, float]:
        """Inverse kinematics: brings markers to places (m, world), exactly, or as near as possible with a
        weight > 0. Returns how far each is from its place, m; Error: out of reach, nothing has changed."""
        coordinates = coordinates or {}
        wanted = ffi.new("tn_coordinate_request[]", len(coordinates))
        for request, (path, value) in zip(wanted, coordinates.items()):
            request.joint, request.coordinate = self.model._coordinate(path)
            request.value = value
        requests = ffi.new("tn_marker_request[]", len(markers))
        for i, (name, place) in enumerate(markers.items()):
            requests[i] = lib.tn_default_marker_request(self.model._find("marker", name))
            requests[i].position = vector(place, 3, f"the place of {name}")
            requests[i].weight = weight
        answers = ffi.new("tn_marker_answer[]", len(markers))
        status = lib.tn_sim_pose(self._c, wanted, len(coordinates), requests, len(markers), ffi.NULL,
                                 ffi.NULL, answers, ffi.NULL)
        error = self._raised.take() or stopped(status)
        if error is not None:
            raise error
        missing = {name: answer.distance for name, answer in zip(markers, answers)}
        if status != lib.TN_OK:
            near = ", ".join(f"'{name}' comes no nearer than {d:.3g} m" for name, d in missing.items())
            raise Error(f"{status_text(status)}: {near}", status_name(status))
        self._changed()
        return missing

    def assemble(self) -> None:
        """Closes the joints with the least movement."""
        self._check(lib.tn_sim_assemble(self._c, ffi.NULL), "the joints cannot be closed")
        self._changed()

    def check(self) -> "tenon._analysis.Analysis":
        """Model.check at the present pose."""
        from tenon._analysis import Analysis
        return Analysis(self.model, self)

    def __repr__(self) -> str:
        return f"<tenon.Simulation of '{self.model.name}' at {self.time:g} s>"
