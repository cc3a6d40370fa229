#!/usr/bin/env python3
"""check_writers.py [ROOT]: every call that writes, moves or cuts a file is in room file, the one writer, or in the
list below with its reason. Prints those that are not, and entries of the list without such a call.

Files of the libraries, the tool, the Python package, the engine and page in the browser and the npm package are read.
Tests and fuzz programs are not: they make their own inputs.
"""
import re
import sys
from pathlib import Path

BLANK = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
WRITER = "src/file/"

# Languages: folders, ending, what writes. Texts stay: the mode of a stream is one.
C = re.compile(r"""(?<!\#define\ )\b(?:
    (?:fopen|freopen|fdopen)\s*\((?!(?:[^;"]|"[^"]*")*?,\s*"rb?"\s*\))
  | (?:open|openat)\s*\([^;]*?\b(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE)\b
  | (?:creat|mkstemps?|mkostemps?|mkdtemp|tmpfile|rename|renameat2?|linkat|symlink|f?truncate|unlink|remove|rmdir|mkdir|popen|H5Fcreate|H5Fopen)\s*\(
)""", re.VERBOSE)
PYTHON = re.compile(r"""\b(?:
    open\s*\([^)\n]*?,\s*(?:mode\s*=\s*)?["'][^"']*[wax+][^"']*["']
  | os\.(?:open|rename|replace|truncate|remove|unlink|mkdir|makedirs)\s*\(
  | write_text\s*\( | write_bytes\s*\( | NamedTemporaryFile\s*\( | TemporaryDirectory\s*\( | mkstemp\s*\( | savetxt\s*\( | shutil\.(?:copy2?|copyfile|copytree|move)\s*\(
)""", re.VERBOSE)
SCRIPT = re.compile(r"\b(?:createWritable|writeFile(?:Sync)?|createWriteStream|openSync|appendFile(?:Sync)?)\s*\(|\bdownload:")

LANGUAGES = (
    (("src", "tool", "bindings/python", "web/engine"), "*.[ch]", C),
    (("bindings/python/tenon",), "*.py", PYTHON),
    (("web/src", "web/npm"), "*.ts", SCRIPT),
)

# file: why it may write, each with the calls it has
ALLOWED = {
    "src/record/format/hdf5_file.c": ("a file of HDF5 on the descriptor of the writer (tn_output_descriptor)", {"ftruncate", "H5Fcreate"}),
    "tool/mesh/meshes.c": ("folders of meshes beside a model; the files go through the writer", {"mkdir"}),
    "tool/table/gnuplot.c": ("the pipe to gnuplot, and what it says, in a file without a name", {"fdopen", "tmpfile"}),
    "tool/table/table_hdf5.c": ("opened to be read", {"H5Fopen"}),
    "bindings/python/tenon/_files.py": ("the descriptor of the writer", {"open"}),
    "bindings/python/tenon/_recording.py": ("into the stream of the writer", {"savetxt"}),
    "bindings/python/tenon/_model.py": ("a model for the tool, in a folder of its own that goes with the call", {"TemporaryDirectory"}),
    "web/src/files.ts": ("the browser's: written beside, moved there on close()", {"createWritable"}),
    "web/src/ui/dom.ts": ("the browser's downloads", {"download"}),
}


def calls(root):
    """(file, line, call) of everything that writes."""
    for folders, ending, pattern in LANGUAGES:
        for folder in folders:
            for path in sorted((root / folder).rglob(ending)):
                name = path.relative_to(root).as_posix()
                if name.startswith(WRITER) or "/node_modules/" in name or "/libfyaml/" in name:
                    continue
                text = path.read_text(encoding="utf-8")
                if ending != "*.py":
                    text = BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
                for match in pattern.finditer(text):
                    call = re.match(r"[\w.]+", match.group()).group().split(".")[-1]
                    yield name, text.count("\n", 0, match.start()) + 1, call


def check(root, allowed=None):
    allowed = ALLOWED if allowed is None else allowed
    wrong, met = [], set()
    for name, line, call in calls(root):
        met.add((name, call))
        if call not in allowed.get(name, ("", ()))[1]:
            wrong.append(f"{name}:{line}: {call} is a second way to write: src/file/output.h is the first")
    wrong += [f"{name}: has no {call} any more" for name, (_, its) in sorted(allowed.items())
              for call in sorted(its) if (name, call) not in met]
    return wrong


def main():
    wrong = check(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    print("\n".join(wrong) if wrong else "writers: one")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
