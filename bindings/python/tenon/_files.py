"""Files of Python are written by the writer of the library (src/file/output.h)."""

import contextlib
import os
from typing import IO, Any, Iterator

from tenon._errors import path_bytes, text
from tenon._library import ffi, lib


def _problem(path) -> OSError:
    reason = ffi.errno
    return OSError(reason, text(lib.tn_output_problem(reason)), os.fspath(path))


@contextlib.contextmanager
def written(path, binary: bool = False) -> Iterator[IO[Any]]:
    """A file of text, or of bytes, that appears at `path` when the block ends well; what was there stays otherwise. A device or a
    pipe is written where it is. OSError: it cannot be written, or another run is writing it."""
    name = path_bytes(path)
    output = lib.tn_output_open(b"./-" if name == b"-" else name)  # "-" is standard output there
    if output == ffi.NULL:
        raise _problem(path)
    try:
        descriptor = lib.tn_output_descriptor(output)
        if descriptor < 0:
            raise _problem(path)
        how = {} if binary else {"encoding": "utf-8", "newline": ""}
        with open(descriptor, "wb" if binary else "w", **how) as file:
            yield file
    except BaseException:
        lib.tn_output_drop(output)
        raise
    if lib.tn_output_settle(output) != 0:
        raise _problem(path)
