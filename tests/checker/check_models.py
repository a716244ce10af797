"""Runs the program on every model of models/ and models/unseen, and judges every delivered point (check_trajectory.py).

    /usr/bin/python3 check_models.py --program build/driftless [--methods bdf,taylor] [--tol 1e-6] [names ...]

Then it damages a result on purpose, to see that it is noticed.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import numpy as np

from check_trajectory import BOUND, Check, Trajectory, check

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STOP = {"fekete": "2"}  # rest comes later


def run(program, model, method, tolerance, path):
    name = os.path.basename(model)[:-3]
    stop = ["--stop", STOP[name]] if name in STOP else []
    return subprocess.run([program, "run", model, "--method", method, "--tol", str(tolerance), "--intervals", "25",
                           *stop, "--output", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def judge_models(program, models, methods, tolerance, folder):
    failures = 0
    for model in models:
        name = os.path.basename(model)[:-3]
        for method in methods:
            path = os.path.join(folder, name + ".csv")
            result = run(program, model, method, tolerance, path)
            if result.returncode != 0:
                refused = "does not apply" in result.stdout or "refus" in result.stdout or not os.path.exists(path)
                print("%-24s %-8s did not succeed%s" % (name, method, "" if refused else ": its points are not judged"))
                continue
            judge, ratio = check(model, path, tolerance)
            ratio_here, label, t = max(judge.worst, key=lambda entry: entry[0])
            good = ratio <= BOUND and not judge.left_out
            print("%-24s %-8s %4d equations, worst %.2g tolerances in %s at t = %g%s" % (
                name, method, len(judge.worst), ratio_here, label, t, "" if good else "   NOT SOLVED"))
            for line, column in judge.left_out:
                print("    line %d is not judged: the file has no %s" % (line, column))
            failures += not good
            os.remove(path)
    return failures


def notices_damage(program, folder):
    """A value off by 100 tolerances in one row of one column must be found, wherever it is."""
    model, path, missed = os.path.join(ROOT, "models/pendulum.mo"), os.path.join(folder, "damaged.csv"), 0
    run(program, model, "bdf", 1e-6, path)
    with open(model) as file:
        text = file.read()
    for column in ("x", "y", "lambda", "der(der(x))", "der(der(y))"):
        trajectory = Trajectory(path)
        trajectory.columns[column][11] += np.longdouble(1e-4)*(1 + abs(trajectory.columns[column][11]))
        judge = Check(text, trajectory, 1e-6)
        worst = max(judge.worst, key=lambda entry: entry[0]) if judge.run() > BOUND else None
        missed += worst is None or worst[2] != trajectory.time[11]
        print("damaged %-12s %s" % (column, "noticed in " + worst[1] if worst else "NOT NOTICED"))
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--methods", default="bdf,taylor")
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    models = sorted(glob.glob(os.path.join(ROOT, "models/*.mo")) + glob.glob(os.path.join(ROOT, "models/unseen/*.mo")))
    if arguments.names:
        models = [model for model in models if os.path.basename(model)[:-3] in arguments.names]
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.abspath(arguments.program)
        bad = judge_models(program, models, arguments.methods.split(","), arguments.tol, scratch)
        bad += notices_damage(program, scratch)
    sys.exit(1 if bad else 0)
