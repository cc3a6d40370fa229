#!/usr/bin/env python3
"""test_summary.py BUILD...: counts the tests of ctest runs, ends with "N passed, N failed".

Reads BUILD/results.xml (ctest --output-junit). A Check program (label "check") counts by its own result
lines ("100%: Checks: 8, Failures: 0, Errors: 0"), any other test counts as one. A program that failed
without a failed check of its own (a crash, a leak at exit, a time-out), and a Check program that ran no
check, count as one failure more. Exit status 1 when anything failed or nothing ran.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

RESULT_LINE = re.compile(r"^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)", re.MULTILINE)


def check_programs(build):
    """Names of the tests with the label check."""
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                             capture_output=True, text=True).stdout
    names = set()
    for test in json.loads(listing)["tests"]:
        for entry in test.get("properties", []):
            if entry["name"] == "LABELS" and "check" in entry["value"]:
                names.add(test["name"])
    return names


def count(case, is_check_program):
    """(passed, failed) of one ctest test."""
    ok = case.get("status") == "run"
    if not is_check_program:
        return (1, 0) if ok else (0, 1)
    passed = failed = 0
    for checks, failures, errors in RESULT_LINE.findall(case.findtext("system-out") or ""):
        bad = int(failures) + int(errors)
        passed += int(checks) - bad
        failed += bad
    if failed == 0 and (not ok or passed == 0):
        failed = 1
    return passed, failed


def count_run(build):
    """(passed, failed) of one ctest run; results that are missing or empty are a failure."""
    try:
        cases = list(ElementTree.parse(f"{build}/results.xml").iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"no test results: {error}")
        return 0, 1
    if not cases:
        print(f"no test ran in {build}")
        return 0, 1
    programs = check_programs(build)
    passed = failed = 0
    for case in cases:
        good, bad = count(case, case.get("name") in programs)
        passed += good
        failed += bad
        if bad:
            print(f"failed: {case.get('name')} ({bad})")
    return passed, failed


def main():
    results = [count_run(build) for build in sys.argv[1:]]
    passed = sum(good for good, _ in results)
    failed = sum(bad for _, bad in results)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
