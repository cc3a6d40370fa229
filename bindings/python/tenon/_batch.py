"""Many simulations stepped together, by threads of C."""

import os
from typing import List, Optional, Sequence, Union

import numpy as np

from tenon._errors import Diagnostics, Error, check, listen, status_name, status_text
from tenon._library import ffi, lib
from tenon._model import Model


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch:
    """count simulations of one model, or one of each of a list of models that differ in numbers only.

    What goes in and comes out is flat: [count][width]. Each result is bit-identical to the same
    simulation run alone, whatever the number of threads. A member that fails stays where it was, and the others go on: see
    failed. coordinates: their names, in the order of the columns.
    """

    __slots__ = ("count", "models", "coordinates", "_c", "_status", "__weakref__")

    def __init__(self, models: Union[Model, Sequence[Model]], count: Optional[int] = None,
                 threads: Optional[int] = None):
        listed = [models] if isinstance(models, Model) else list(models)
        self.count = int(count) if count is not None else len(listed)
        if not 1 <= self.count < 2**31 or not listed:
            raise Error(f"{self.count} simulations of {len(listed)} models: {status_text(lib.TN_ERROR_ARGUMENT)}",
                        status_name(lib.TN_ERROR_ARGUMENT))
        listen()
        self.models: List[Model] = listed
        self.coordinates = [f"{joint}.{name}" for joint in listed[0].joints
                            for name in listed[0].coordinates(joint)]
        pointers, out = ffi.new("tn_model *[]", [m._c for m in listed]), ffi.new("tn_batch **")
        with Diagnostics() as problems:
            problems.check(lib.tn_batch_create(ffi.cast("tn_model **", pointers), len(listed), self.count,
                                               ffi.NULL, threads or _cores(), problems.c, out))
        self._c = ffi.gc(out[0], lib.tn_batch_destroy)
        self._status = np.zeros(self.count, np.int32)

    @property
    def threads(self) -> int:
        return lib.tn_batch_threads(self._c)

    def _codes(self):
        return ffi.cast("tn_status *", ffi.from_buffer(self._status))

    def _numbers(self, values, what: str):
        """[count][coordinates], a row for all, or one number."""
        if values is None:
            return None, ffi.NULL
        shape = self.count, len(self.coordinates)
        array = np.asarray(values, float)
        if array.shape not in (shape, shape[1:], ()):
            raise Error(f"{what} are {list(array.shape)} numbers, not {list(shape)} or a row of {shape[1]}",
                        status_name(lib.TN_ERROR_ARGUMENT))
        array = np.ascontiguousarray(np.broadcast_to(array, shape))
        return array, ffi.from_buffer("double[]", array)

    def step(self, h: float, steps: int = 1, efforts=None) -> bool:
        """Takes steps of h seconds with all that have not failed; efforts [count][coordinates] (N, N m)
        act during all of them. True: none has failed. Error: of no such steps, and nothing has changed."""
        if not 0.0 < h < float("inf") or not 0 <= steps <= lib.TN_MOST_STEPS:
            raise Error(f"{steps} steps of {h} s: {status_text(lib.TN_ERROR_ARGUMENT)}",
                        status_name(lib.TN_ERROR_ARGUMENT))
        kept, numbers = self._numbers(efforts, "efforts")
        return self._answer(lib.tn_batch_step(self._c, h, steps, numbers, self._codes()))

    def _answer(self, status: int) -> bool:
        """Has no member failed? What refuses or ends the whole call is raised."""
        if status != lib.TN_OK and not self._status.any():
            check(status, "the batch")
        return status == lib.TN_OK

    @property
    def failed(self) -> dict:
        """Why, by number of the member."""
        return {int(i): status_name(int(self._status[i])) for i in np.nonzero(self._status)[0]}

    def _get(self, row: int, *shape: int) -> np.ndarray:
        out = np.empty((self.count, lib.tn_batch_width(self._c, row)))
        lib.tn_batch_get(self._c, row, ffi.from_buffer("double[]", out))
        return out.reshape(self.count, *shape) if shape else out

    def poses(self) -> np.ndarray:
        """[count][bodies][7]: x, y, z (m), qw, qx, qy, qz."""
        return self._get(lib.TN_BATCH_POSES, -1, 7)

    def velocities(self) -> np.ndarray:
        """[count][bodies][6]: m/s of the origins, rad/s, world axes."""
        return self._get(lib.TN_BATCH_VELOCITIES, -1, 6)

    def values(self) -> np.ndarray:
        """[count][coordinates] rad, m."""
        return self._get(lib.TN_BATCH_COORDINATES)

    def speeds(self) -> np.ndarray:
        """[count][coordinates] rad/s, m/s."""
        return self._get(lib.TN_BATCH_SPEEDS)

    def times(self) -> np.ndarray:
        """[count] s."""
        return self._get(lib.TN_BATCH_TIMES)[:, 0]

    def place(self, values=None, speeds=None) -> bool:
        """Sets coordinates and then speeds, each [count][coordinates]: loops follow. True: all could."""
        kept, numbers = self._numbers(values, "values")
        also, rates = self._numbers(speeds, "speeds")
        return self._answer(lib.tn_batch_place(self._c, numbers, rates, self._codes()))

    def reset(self, which=None) -> None:
        """Back to the start: those marked, [count] of bool, or all. Error: other marks, and nothing has changed."""
        marks = None
        if which is not None:
            given = np.asarray(which)
            if given.shape != (self.count,) or given.dtype.kind not in "bui":
                raise Error(f"marks are {list(given.shape)} of {given.dtype}, not [{self.count}] of bool",
                            status_name(lib.TN_ERROR_ARGUMENT))
            marks = np.ascontiguousarray(given != 0).view(np.uint8)
        lib.tn_batch_reset(self._c, ffi.NULL if marks is None else
                           ffi.from_buffer("unsigned char[]", marks))
        self._status[...] = 0 if marks is None else np.where(marks != 0, 0, self._status)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<tenon.Batch: {self.count} of '{self.models[0].name}', {self.threads} threads>"
