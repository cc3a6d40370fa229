#!/usr/bin/env python3
"""check_library.py core|io SHARED STATIC: what a built library asks of and shows to the world.

Shared: the SONAME, the libraries it needs (core: libc and libm only), the symbols it exports (those of the
interface under its version, others under TENON_PRIVATE).
Static: every global symbol starts with tn_; no file prints, exits or allocates behind the allocator
hook, or holds changeable globals, except those listed here with their reason. Needs readelf and nm
(binutils) and a build without sanitizers.
"""

import pathlib
import re
import subprocess
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include" / "tenon"

CORE_NEEDS = re.compile(r"lib[cm]\.so\.\d+|ld-linux.*\.so\.\d+")

# What library code never calls. The compiler may turn printf into puts and fprintf into fwrite.
UNWANTED = re.compile(r"(v?f?printf|__v?f?printf_chk|puts|putchar|fputs|fputc|putc|fwrite|perror|stderr|"
                      r"stdout|exit|_exit|abort|__assert_fail|malloc|calloc|realloc|free|strdup|"
                      r"getenv|setlocale|rand|srand|strtok)$")

# What C libraries compute differently in the last bit: room real has it.
INEXACT = re.compile(r"(sincos|(a?(sin|cos|tan)h?|atan2|exp(2|10|m1)?|log(2|10|1p)?|pow|hypot|cbrt|erfc?|[lt]gamma))f?$")

# object file: unwanted calls it may make. The hook of memory; the handler of broken contracts.
MAY_CALL = {
    "alloc.c.o": {"realloc", "calloc", "free"},
    "assert.c.o": {"fprintf", "__fprintf_chk", "stderr", "abort"},
    "roots.c.o": {"getenv"},  # HOME, which is no package of models
}
# object file: changeable variables it may hold
MAY_HOLD = {"alloc.c.o": {"hook", "requested"},  # the latter of each thread
            "calls.c.o": {"depth", "stop", "stop.0", "stop.1"},  # of each thread
            "roots.c.o": {"allowed", "allowed_count"},  # folders of tn_allow_path, for the process
            "output.c.o": {"open_ones"},  # files being written, for handlers of signals
            "assert.c.o": {"current_handler"},
            "hdf5_library.c.o": {"tn_hdf5", "reason"}}  # addresses of the library once it is loaded, or why it is not

# The input/output library writes files and talks to libraries that allocate for themselves.
IO_MAY_CALL = {"free", "malloc", "realloc", "calloc", "fprintf", "__fprintf_chk", "fputs", "fputc", "putc",
               "fwrite"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def public_functions():
    """What the headers declare with TN_API."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(INCLUDE.glob("*.h")))
    return {name for declaration in re.findall(r"TN_API([^;{]*)", text)
            for name in re.findall(r"\b(tn_\w+)\s?\(", declaration)[:1]}


def check_shared(kind, path):
    dynamic = output("readelf", "-dW", path)
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", dynamic)
    expected = {"core": "libtenon.so.0", "io": "libtenon_io.so.0"}[kind]
    if soname != [expected]:
        yield f"SONAME is {soname}, not {expected}"
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if kind == "core" and not CORE_NEEDS.fullmatch(needed):
            yield f"needs {needed}"
    exported = [line.split()[-1].partition("@@") for line in
                output("nm", "-D", "--defined-only", "--with-symbol-versions", path).splitlines()
                if line.split()[1] != "A"]  # not the names of the versions themselves
    interface = public_functions()
    for name, _, version in exported:
        if not name.startswith("tn_"):
            yield f"exports {name}"
            continue
        if name in interface and not re.fullmatch(r"TENON_\d+", version):
            yield f"exports {name} of the interface as {version or 'nothing'}"
        if name not in interface and version != "TENON_PRIVATE":
            yield f"exports {name}, which no public header has, as {version or 'nothing'}"
    if not exported:
        yield "exports nothing"


def members(archive):
    """(object file, its nm lines split) of each member."""
    for block in output("nm", "-A", archive).splitlines():
        head, _, rest = block.rpartition(":")
        yield head.rpartition(":")[2], rest.split()


def changeable(archive):
    """(object file, name) of each variable in a section that is written at run time."""
    sections, current = {}, ""
    for line in output("readelf", "-SsW", archive).splitlines():
        if line.startswith("File:"):
            current, sections = re.search(r"\((.*)\)", line).group(1), {}
        section = re.match(r"\s*\[\s*(\d+)\] (\S+)", line)
        if section:
            sections[section.group(1)] = section.group(2)
        symbol = re.match(r"\s*\d+: \S+\s+\S+ (?:OBJECT|TLS)\s+\S+\s+\S+\s+(\S+) (\S+)", line)
        if symbol:
            name = sections.get(symbol.group(1), symbol.group(1))
            writable = re.match(r"\.(t?data|t?bss)", name) and not name.startswith(".data.rel.ro")
            if writable or name == "COM":
                yield current, symbol.group(2)


def check_static(kind, path):
    for member, fields in members(path):
        name, letter = fields[-1], fields[-2]
        if letter == "U" and UNWANTED.match(name):
            allowed = name in MAY_CALL.get(member, ()) or (kind == "io" and name in IO_MAY_CALL)
            if not allowed:
                yield f"{member} calls {name}"
        if letter == "U" and INEXACT.match(name):
            yield f"{member} calls {name}: tn_{name} of real/real.h has the same bits everywhere"
        elif letter.isupper() and letter not in "UW" and not name.startswith("tn_"):
            yield f"{member} defines {name}, which does not start with tn_"
    for member, name in changeable(path):
        if name.split(".")[0] not in MAY_HOLD.get(member, ()):
            yield f"{member} holds the changeable variable {name}"


def main():
    kind, shared, static = sys.argv[1:4]
    problems = [f"{shared}: {p}" for p in check_shared(kind, shared)]
    problems += [f"{static}: {p}" for p in check_static(kind, static)]
    print("\n".join(problems) if problems else f"{kind}: nothing found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
