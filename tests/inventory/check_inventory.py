#!/usr/bin/env python3
"""Keeps docs/inventory.md true: all 110 rows of the literature's inventory are there and no other, each with a state;
what is proven or partly proven names tests, and these exist; what is not there yet has its reason, and so has what is
missing of a row that is proven partly.

Rows of its tables are | ID | state | what | `Suite.Name` ... | what is asserted |. Further lines of the same row have
no state. A name may end in * for all instances of a parameterized test.
"""

import fnmatch
import re
import subprocess
import sys
from pathlib import Path

# Experiments and model problems, methods and formulations, named codes: the complete list, written out.
ROWS = """
7-A1 7-A2 7-A3 7-A4 7-A5 7-A6 7-A7 7-A8
7-F1 7-F2 7-F3
7-H1 7-H2 7-H3 7-H4 7-H5 7-H6 7-H7 7-H8 7-H9 7-H10 7-H11 7-H12
7-L1 7-L2 7-L3 7-L4 7-L5 7-L6
7-M1 7-M2 7-M3 7-M4 7-M5 7-M6 7-M7 7-M8 7-M9 7-M10
M1 M2 M3 M4 M5 M6 M7 M8 M9 M10 M11 M12 M13 M14 M15 M16 M17 M18 M19 M20 M21 M22 M23 M24 M25 M26 M27 M28 M29 M30 M31
M32 M33 M34 M35 M36 M37 M38 M39 M40 M41 M42 M43 M44 M45 M46 M47 M48 M49 M50 M51 M52 M53 M54 M55 M56 M57 M58 M59 M60
M61 M62
C1 C2 C3 C4 C5 C6 C7 C8 C9
""".split()
assert len(ROWS) == len(set(ROWS)) == 110

PROVEN, PARTLY, NOT_YET = "proven", "partly", "not yet"


class Row:
    def __init__(self):
        self.states, self.tests, self.texts = [], [], []


def rows_of(page):
    rows = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"(7-)?[A-Z]\d+", cells[0]):
            if len(cells) != 5:
                sys.exit(f"{cells[0]}: a line of {len(cells)} cells instead of 5")
            row = rows.setdefault(cells[0], Row())
            if cells[1]:
                row.states.append(cells[1])
            row.tests += re.findall(r"`([^`]+)`", cells[3])
            row.texts.append(cells[4])
    return rows


def complaints_of(name, row, tests):
    if len(row.states) != 1 or row.states[0] not in (PROVEN, PARTLY, NOT_YET):
        yield f"{name}: its state is {row.states}, not one of {PROVEN}, {PARTLY}, {NOT_YET}"
        return
    state = row.states[0]
    if state == NOT_YET and not row.texts[0]:
        yield f"{name}: {NOT_YET}, and no reason"
    if state == PARTLY and not any(re.search(r"\b(not|no|only)\b", text) for text in row.texts):
        yield f"{name}: {PARTLY}, and nothing says what is missing"
    if state != NOT_YET and not row.tests:
        yield f"{name}: {state}, and no test"
    for test in row.tests:
        if not any(fnmatch.fnmatchcase(known, test) for known in tests):
            yield f"{name}: there is no test {test}"


def main():
    page, build, ctest = Path(sys.argv[1]).read_text(), sys.argv[2], sys.argv[3]
    listing = subprocess.run([ctest, "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    tests = [re.sub(r"\s+#.*", "", line) for line in re.findall(r"Test\s+#\d+: (.*)", listing)]
    rows = rows_of(page)
    complaints = [f"{name}: not in the inventory" for name in ROWS if name not in rows]
    complaints += [f"{name}: no such row in the literature" for name in rows if name not in ROWS]
    for name, row in rows.items():
        complaints += complaints_of(name, row, tests)
    counts = {state: sum(row.states == [state] for row in rows.values()) for state in (PROVEN, PARTLY, NOT_YET)}
    told = f"{counts[PROVEN]} rows are {PROVEN}, {counts[PARTLY]} {PARTLY}, {counts[NOT_YET]} {NOT_YET}."
    if told not in page:
        complaints.append(f"the page does not say: {told}")
    print("\n".join(complaints) or told)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
