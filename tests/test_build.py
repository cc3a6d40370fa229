#!/usr/bin/env python3
"""How the project can be configured: the core without other libraries, inside other projects, and
what is refused.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def configure(self, source, *options, **variables):
        build = self.folder / "build"
        done = subprocess.run(["cmake", "-S", source, "-B", build, *options], capture_output=True, text=True,
                              env={**os.environ, **variables}, timeout=300, check=False)
        cache = (build / "CMakeCache.txt").read_text() if (build / "CMakeCache.txt").exists() else ""
        return done, cache

    def test_core_without_other_libraries(self):
        """No pkg-config file is to be found: libtenon is configured, nothing else."""
        none = {"PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}
        done, _ = self.configure(ROOT, "-DTENON_IO=OFF", "-DTENON_TESTS=OFF", **none)
        self.assertEqual(done.returncode, 0, done.stderr)
        targets = subprocess.run(["cmake", "--build", self.folder / "build", "--target", "help"],
                                 capture_output=True, text=True, timeout=60, check=False).stdout
        self.assertRegex(targets, r"\btenon_core\b")
        self.assertNotRegex(targets, r"\btenon_io\b")
        done, _ = self.configure(ROOT, "-DTENON_IO=OFF", "-DTENON_TESTS=ON", **none)
        self.assertIn("TENON_TESTS needs TENON_IO", done.stderr)

    def test_warnings_are_errors_here_only(self):
        done, cache = self.configure(ROOT, "-DTENON_TESTS=OFF")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(cache, r"TENON_WERROR:BOOL=ON")
        outer = self.folder / "outer"
        outer.mkdir()
        (outer / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(Outer LANGUAGES C)\n"
            f"add_subdirectory({ROOT} tenon)\n")
        self.folder = outer
        done, cache = self.configure(outer)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(cache, r"TENON_WERROR:BOOL=OFF")

    def compile(self, *flags):
        return subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-fsyntax-only", f"-I{ROOT}/include",
                               f"-I{ROOT}/src", *flags, ROOT / "src" / "base" / "alloc.c"],
                              capture_output=True, text=True, timeout=60, check=False)

    def test_fast_maths_is_refused(self):
        self.assertEqual(self.compile().returncode, 0)
        for flag in ("-ffast-math", "-ffinite-math-only", "-Ofast"):
            done = self.compile(flag)
            self.assertNotEqual(done.returncode, 0, flag)
            self.assertIn("cannot be compiled with -ffast-math", done.stderr)

    def test_versions_agree(self):
        header = (ROOT / "include" / "tenon" / "version.h").read_text()
        parts = [int(x) for x in re.findall(r"#define TN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)]
        cache = pathlib.Path(os.environ.get("TENON_BUILD", ROOT / "build")) / "CMakeCache.txt"
        project = re.search(r"^CMAKE_PROJECT_VERSION:STATIC=([0-9.]+)$", cache.read_text(), re.MULTILINE)
        self.assertEqual(".".join(map(str, parts)), project.group(1))


if __name__ == "__main__":
    unittest.main()
