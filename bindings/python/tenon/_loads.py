"""Loads that a program computes: at every stage of every step, from where everything is there."""

from typing import Callable, Dict, Optional, Sequence

import numpy as np

from tenon._errors import Raised, late
from tenon._library import ffi, lib
from tenon._numbers import square, vector


class Stage:
    """A moment at which the engine asks for loads; it may be a trial that is thrown away. Only valid
    within the callback."""

    __slots__ = ("_c", "_model", "_bodies", "_paths")

    def __init__(self, model):
        self._c, self._model = None, model
        self._bodies: Dict[str, object] = {}
        self._paths: Dict[str, tuple] = {}

    def _body(self, name: str):
        if name not in self._bodies:
            self._bodies[name] = self._model._find("body", name)
        return self._bodies[name]

    def _coordinate(self, path: str):
        if path not in self._paths:
            joint, number = self._model._coordinate(path)
            self._paths[path] = joint, number, ffi.new("double[]", 2 * lib.TN_MAX_COORDINATES)
        return self._paths[path]

    @property
    def time(self) -> float:
        """s"""
        return lib.tn_stage_time(self._c)

    def pose(self, body: str) -> np.ndarray:
        """[7]: x, y, z (m), qw, qx, qy, qz."""
        t = lib.tn_stage_body_pose(self._c, self._body(body))
        return np.array([t.p.x, t.p.y, t.p.z, t.q.w, t.q.x, t.q.y, t.q.z])

    def velocity(self, body: str) -> np.ndarray:
        """[6]: m/s at the body's origin, rad/s, world axes."""
        t = lib.tn_stage_body_velocity(self._c, self._body(body))
        return np.array([t.v.x, t.v.y, t.v.z, t.w.x, t.w.y, t.w.z])

    def coordinate(self, path: str):
        """(value, speed) of a coordinate: rad or m, and per second."""
        joint, number, block = self._coordinate(path)
        lib.tn_stage_coordinates(self._c, joint, block, block + lib.TN_MAX_COORDINATES)
        return block[number], block[lib.TN_MAX_COORDINATES + number]

    def add_wrench(self, body: str, wrench: Sequence[float]) -> None:
        """[6] N, N m on a body, world axes, about its origin."""
        f = vector(wrench, 6, f"a wrench on {body}")
        lib.tn_stage_add_wrench(self._c, self._body(body), {"f": f[:3], "m": f[3:]})

    def add_effort(self, path: str, effort: float) -> None:
        """N or N m along a coordinate."""
        joint, number, _ = self._coordinate(path)
        if joint.i >= lib.TN_COUPLING_JOINTS:
            raise ValueError(f"an effort on {path}: it is the value of a coupling; efforts act along coordinates of joints")
        lib.tn_stage_add_effort(self._c, joint, number, float(effort))

    def add_derivatives(self, body: str, stiffness=None, damping=None) -> None:
        """[6][6] each: minus the derivatives of the wrench by the body's displacement and velocity."""
        blocks = [ffi.NULL if m is None else ffi.new("double[36]", square(m, 6, f"a derivative on {body}"))
                  for m in (stiffness, damping)]
        lib.tn_stage_add_derivatives(self._c, self._body(body), *blocks)


Loads = Callable[[Stage], None]


class Computed:
    """A callback with its stage, and where what it raises is kept."""

    def __init__(self, model, function: Loads, raised: Raised):
        self.stage, self.function, self.raised = Stage(model), function, raised
        self.handle = ffi.new_handle(self)


@ffi.def_extern(onerror=late)
def tenon_loads(context, stage):
    """An exception of the Python function leaves a load that is no number, which the step refuses."""
    computed = ffi.from_handle(context)
    computed.stage._c = stage
    try:
        if computed.raised.error is None:
            computed.function(computed.stage)
    except BaseException as error:  # to be raised where the step was asked for
        computed.raised.keep(error)
    finally:
        computed.stage._c = None
    if computed.raised.error is not None and computed.stage._model.bodies:
        nothing = [float("nan")] * 3
        for i in range(len(computed.stage._model.bodies)):
            lib.tn_stage_add_wrench(stage, {"i": i, "of": 0}, {"f": nothing, "m": nothing})
