"""Makes tenon/_library: the public C headers as a Python module (cffi, API mode).

The declarations are those of include/tenon, preprocessed; nothing is written down twice. Two kinds of
lines are left out: functions defined in headers, and fields that are pointers to rows, which cffi cannot
write in C; structs that lose a field are completed by the compiler.

Environment: TENON_BUILD: the build folder with lib/libtenon.a and lib/libtenon_io.a (default: build of
the project).
"""

import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

import cffi

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
BUILD = Path(os.environ.get("TENON_BUILD", PROJECT / "build"))

HEADERS = "#include <tenon/tenon.h>\n#include <tenon/io.h>\n#include <tenon/record.h>\n" \
          "#include <tenon/study.h>\n#include <tenon/limits.h>\n"

# Macros that are numbers.
NUMBERS = ["TN_STUDY_MESSAGE", "TN_MAX_COORDINATES", "TN_MOST_STEPS", "TN_COUPLING_JOINTS"]

# What the headers include of the C library; cffi knows their types.
C_HEADERS = ["stddef.h", "stdint.h", "stdio.h", "stdbool.h"]


def preprocess(text):
    """The headers without comments, macros and the C library."""
    with tempfile.TemporaryDirectory() as folder:
        for name in C_HEADERS:
            Path(folder, name).write_text("#define bool _Bool\n" if name == "stdbool.h" else "")
        command = ["gcc", "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", folder,
                   "-I", str(PROJECT / "include"), "-"]
        return subprocess.run(command, input=text, check=True, capture_output=True,
                              text=True).stdout


def without_function_bodies(text):
    """Drops `static inline ... { ... }`."""
    found = re.search(r"static inline [^;{]*\{", text)
    while found:
        end, depth = found.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[:found.start()] + text[end:]
        found = re.search(r"static inline [^;{]*\{", text)
    return text


def without_pointers_to_rows(text):
    """`const double (*points)[2];` goes, and the compiler completes its struct."""
    row = re.compile(r"const double \(\*\w+\)\[2\];")
    parts = re.split(r"(typedef struct \w+ \{.*?\} \w+;)", text, flags=re.DOTALL)
    for i, part in enumerate(parts):
        if part.startswith("typedef struct") and row.search(part):
            parts[i] = re.sub(r"\} (\w+;)$", r"...; } \1", row.sub("", part))
    return "".join(parts)


def declarations():
    text = without_pointers_to_rows(without_function_bodies(preprocess(HEADERS)))
    text += "".join(f"#define {name} ...\n" for name in NUMBERS)
    return text + (HERE / "run.h").read_text() + (HERE / "callbacks.h").read_text()


def libraries():
    """What libtenon_io needs, as pkg-config has it, split into setuptools' kinds."""
    words = shlex.split(subprocess.run(["pkg-config", "--libs"] + needed(), check=True,
                                       capture_output=True, text=True).stdout)
    return ([w[2:] for w in words if w.startswith("-l")],
            [w[2:] for w in words if w.startswith("-L")])


def needed():
    """The pkg-config modules of the input/output library, from its own .pc file."""
    text = (BUILD / "cmake" / "tenon-io.pc").read_text()
    names = re.findall(r"^Requires\.private:(.*)$", text, re.MULTILINE)
    return [n for n in re.split(r"[,\s]+", " ".join(names)) if n and not n.startswith("tenon")]


ffibuilder = cffi.FFI()
ffibuilder.cdef(declarations())
names, folders = libraries()
ffibuilder.set_source(
    "tenon._library", "#define _POSIX_C_SOURCE 200809L\n" + HEADERS + '#include "file/output.h"\n#include "run.c"\n',
    include_dirs=[str(PROJECT / "include"), str(PROJECT / "src"), str(HERE)],
    extra_objects=[str(BUILD / "lib" / "libtenon_io.a"), str(BUILD / "lib" / "libtenon.a")],
    libraries=names + ["m"], library_dirs=folders)
