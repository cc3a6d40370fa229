"""What is overconstrained in a mechanism."""

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from tenon._errors import check, text
from tenon._library import ffi, lib
from tenon._numbers import entry

_KINDS = {lib.TN_REDUNDANCY_PERMANENT: "permanent", lib.TN_REDUNDANCY_MOMENTARY: "momentary",
          lib.TN_REDUNDANCY_CONFLICT: "conflict"}


@dataclass(frozen=True)
class DependentRow:
    """A row (joint, name) that repeats others: terms (joint, row, coefficient). kind: 'permanent',
    'momentary' (at this pose only) or 'conflict' (it cannot close; residual in m or rad)."""

    joint: str
    row: str
    kind: str
    residual: float
    terms: Tuple[Tuple[str, str, float], ...]


class Analysis:
    """degrees_of_freedom, gruebler, rows, rank, redundant, permanent, momentary; unclear: the count may be
    wrong; loops: names of the joints of each; dependent: rows that repeat others; unique(joint): which of
    fx fy fz mx my mz, in frame C, are determined; friction_not_unique: coordinates, 'joint.coordinate', whose friction
    goes by forces that are not, so that motion is one of many; break_not_unique: joints and couplings whose load is compared
    with a break_force or break_torque and is not."""

    def __init__(self, model, sim):
        c = ffi.new("tn_analysis *")
        status = (lib.tn_model_analyze(model._c, ffi.NULL, c) if sim is None
                  else lib.tn_sim_analyze(sim._c, ffi.NULL, c))
        check(status, "the analysis")
        try:
            self._take(model, c)
        finally:
            lib.tn_analysis_free(c)

    def _take(self, model, c) -> None:
        names = model.joints + model.couplings
        self.degrees_of_freedom: int = c.dof
        self.gruebler: int = c.gruebler
        self.rows: int = c.rows
        self.rank: int = c.rank
        self.redundant: int = c.redundant
        self.permanent: int = c.permanent
        self.momentary: int = c.momentary
        self.unclear: bool = bool(c.unclear)
        self.loops: List[List[str]] = [
            [self._name(model, c.loops[i].joints[k]) for k in range(c.loops[i].count)]
            for i in range(c.loop_count)]
        self.dependent: List[DependentRow] = [
            self._row(model, c.dependents[i]) for i in range(c.dependent_count)]
        self._unique = {name: c.joints[i].wrench for i, name in enumerate(names)}
        self.friction_not_unique: List[str] = [
            f"{name}.{coordinate}" for i, name in enumerate(model.joints)
            for k, coordinate in enumerate(model.coordinates(name)) if not c.joints[i].friction >> k & 1]

        self.break_not_unique: List[str] = [
            name for i, name in enumerate(names) if c.joints[i].breaks & 3 != 3]

    @staticmethod
    def _name(model, joint) -> str:
        return text(lib.tn_model_joint_name(model._c, joint))

    @staticmethod
    def _row_name(model, joint, row: int) -> Optional[str]:
        if joint.i >= len(model.joints):
            return "value"
        return text(lib.tn_model_joint_info(model._c, joint).rows[row].name)

    def _row(self, model, d) -> DependentRow:
        terms = tuple((self._name(model, t.joint), self._row_name(model, t.joint, t.row), t.coefficient)
                      for t in (d.terms[k] for k in range(d.term_count)))
        return DependentRow(self._name(model, d.joint), self._row_name(model, d.joint, d.row),
                            _KINDS[d.kind], d.residual, terms)

    def unique(self, joint: str) -> np.ndarray:
        """[6] bool"""
        return np.array([entry(self._unique, joint, "joint") >> k & 1 for k in range(6)], dtype=bool)

    def __repr__(self) -> str:
        return (f"<tenon.Analysis: {self.degrees_of_freedom} degrees of freedom, {self.rows} rows of rank "
                f"{self.rank}>")
