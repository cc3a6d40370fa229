"""Files of Python, written as those of the library (src/file/output.h): beside their place, moved there when whole."""

import contextlib
import fcntl
import os
import secrets
from typing import Iterator, TextIO

from tenon._errors import path_bytes


@contextlib.contextmanager
def written(path) -> Iterator[TextIO]:
    """A text file that appears at `path` when the block ends well; what was there stays otherwise. A device or a
    pipe is written where it is."""
    target = os.fsdecode(path_bytes(path))
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "w", encoding="utf-8", newline="") as file:
            yield file
        return
    target = os.path.realpath(target) if os.path.islink(target) else target
    beside = os.path.join(os.path.dirname(target), f"{os.path.basename(target)[:200]}.{secrets.token_hex(4)}.part")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
            file.flush()
            if os.path.exists(target):
                os.fchmod(descriptor, os.stat(target).st_mode & 0o7777)
            os.fsync(descriptor)
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise
