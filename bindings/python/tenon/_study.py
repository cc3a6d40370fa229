"""Studies: one model with many values of its parameters, from a study file (docs/howto/studies.md)."""

import operator
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Optional, Union

import numpy as np

from tenon._batch import _cores
from tenon._errors import Diagnostics, path_bytes, status_name, text
from tenon._library import ffi, lib
from tenon._numbers import entry, listed


def _numbered(names: List[str]) -> Dict[str, int]:
    return {name: i for i, name in enumerate(names)}


class Study:
    """A study read and checked. parameters, results: names of columns; units: theirs by name; len(study):
    how many cases there are."""

    __slots__ = ("parameters", "results", "units", "_c", "__weakref__")

    def __init__(self, path: Union[str, "os.PathLike[str]"]):
        out = ffi.new("tn_study **")
        with Diagnostics() as problems:
            problems.check(lib.tn_study_read_file(path_bytes(path), problems.c, out))
        self._c = ffi.gc(out[0], lib.tn_study_destroy)

        def columns(count, at):
            found = [at(self._c, i) for i in range(count(self._c))]
            return [(text(c.name), text(c.unit)) for c in found]

        of_parameters = columns(lib.tn_study_parameter_count, lib.tn_study_parameter)
        of_results = columns(lib.tn_study_result_count, lib.tn_study_result)
        self.parameters: List[str] = [name for name, _ in of_parameters]
        self.results: List[str] = [name for name, _ in of_results]
        self.units: Dict[str, str] = dict(of_parameters + of_results)

    def __len__(self) -> int:
        return lib.tn_study_case_count(self._c)

    def values(self) -> np.ndarray:
        """[cases][parameters], SI and rad."""
        out = np.empty((len(self), len(self.parameters)))
        for i in range(len(self)):
            lib.tn_study_values(self._c, i, ffi.from_buffer("double[]", out[i]))
        return out

    def run(self, threads: Optional[int] = None) -> "StudyTable":
        """Runs all cases, by as many threads as there are cores."""
        threads = _cores() if threads is None else operator.index(threads)
        results = np.empty((len(self), len(self.results)))
        status = np.zeros(len(self), np.int32)
        messages: Dict[int, str] = {}

        stop = ffi.new("int *")

        def case(i: int) -> None:
            if stop[0]:
                return
            lib.tenon_stop_by(stop)
            message = ffi.new("char[]", lib.TN_STUDY_MESSAGE)
            status[i] = lib.tn_study_run_case(self._c, i, ffi.from_buffer("double[]", results[i]), message)
            if status[i] != lib.TN_OK:
                messages[i] = ffi.string(message).decode()

        with ThreadPoolExecutor(threads) as crew:
            try:
                for _ in crew.map(case, range(len(self)), chunksize=1):
                    pass
            finally:
                stop[0] = 1  # an exception, of a signal say, ends the cases that are at work
        return StudyTable(self, self.values(), results, status, messages)

    def __repr__(self) -> str:
        return f"<tenon.Study: {len(self)} cases of {', '.join(self.parameters) or 'no parameters'}>"


class StudyTable:
    """What came of a study: table["tip.x.max"] is a column, [cases]; failures: messages by case."""

    def __init__(self, study: Study, values, results, status, messages: Dict[int, str]):
        self.study, self.values, self.results, self.status = study, values, results, status
        self.failures = {i: messages[i] for i in sorted(messages)}

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.study.parameters:
            return self.values[:, self.study.parameters.index(name)]
        if name in self.study.results:
            return self.results[:, self.study.results.index(name)]
        raise KeyError(f"the study has no '{name}'; it has {listed(self.study.parameters + self.study.results)}")

    def __len__(self) -> int:
        return len(self.study)

    def indices(self, result: str, parameter: str) -> Dict[str, float]:
        """Sobol's indices of a study with `indices: true`: the share of the result's variance that the parameter
        makes alone ("first") and with all others ("total"), and their standard errors."""
        c = ffi.new("tn_study_indices *")
        at = (entry(_numbered(self.study.results), result, "result"),
              entry(_numbered(self.study.parameters), parameter, "parameter"))
        status = np.ascontiguousarray(self.status, dtype=np.int32)
        results = np.ascontiguousarray(self.results)
        table = ffi.new("tn_study_table *", {"study": self.study._c, "results": ffi.from_buffer("double[]", results),
                                             "status": ffi.from_buffer("int32_t[]", status)})
        if lib.tn_study_indices_of(table, *at, c) != 0:
            raise ValueError("the study has no indices: it needs `indices: true`")
        return {name: getattr(c, name) for name in ("first", "total", "first_error", "total_error")}

    def to_dataframe(self):
        """A pandas.DataFrame, a row for each case."""
        import pandas
        data = {name: self[name] for name in self.study.parameters + self.study.results}
        return pandas.DataFrame({**data, "status": [status_name(int(s)) for s in self.status]})

    def __repr__(self) -> str:
        return f"<tenon.StudyTable: {len(self)} cases, {len(self.failures)} failed>"
