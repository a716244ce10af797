#!/usr/bin/env python3
"""Keeps docs/inventory.md true: every row of the literature's inventory is there, and every test it names exists.

Rows of its tables are | ID | what | `Suite.Name` ... | what is asserted |. A name may end in * for all instances of a
parameterized test.
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path


def numbered(prefix, *numbers):
    return [f"{prefix}{n}" for n in numbers]


REQUIRED = (
    numbered("7-A", *range(1, 9))
    + numbered("7-F", 1, 2, 3)
    + numbered("7-H", 2, 3, 4, 5, 6, 12)
    + numbered("7-L", 1, 2, 4, 5, 6)
    + numbered("7-M", 8, 9, 10)
    + numbered("M", *range(1, 26), *range(31, 37), *range(39, 51), 60)
    + numbered("C", *range(1, 8))
)


def main():
    page, build, ctest = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    listing = subprocess.run([ctest, "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    tests = [re.sub(r"\s+#.*", "", line) for line in re.findall(r"Test\s+#\d+: (.*)", listing)]
    rows = {}
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"(7-)?[A-Z]\d+", cells[0]):
            rows.setdefault(cells[0], []).extend(re.findall(r"`([^`]+)`", cells[2]))
    complaints = [f"{row}: not in the inventory" for row in REQUIRED if row not in rows]
    for row, names in rows.items():
        if not names:
            complaints.append(f"{row}: no test")
        for name in names:
            if not any(fnmatch.fnmatchcase(test, name) for test in tests):
                complaints.append(f"{row}: there is no test {name}")
    print("\n".join(complaints) or f"{len(rows)} rows, all of them proved by tests that exist")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
