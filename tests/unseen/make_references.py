"""Makes tests/unseen/*.json: solutions of the models in models/unseen, found in two ways that share nothing.

    /usr/bin/python3 make_references.py --program build/driftless            all of them
    /usr/bin/python3 make_references.py --program build/driftless robertson  only these

One way is Driftless itself by Taylor series in quadruple precision, from the text; two runs of different order and
tolerance must agree to 13 digits. The other way is the model reduced by hand to an explicit equation (circuits.py,
mechanics.py), integrated by DOP853 or Radau of SciPy at a tolerance of 1e-13, or a closed form; it must agree as far as
double precision lets it (`agreement`, in units of the largest value of a variable). A file is written only then.

`error_amplification` is measured on the reduced equation: the largest change at the end for a small change of the
states at the start or at one of the points between, both relative to the sizes of the variables.
"""
import argparse
import csv
import inspect
import json
import os
import subprocess
import tempfile
import time

import numpy as np
from scipy.integrate import solve_ivp

import circuits
import mechanics
from reduced import Closed

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
MODELS = {name: function for module in (circuits, mechanics)
          for name, function in inspect.getmembers(module, inspect.isfunction)
          if function.__module__ == module.__name__ and not inspect.signature(function).parameters}
POINTS = 8


def by_series(program, name, tolerance, order):
    """Driftless, Taylor series in quadruple precision: {variable: values at the points}."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.csv")
        subprocess.run([program, "run", os.path.join(ROOT, "models/unseen", name + ".mo"), "--intervals", str(POINTS),
                        "--method", "taylor:order=%d,precision=quadruple" % order, "--tol", tolerance, "--output",
                        path],
                       check=True, stdout=subprocess.DEVNULL)
        with open(path) as file:
            rows = list(csv.reader(file))
    return {column: np.array([float(row[k]) for row in rows[1:]]) for k, column in enumerate(rows[0])}


def by_hand(model, times):
    if isinstance(model, Closed):
        return collect([model.out(t) for t in times])
    states = integrate(model, times, model.start)
    return collect([model.out(t, y) for t, y in zip(times, states)])


def integrate(model, times, start, rtol=1e-13):
    start = np.asarray(start, float)
    atol = 1e-15*np.asarray(model.scale if model.scale else np.maximum(np.abs(start), 1e-3))
    result = solve_ivp(model.rate, (times[0], times[-1]), start, model.method, times, rtol=rtol, atol=atol,
                       max_step=model.max_step)
    if not result.success:
        raise AssertionError(result.message)
    return result.y.T


def source(model, other):
    if isinstance(model, Closed):
        return "Taylor series in quadruple precision; reduced by hand and evaluated, it agrees to %.0e" % other
    return "Taylor series in quadruple precision; reduced by hand and integrated by %s, it agrees to %.0e" % (
        model.method, other)


def collect(points):
    return {name: np.array([point[name] for point in points]) for name in points[0]}


def difference(first, second, scale):
    worst = {name: np.max(np.abs(first[name] - second[name]))/(scale[name] or 1) for name in second}
    name = max(worst, key=worst.get)
    return worst[name], name


def amplification(model, times):
    if isinstance(model, Closed):
        return 1.0
    eps, signs = 1e-6, np.random.default_rng(1)
    rtol = 1e-10 if model.method == "Radau" else 1e-12
    states = integrate(model, times, model.start, rtol)
    sizes = np.max(np.abs(states), axis=0)
    largest = 1.0
    for k in range(0, len(times) - 1, 2):
        moved = states[k] + eps*sizes*signs.choice([-1.0, 1.0], len(sizes))
        end = integrate(model, times[k:], moved, rtol)[-1]
        plain = integrate(model, times[k:], states[k], rtol)[-1]
        change = np.abs(end - plain)[sizes > 0]/sizes[sizes > 0]
        largest = max(largest, float(np.max(change))/eps)
    return float("%.2g" % largest)


def build(program, name):
    model = MODELS[name]()
    best, second = by_series(program, name, "1e-19", 28), by_series(program, name, "1e-16", 22)
    times = best.pop("time")
    second.pop("time")
    variables = [v for v in best if not v.startswith("der(")]
    scale = {v: float(np.max(np.abs(best[v]))) for v in variables}
    series, worst = difference(best, {v: second[v] for v in variables}, scale)
    assert series < 1e-13, "two series differ by %g in %s" % (series, worst)
    hand = by_hand(model, times)
    other, worst = difference(best, hand, scale)
    assert other < model.agreement, "the reduced equation differs by %g in %s" % (other, worst)
    for v, value in getattr(model, "published", {}).items():
        here = best[v][-1]
        assert abs(here - value) < 1e-11*abs(value), "published digits of %s: %r, here %r" % (v, value, here)
    kind = "closed form" if isinstance(model, Closed) else "other coordinates"
    document = {"model": "models/unseen/%s.mo" % name, "stop": float(times[-1]), "kind": kind,
                "source": source(model, other),
                "checked_variables": sorted(hand), "error_amplification": amplification(model, times),
                "variables_scale": scale,
                "points": [{"t": float(t), "values": {v: float(best[v][k]) for v in variables}}
                           for k, t in enumerate(times)]}
    return document, series, other


def write(name, document):
    lines = []
    for key, value in document.items():
        if key == "points":
            lines.append('  "points": [\n%s\n  ]' % ",\n".join("    " + json.dumps(entry) for entry in value))
        else:
            lines.append('  "%s": %s' % (key, json.dumps(value)))
    with open(os.path.join(FOLDER, name + ".json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    for name in arguments.names or sorted(MODELS):
        begin = time.process_time()
        try:
            document, series, other = build(arguments.program, name)
            write(name, document)
            print("%-24s series %.1e  by hand %.1e  amplification %-8g %5.1f s" % (
                name, series, other, document["error_amplification"], time.process_time() - begin), flush=True)
        except (AssertionError, subprocess.CalledProcessError, ValueError, OverflowError) as error:
            print("%-24s NOT WRITTEN: %s" % (name, error), flush=True)
