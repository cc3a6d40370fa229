"""Models built in code: the sections of a model file, with names."""

import json
import math
from typing import Any, Dict, Mapping, Optional

from tenon import _model


def _plain(value: Any) -> Any:
    """What JSON and YAML have a form for: arrays become lists, infinite numbers .inf."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return _Infinite(value)
    return value


class _Infinite(float):
    """A float that is written as YAML has it."""

    def __repr__(self):
        return ".nan" if math.isnan(self) else (".inf" if self > 0 else "-.inf")


class _Encoder(json.JSONEncoder):
    """JSON, one entry a line down to the entries of sections: problems then point at one of them."""

    def iterencode(self, value, _one_shot=False):
        def write(entry, depth):
            if isinstance(entry, dict) and entry and depth < 2:
                inside = ",\n".join(" " * depth + f"{json.dumps(key)}: " + write(item, depth + 1)
                                    for key, item in entry.items())
                return "{\n" + inside + "}"
            if isinstance(entry, dict):
                return "{" + ", ".join(f"{json.dumps(key)}: " + write(item, depth + 1)
                                       for key, item in entry.items()) + "}"
            if isinstance(entry, list):
                return "[" + ", ".join(write(item, depth + 1) for item in entry) + "]"
            return repr(entry) if isinstance(entry, _Infinite) else json.dumps(entry)

        yield write(value, 0)


def to_text(sections: Mapping) -> str:
    """The text of a model file of these sections."""
    return json.dumps(_plain(sections), cls=_Encoder)


class Builder:
    """A model being written: keywords are the keys of model files (`tenon schema`, docs), in the same
    units, checked when it is compiled.

        b = tenon.Builder("pendulum", gravity=[0, 0, -9.81])
        b.body("bar", mass=1.0, inertia=[1e-3, 1 / 12, 1 / 12], position=[0.5, 0, 0])
        b.joint("pin", "hinge", a="bar", origin=[0, 0, 0], axis=[0, 1, 0])
        model = b.compile()

    sections: the dict that is written; whatever has no call of its own can be put there.
    """

    __slots__ = ("sections", "__weakref__")

    def __init__(self, name: Optional[str] = None, **world: Any):
        self.sections: Dict[str, Any] = {"tenon": 1}
        if name is not None:
            self.sections["name"] = name
        self.sections.update(world)

    def _add(self, section: str, name: str, keys: Mapping) -> "Builder":
        entries = self.sections.setdefault(section, {})
        if name in entries:
            raise ValueError(f"there is already '{name}' in '{section}'")
        entries[name] = dict(keys)
        return self

    def body(self, name: str, **keys: Any) -> "Builder":
        return self._add("bodies", name, keys)

    def flexible(self, name: str, **keys: Any) -> "Builder":
        return self._add("flexible", name, keys)

    def joint(self, name: str, type: str, **keys: Any) -> "Builder":
        return self._add("joints", name, {"type": type, **keys})

    def marker(self, name: str, **keys: Any) -> "Builder":
        return self._add("markers", name, keys)

    def coupling(self, name: str, **keys: Any) -> "Builder":
        return self._add("couplings", name, keys)

    def material(self, name: str, **keys: Any) -> "Builder":
        return self._add("materials", name, keys)

    def load(self, name: str, **keys: Any) -> "Builder":
        return self._add("loads", name, keys)

    def measure(self, name: str, **keys: Any) -> "Builder":
        return self._add("measures", name, keys)

    def simulation(self, **keys: Any) -> "Builder":
        self.sections.setdefault("simulation", {}).update(keys)
        return self

    def record(self, **keys: Any) -> "Builder":
        self.sections.setdefault("record", {}).update(keys)
        return self

    def text(self) -> str:
        """The model as the text of a model file (JSON, which is YAML)."""
        return to_text(self.sections)

    def compile(self) -> "_model.Model":
        """The model; ModelError with all problems, placed in the lines of text()."""
        return _model.loads(self.text(), self.sections.get("name") or "model")
