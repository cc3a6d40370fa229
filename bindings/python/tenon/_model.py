"""A compiled mechanism: immutable, shareable between threads."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple, Union

from tenon._errors import Diagnostic, Diagnostics, check, encoded, listen, path_bytes, text
from tenon._files import written
from tenon._library import ffi, lib
from tenon._numbers import listed


@dataclass(frozen=True)
class JointType:
    """An entry of the catalogue of joints."""

    name: str
    summary: str
    coordinates: Tuple[str, ...]
    degrees_of_freedom: int


def joint_types() -> Dict[str, JointType]:
    """The catalogue, by name."""
    types = {}
    for i in range(lib.tn_joint_type_count()):
        info = lib.tn_joint_type_get({"i": i})
        names = tuple(text(info.coordinates[k].name) for k in range(info.coordinate_count))
        types[text(info.name)] = JointType(text(info.name), text(info.summary), names, info.dof)
    return types


def _settings(values: Optional[Mapping], keep: list):
    """The values of parameters as tn_setting[], and how many."""
    entries = []
    for name, value in (values or {}).items():
        strings = [ffi.new("char[]", encoded(str(part))) for part in
                   (name, value if isinstance(value, str) else repr(float(value)))]
        keep += strings
        entries.append({"name": strings[0], "value": strings[1]})
    return ffi.new("tn_setting[]", entries), len(entries)


def load(path: Union[str, "os.PathLike[str]"], set: Optional[Mapping] = None) -> "Model":
    """The model of a file. set: other values for its parameters, numbers in SI units and rad, or texts
    such as "350 mm". ModelError: what is wrong with it."""
    keep: list = []
    settings, count = _settings(set, keep)
    listen()
    with Diagnostics() as problems:
        spec = ffi.new("tn_spec **")
        problems.check(lib.tn_spec_read_file_with(path_bytes(path), settings, count, problems.c, spec))
        return Model(ffi.gc(spec[0], lib.tn_spec_destroy), problems)


def allow(folder: Union[str, "os.PathLike[str]", None]) -> None:
    """Lets models and studies that are read later name files below this folder too, not only below their
    own and its package (docs/reference/import.md). None: none again."""
    check(lib.tn_allow_path(ffi.NULL if folder is None else os.fsencode(folder)), f"there is no folder {folder}")


def loads(model: str, name: str = "model", set: Optional[Mapping] = None) -> "Model":
    """The model of a text as in model files; name stands for the file in messages."""
    data = model.encode()
    keep: list = []
    settings, count = _settings(set, keep)
    listen()
    with Diagnostics() as problems:
        spec = ffi.new("tn_spec **")
        problems.check(lib.tn_spec_read_string_with(data, len(data), encoded(name), settings, count,
                                                    problems.c, spec))
        return Model(ffi.gc(spec[0], lib.tn_spec_destroy), problems)


def tool() -> Path:
    """The command line tool: the package's own, or that of $TENON."""
    return Path(os.environ.get("TENON") or Path(__file__).parent / "bin" / "tenon")


