"""What goes wrong: problems of models with their places, steps that fail with their culprits."""

import os
import threading
from dataclasses import dataclass
from typing import List, Optional

from tenon._library import ffi, lib

_WORDS = {lib.TN_NOTE: "note", lib.TN_WARNING: "warning", lib.TN_ERROR: "error"}


def text(pointer) -> Optional[str]:
    """A C string, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode()


def encoded(name: str) -> bytes:
    """A name or text for C, which would end it at a NUL."""
    if not isinstance(name, str):
        raise TypeError(f"a name is a str, not {name!r}")
    if "\0" in name:
        raise ValueError(f"{name!r} has a NUL in it")
    return name.encode()


def path_bytes(path) -> bytes:
    """Of a file; ValueError: there is a NUL in it, which C would end it at."""
    found = os.fsencode(path)
    if b"\0" in found:
        raise ValueError(f"{path!r} has a NUL in it")
    return found


def status_text(status: int) -> str:
    return text(lib.tn_status_text(status))


@dataclass(frozen=True)
class Diagnostic:
    """One problem or note: severity is 'error', 'warning' or 'note'; line and column count from 1, 0 is
    unknown."""

    severity: str
    message: str
    hint: Optional[str] = None
    file: Optional[str] = None
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{place}{': ' if place else ''}{self.severity}: {self.message}{hint}"


class Error(Exception):
    """Whatever Tenon refuses; status is the name of its tn_status, without 'TN_ERROR_'."""

    def __init__(self, message: str, status: str = ""):
        super().__init__(message)
        self.status = status


class ModelError(Error):
    """A model or request that is wrong. diagnostics: all problems found, in the order of the text."""

    def __init__(self, message: str, status: str, diagnostics: List[Diagnostic]):
        lines = [str(d) for d in diagnostics if d.severity == "error"] or [message]
        super().__init__("\n".join(lines), status)
        self.diagnostics = diagnostics


class StepError(Error):
    """A step that failed: the simulation is as before it.

    report: the StepReport; time: s, where the simulation stands; culprit: name of the joint or body, or
    None; recording: what was recorded before, of Model.run and Simulation.run.
    """

    def __init__(self, message: str, status: str, report, time: float, culprit: Optional[str]):
        super().__init__(message, status)
        self.report, self.time, self.culprit = report, time, culprit
        self.recording = None


def status_name(status: int) -> str:
    names = ffi.typeof("tn_status").elements
    return names.get(status, str(status)).replace("TN_ERROR_", "").lower()


_interrupts: List[BaseException] = []  # raised by handlers of signals within a call


def late(kind, error, trace) -> None:
    """What a handler raised as C called a function of Python, before the first line of that."""
    _interrupts.append(error)


@ffi.def_extern(error=1, onerror=late)
def tenon_interrupted():
    """Python runs the handlers of signals as it comes here: what one raises ends the call."""
    return 0


_listening = threading.local()


def listen() -> None:
    """The calls of this thread stop when something is raised within them. Signals are heard within those of the
    main thread, which alone handles them."""
    if not hasattr(_listening, "on"):
        lib.tenon_listen(threading.current_thread() is threading.main_thread())
        _listening.on = True


def stopped(status: int) -> Optional[BaseException]:
    """What a signal's handler raised within the call that ended so."""
    if status != lib.TN_ERROR_STOPPED:
        return None
    lib.tenon_go_on()
    return _interrupts.pop() if _interrupts else Error(status_text(status), status_name(status))


class Raised:
    """What a function of Python raised within a call of C: the call is stopped, and it is raised again when
    that has returned. Until then no function is called any more."""

    def __init__(self):
        self.error: Optional[BaseException] = None

    def keep(self, error: BaseException) -> None:
        self.error = error
        lib.tenon_stop()

    def take(self) -> Optional[BaseException]:
        if self.error is None and not _interrupts:
            return None
        lib.tenon_go_on()
        error, self.error = self.error, None
        return _interrupts.pop() if error is None else error


class Diagnostics:
    """A list of problems for C to fill, as a context."""

    def __enter__(self):
        self.c = ffi.gc(lib.tn_diagnostics_create(), lib.tn_diagnostics_destroy)
        if self.c == ffi.NULL:
            raise MemoryError
        return self

    def __exit__(self, *_):
        return False

    def all(self) -> List[Diagnostic]:
        found = []
        for i in range(lib.tn_diagnostics_count(self.c)):
            d = lib.tn_diagnostics_get(self.c, i)
            found.append(Diagnostic(_WORDS[d.severity], text(d.message), text(d.hint),
                                    text(d.at.file), d.at.line, d.at.column))
        return found

    def check(self, status: int) -> List[Diagnostic]:
        """The notes and warnings; raises unless status is TN_OK."""
        if status == lib.TN_ERROR_MEMORY:
            raise MemoryError
        if status == lib.TN_ERROR_STOPPED:
            raise stopped(status)
        if status != lib.TN_OK:
            raise ModelError(status_text(status), status_name(status), self.all())
        return self.all()


def check(status: int, what: str) -> None:
    """Raises an Error that begins with `what` unless status is TN_OK."""
    if status == lib.TN_ERROR_MEMORY:
        raise MemoryError
    if status == lib.TN_ERROR_STOPPED:
        raise stopped(status)
    if status != lib.TN_OK:
        raise Error(f"{what}: {status_text(status)}", status_name(status))
