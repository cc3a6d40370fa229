#!/usr/bin/env python3
"""Each mistake of mistakes.txt has a test that exists and that its suite runs."""
import pathlib
import re
import unittest

TESTS = pathlib.Path(__file__).resolve().parent


def mistakes():
    """(mistake, [(file, [test, ...]), ...]) of each line."""
    for line in (TESTS / "mistakes.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            mistake, _, places = line.partition(":")
            yield mistake.strip(), [(words[0], words[1:]) for words in map(str.split, places.split(";")) if words]


class Mistakes(unittest.TestCase):
    def test_every_mistake_has_tests_that_run(self):
        seen = set()
        for mistake, places in mistakes():
            with self.subTest(mistake):
                self.assertNotIn(mistake, seen)
                seen.add(mistake)
                self.assertTrue(places and all(tests for _, tests in places), "no test is named")
                for file, tests in places:
                    text = (TESTS / f"{file}.c").read_text(encoding="utf-8")
                    for test in tests:
                        self.assertTrue(f"START_TEST({test})" in text, f"{file}.c has no test {test}")
                        suite = text.partition("make_suite")[2]
                        self.assertTrue(re.search(rf"\b{test}\b", suite), f"{file}.c does not run {test}")
        self.assertGreaterEqual(len(seen), 20)


if __name__ == "__main__":
    unittest.main()
