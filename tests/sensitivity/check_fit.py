#!/usr/bin/env python3
"""check_fit.py <program> <model>: `driftless fit` behind a measured input, and files that cannot be read."""
import subprocess
import sys
import tempfile
from pathlib import Path


def main(program, model):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, cwd=folder)

        (Path(folder) / "u.csv").write_text("time,u\n0,0\n0.313,1\n0.777,1\n0.777,-1\n1.9,0.3\n")
        truth = run("run", model, "--override", "T=0.37", "--input", "u.csv", "--tol", "1e-10", "--stop", "2", "--intervals", "20",
                    "--output", "all.csv")
        rows = [line.split(",") for line in (Path(folder) / "all.csv").read_text().splitlines()]
        column = rows[0].index("x")
        (Path(folder) / "x.csv").write_text("".join(f"{row[0]},{row[column]}\n" for row in rows))
        found = run("fit", model, "x.csv", "--parameters", "T=0.6", "--input", "u.csv")
        line = next((line.split() for line in found.stdout.splitlines() if line.startswith("T ")), ["", "nan"])
        if truth.returncode or found.returncode or not abs(float(line[1]) - 0.37) < 1e-7:
            problems.append(found.stdout + found.stderr)
        for arguments in (["missing.csv", "--input", "u.csv"], ["x.csv", "--input", "missing.csv"]):
            refused = run("fit", model, *arguments, "--parameters", "T")
            if refused.returncode != 2 or "missing.csv" not in refused.stderr or "No such file" not in refused.stderr:
                problems.append(f"{arguments}: {refused.returncode} {refused.stdout}{refused.stderr}")
    print("\n".join(problems) or "fits follow a measured input")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
