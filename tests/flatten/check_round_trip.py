"""Flattens shipped models, runs them and their flat texts, and compares all columns of the results.

    check_round_trip.py PROGRAM FOLDER_OF_THE_PROJECT

The order of equations may differ, so trajectories agree to the tolerance and not bit by bit. Models that cannot be written as
flat text are listed here, each with the reason that the program must give.
"""
import csv
import os
import subprocess
import sys
import tempfile

FOLDERS = ("models/hybrid", "models/components", "models/boundary")
REFUSED = {
    "models/hybrid/delayed_feedback.mo": "delay(...)",
    "models/hybrid/pipe.mo": "delay(...)",
    "models/boundary/bratu.mo": "guesses",
    "models/boundary/pendulum_swing_up.mo": "guesses",
    "models/boundary/pendulum_transfer.mo": "guesses",
}
LARGE = {"models/hybrid/balls_in_box.mo"}  # 400 degrees of freedom
CLOSE = 1e-5  # of the largest value of a column


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def difference(a, b):
    """The largest one of two columns, relative to their largest value."""
    if len(a) != len(b):
        return float("inf")
    size = max([1e-3] + [abs(value) for value in a if value == value])
    return max((abs(x - y) / size for x, y in zip(a, b) if x == x or y == y), default=0.0)


def check(program, model, scratch):
    flat = run(program, "flatten", model)
    if model in REFUSED:
        return "" if REFUSED[model] in flat.stderr else f"is not refused because of {REFUSED[model]}: {flat.stderr}"
    if flat.returncode != 0:
        return f"cannot be flattened: {flat.stderr}"
    text, first, second = (os.path.join(scratch, name) for name in ("flat.mo", "first.csv", "second.csv"))
    with open(text, "w") as file:
        file.write(flat.stdout)
    for path in (first, second):
        if os.path.exists(path):
            os.remove(path)
    once = run(program, "run", model, "--intervals", "50", "--output", first)
    again = run(program, "run", text, "--intervals", "50", "--output", second)
    if once.returncode != again.returncode:
        return f"ends with {once.returncode}, its flat text with {again.returncode}: {again.stderr}"
    a, b = columns(first), columns(second)
    missing = [name for name in a if name not in b]
    if missing:
        return f"lacks {missing} when it is flat"
    worst = max(a, key=lambda name: difference(a[name], b[name]))
    return f"differs in {worst} by {difference(a[worst], b[worst]):.1e}" if difference(a[worst], b[worst]) > CLOSE else ""


def main():
    program, project = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.chdir(project)
    os.environ["MODELICAPATH"] = os.path.join(project, "libraries")
    models = [os.path.join(folder, name) for folder in FOLDERS for name in sorted(os.listdir(folder)) if name.endswith(".mo")]
    models = [model for model in models if model not in LARGE]
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for model in models:
            problem = check(program, model, scratch)
            if problem:
                failures += 1
                print(f"{model} {problem}")
    print(f"{len(models)} models, {failures} problems")
    return 1 if failures or len(models) < 40 else 0


sys.exit(main())
