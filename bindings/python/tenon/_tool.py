"""The command `tenon` of the wheel: the tool inside it."""

import os
import sys

from tenon._model import tool


def main() -> None:
    os.execv(tool(), ["tenon"] + sys.argv[1:])
