#!/usr/bin/env python3
"""The program starts with little work for the dynamic linker: check_start.py PROGRAM.

As a position-independent program with the shared libraries of C++ and fmt it had 90,000 addresses to move and 4,000 symbols to
look up before main(): half of all the instructions of a short run.
"""
import os
import re
import subprocess
import sys

run = subprocess.run([sys.argv[1], "--version"], text=True, capture_output=True, check=True,
                     env={**os.environ, "LD_DEBUG": "statistics"})
found = {name: int(number) for name, number in re.findall(r"number of (relative relocations|relocations): (\d+)", run.stderr)}
if not found:
    print("this dynamic linker does not count")
else:
    assert found["relocations"] < 2000 and found["relative relocations"] < 3000, found
    print(found)
