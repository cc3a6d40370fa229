"""Functions of time or of a coordinate: those that Tenon has, and any of Python's."""

from dataclasses import dataclass
from typing import Callable, List, Sequence, Tuple, Union

from tenon._errors import Raised, encoded, late
from tenon._library import ffi, lib
from tenon._numbers import vector


def _flat(points: Sequence[Tuple[float, float]]) -> List[float]:
    """x and y of all points, in a row."""
    return [number for point in points for number in vector(point, 2, "a point of a table or spline")]


@dataclass(frozen=True)
class Polynomial:
    """c0 + c1 x + c2 x^2 + ..."""

    coefficients: Sequence[float]

    def _numbers(self):
        return "polynomial", list(self.coefficients)


@dataclass(frozen=True)
class Sine:
    """offset + amplitude sin(rate x + phase); rate in rad per unit of x, phase in rad."""

    amplitude: float
    rate: float
    phase: float = 0.0
    offset: float = 0.0

    def _numbers(self):
        return "sine", [self.amplitude, self.rate, self.phase, self.offset]


@dataclass(frozen=True)
class Step:
    """From y0 at x0 smoothly to y1 at x1."""

    x0: float
    y0: float
    x1: float
    y1: float

    def _numbers(self):
        return "step", [self.x0, self.y0, self.x1, self.y1]


@dataclass(frozen=True)
class Table:
    """Straight lines between points (x, y)."""

    points: Sequence[Tuple[float, float]]

    def _numbers(self):
        return "table", _flat(self.points)


@dataclass(frozen=True)
class Spline:
    """A natural cubic spline through points (x, y)."""

    points: Sequence[Tuple[float, float]]

    def _numbers(self):
        return "spline", _flat(self.points)


@dataclass(frozen=True)
class Formula:
    """A formula of t, the time, or of x, a coordinate, in SI units and rad: Formula("10*sin(4*pi*t)*exp(-t)")."""

    text: str


Function = Union[float, Polynomial, Sine, Step, Table, Spline, Formula,
                 Callable[[float], Tuple[float, float, float]]]


class Called:
    """A function of Python that C calls, and where what it raises is kept."""

    def __init__(self, function, raised: Raised):
        self.function, self.raised = function, raised

    def __call__(self, x, out):
        out[0] = out[1] = out[2] = float("nan")
        if self.raised.error is not None:
            return
        try:
            out[0], out[1], out[2] = vector(self.function(x), 3, "a function's value with two derivatives")
        except BaseException as error:  # to be raised where the call was made
            self.raised.keep(error)


@ffi.def_extern(onerror=late)
def tenon_function(context, x, out):
    """An exception of the Python function leaves NaN, which the step refuses."""
    ffi.from_handle(context)(x, out)


def definition(function: Function, keep: list, raised: Raised):
    """The tn_function_def of a function; what it points to is appended to keep."""
    c = ffi.new("tn_function_def *")
    if callable(function):
        handle = ffi.new_handle(Called(function, raised))
        c.kind, c.callback, c.context = lib.TN_FUNCTION_CALLBACK, lib.tenon_function, handle
        keep.append(handle)
        return c
    if isinstance(function, Formula):
        text = ffi.new("char[]", encoded(function.text))
        c.kind, c.formula = lib.TN_FUNCTION_FORMULA, text
        keep.append(text)
        return c
    kind, numbers = (function._numbers() if hasattr(function, "_numbers")
                     else ("constant", [float(function)]))
    found = ffi.new("tn_function_kind *")
    assert lib.tn_function_kind_find(kind.encode(), found) == lib.TN_OK
    block = ffi.new("double[]", numbers)
    c.kind, c.numbers, c.count = found[0], block, len(numbers)
    keep.append(block)
    return c
