#!/usr/bin/env python3
"""test_summary.py RESULTS.xml...: counts the tests of ctest runs, ends with "N passed, N failed".

A Check program counts by its own result lines ("100%: Checks: 8, Failures: 0, Errors: 0"), any other
test (label "script") counts as one. A program that failed without a failed check of its own (a crash,
a leak at exit, a time-out), and a Check program that ran no check, count as one failure more.
Exit status 1 when anything failed or nothing ran.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

RESULT_LINE = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)


def count(case):
    """(passed, failed) of one ctest test."""
    labels = [p.get("value", "") for p in case.iter("property") if p.get("name") == "cmake_labels"]
    ok = case.get("status") == "run"
    if "script" in labels:
        return (1, 0) if ok else (0, 1)
    passed = failed = 0
    for checks, failures, errors in RESULT_LINE.findall(case.findtext("system-out") or ""):
        bad = int(failures) + int(errors)
        passed += int(checks) - bad
        failed += bad
    if failed == 0 and (not ok or passed == 0):
        failed = 1
    return passed, failed


def cases_of(path):
    """The tests in one file; a file that is missing, damaged or empty is a failure of its own."""
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"no test results: {error}")
        return None
    if not cases:
        print(f"no test ran: {path}")
        return None
    return cases


def main():
    passed = failed = 0
    for path in sys.argv[1:]:
        cases = cases_of(path)
        if cases is None:
            failed += 1
            continue
        for case in cases:
            good, bad = count(case)
            passed += good
            failed += bad
            if bad:
                print(f"failed: {case.get('name')} ({bad})")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
