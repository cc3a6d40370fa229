"""Vectors, matrices and names that calls are given: checked before C reads them."""

from typing import List, Mapping, Sequence

import numpy as np


def vector(values: Sequence[float], count: int, what: str) -> List[float]:
    """That many numbers as floats: C reads all of them. ValueError: there are others."""
    numbers = [float(value) for value in values]
    if len(numbers) != count:
        raise ValueError(f"{what} needs {count} numbers, got {len(numbers)}")
    return numbers


def square(values, count: int, what: str) -> List[float]:
    """The entries of a square matrix, row by row. ValueError: it has another shape."""
    matrix = np.asarray(values, float)
    if matrix.shape != (count, count):
        raise ValueError(f"{what} needs {count} x {count} numbers, got "
                         + (" x ".join(map(str, matrix.shape)) or "one"))
    return matrix.ravel().tolist()


def listed(names, most: int = 20) -> str:
    """Names for a message, the first ones if there are many."""
    found = [str(name) for name in names]
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more if found else "none"


def entry(entries: Mapping, name: str, kind: str):
    """What a mapping has under a name. KeyError: it names those that there are."""
    if name not in entries:
        raise KeyError(f"there is no {kind} '{name}'; there are {listed(entries)}")
    return entries[name]