class Model:
    """A compiled mechanism. Made by tenon.load, tenon.loads or Builder.compile.

    name, bodies, joints, couplings, markers: names in order of ids; messages: notes and warnings.
    """

    __slots__ = ("name", "bodies", "joints", "couplings", "markers", "messages", "_spec", "_c", "__weakref__")

    def __init__(self, spec, problems: Diagnostics):
        out = ffi.new("tn_model **")
        self.messages: List[Diagnostic] = problems.check(
            lib.tn_model_compile(spec, problems.c, out))
        self._spec = spec
        self._c = ffi.gc(out[0], lib.tn_model_destroy)
        size = lib.tn_model_get_size(self._c)
        self.name: str = text(lib.tn_model_name(self._c))

        def names(of, count):
            return [text(of(self._c, {"i": i, "of": 0})) for i in range(count)]

        self.bodies: List[str] = names(lib.tn_model_body_name, size.bodies)
        self.joints: List[str] = names(lib.tn_model_joint_name, size.joints)
        self.couplings: List[str] = names(lib.tn_model_coupling_name, size.couplings)
        self.markers: List[str] = names(lib.tn_model_marker_name, size.markers)

    def __repr__(self) -> str:
        return (f"<tenon.Model '{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints, "
                f"{len(self.couplings)} couplings>")

    # Ids by name.

    def _find(self, kind: str, name: str):
        out = ffi.new(f"tn_{kind} *")
        find = getattr(lib, f"tn_model_find_{kind}")
        if find(self._c, encoded(name), out) != lib.TN_OK:
            plural = {"body": self.bodies, "joint": self.joints, "marker": self.markers,
                      "coupling": self.couplings}[kind]
            raise KeyError(f"there is no {kind} '{name}'; there are {listed(plural)}")
        return out[0]

    def coordinates(self, joint: str) -> Tuple[str, ...]:
        """The names of a joint's coordinates."""
        info = lib.tn_model_joint_info(self._c, self._find("joint", joint))
        return tuple(text(info.coordinates[k].name) for k in range(info.coordinate_count))

    def _coordinate(self, path: str):
        """(tn_joint, number) of 'joint.coordinate', 'joint' if it has one only, or a coupling."""
        encoded(path)
        joint, _, name = path.rpartition(".")
        if joint in self.joints:
            number = ffi.new("int32_t *")
            found = self._find("joint", joint)
            if lib.tn_model_find_coordinate(self._c, found, encoded(name), number) == lib.TN_OK:
                return found, number[0]
            raise KeyError(f"joint '{joint}' has no coordinate '{name}'; it has "
                           f"{', '.join(self.coordinates(joint)) or 'none'}")
        if path in self.couplings or (name == "value" and joint in self.couplings):
            coupling = self._find("coupling", joint if name == "value" and joint else path)
            return lib.tn_model_coupling_joint(self._c, coupling), 0
        found = self._find("joint", path)
        if len(self.coordinates(path)) != 1:
            raise KeyError(f"joint '{path}' has the coordinates {', '.join(self.coordinates(path))}: say which"
                           if self.coordinates(path) else f"joint '{path}' has no coordinate: it holds its bodies rigidly")
        return found, 0

    # What can be done with it.

    def simulation(self, **options) -> "tenon._simulation.Simulation":
        """A simulation at the model's initial state; options: see Simulation."""
        from tenon._simulation import Simulation
        return Simulation(self, **options)

    def run(self, duration: Optional[float] = None, step: Optional[float] = None,
            every: Optional[float] = None, **options) -> "tenon._recording.Recording":
        """Simulates from the start: s; what is not given is as in the model. See Simulation.run."""
        return self.simulation(**options).run(duration, step, every)

    def batch(self, count: int, threads: Optional[int] = None) -> "tenon._batch.Batch":
        """That many simulations to be stepped together."""
        from tenon._batch import Batch
        return Batch(self, count, threads)

    def check(self) -> "tenon._analysis.Analysis":
        """Degrees of freedom, loops, rows that repeat others, at the initial pose."""
        from tenon._analysis import Analysis
        return Analysis(self, None)

    def text(self) -> str:
        """The model as the text of a model file that reads back to the same bits."""
        out = ffi.new("char **")
        with Diagnostics() as problems:
            problems.check(lib.tn_spec_write_string(self._spec, problems.c, out, ffi.NULL))
        try:
            return ffi.string(out[0]).decode()
        finally:
            lib.tn_text_free(out[0])

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes text() to a file, and beside it the meshes that it names, if they are not there."""
        sources = self._meshes(Path(path).parent)
        for target, source in sources.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(source, "rb") as mesh, written(target, binary=True) as copy:
                shutil.copyfileobj(mesh, copy)
        with Diagnostics() as problems:
            problems.check(lib.tn_spec_write_file(self._spec, path_bytes(path), problems.c))

    def _meshes(self, folder: Path) -> Dict[Path, Path]:
        """The meshes that a file of this model in a folder would miss, and where they are."""
        read = []
        while lib.tn_spec_source(self._spec, len(read)) != ffi.NULL:
            read.append(text(lib.tn_spec_source(self._spec, len(read))))
        missing = {}
        for i in range(lib.tn_spec_body_count(self._spec)):
            body = lib.tn_spec_body(self._spec, {"i": i, "of": 0})
            for k in range(body.shape_count if body != ffi.NULL else 0):
                name = text(body.shapes[k].file)
                if name is None:
                    continue
                source = next((Path(p) for p in read if p == name or p.endswith("/" + name)), Path(name))
                target = folder / name
                if target.exists() and source.exists() and target.read_bytes() == source.read_bytes():
                    continue
                if target.exists() or not source.exists():
                    check(lib.TN_ERROR_IO, f"{target} is not the mesh '{name}' of the model, which could not be read back")
                missing[target] = source
        return missing

    # How it looks.

    def _by_tool(self, command: str, option: str, suffix: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            model, picture = Path(folder, "model.yaml"), Path(folder, "picture" + suffix)
            self.save(model)
            done = subprocess.run([str(tool()), command, str(model), option, str(picture)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                check(lib.TN_ERROR_UNSUPPORTED, done.stderr.strip() or f"tenon {command}")
            return picture.read_text(encoding="utf-8")

    def svg(self) -> str:
        """A picture of the initial pose."""
        return self._by_tool("draw", "--svg", ".svg")

    def html(self) -> str:
        """The page that runs it: one HTML document."""
        return self._by_tool("view", "--out", ".html")

    def _repr_html_(self) -> str:
        import html
        try:
            page = html.escape(self.html(), quote=True)
            return (f'<iframe srcdoc="{page}" title="{html.escape(self.name)}" width="100%" '
                    'height="520" sandbox="allow-scripts" style="border:0"></iframe>')
        except Exception:  # a tool without pages
            return self.svg()
