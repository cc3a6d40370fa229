"""What a run recorded: arrays by the names of columns."""

import os
from typing import Dict, List, Union

import numpy as np

from tenon._files import written
from tenon._numbers import listed


class Recording:
    """Rows of numbers at times.

    t: s, [frames]; columns: names; data: [frames][columns]; recording["crank.theta"]: [frames], a view.
    statistics: what the run met: steps, halvings, fallbacks, worst errors ...
    """

    def __init__(self, columns: List[str], data: np.ndarray, statistics: Dict[str, float]):
        self.columns = columns
        self.data = data
        self.statistics = statistics
        self._index = {name: i for i, name in enumerate(columns)}

    @property
    def t(self) -> np.ndarray:
        return self["t"]

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def __getitem__(self, name: str) -> np.ndarray:
        """A column, or [frames][n] of all columns 'name.x', 'name.y' ... of one thing."""
        if name in self._index:
            return self.data[:, self._index[name]]
        inside = [i for i, column in enumerate(self.columns) if column.startswith(name + ".")]
        if inside and inside == list(range(inside[0], inside[-1] + 1)):
            return self.data[:, inside[0]:inside[-1] + 1]
        if inside:  # multipliers stand behind all others: a copy
            return self.data[:, inside]
        import difflib
        near = difflib.get_close_matches(name, self.columns, 3, 0.5)
        raise KeyError(f"nothing called '{name}' was recorded; "
                       + (f"did you mean {' or '.join(near)}? " if near else "")
                       + f"there are {listed(self.columns)}")

    def keys(self) -> List[str]:
        return list(self.columns)

    def to_dataframe(self):
        """A pandas.DataFrame indexed by time."""
        import pandas
        return pandas.DataFrame(self.data[:, 1:], columns=self.columns[1:],
                                index=pandas.Index(self.t, name="t"))

    def to_csv(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """One header line, then 17 significant digits."""
        with written(path) as file:
            np.savetxt(file, self.data, "%.17g", ",", header=",".join(self.columns), comments="")

    def __repr__(self) -> str:
        if not len(self):
            return "<tenon.Recording: empty>"
        return (f"<tenon.Recording: {len(self)} frames from {self.t[0]:g} to {self.t[-1]:g} s, "
                f"{len(self.columns)} columns>")
