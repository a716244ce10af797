"""Makes tests/circuits/*.json: solutions of the models in models/circuits by a circuit simulator of its own.

    /usr/bin/python3 make_references.py            all of them
    /usr/bin/python3 make_references.py ttl_gate   only these

Two runs, with 5 and with 7 stages and different bounds (netlist.py), must agree to 2e-10 of the size of each variable, or no
file is written.
"""
import inspect
import json
import os
import sys
import time

import numpy as np

import circuits
from netlist import integrate

FOLDER = os.path.dirname(os.path.abspath(__file__))
POINTS = 8
CIRCUITS = {name: function for name, function in inspect.getmembers(circuits, inspect.isfunction)
            if function.__module__ == circuits.__name__ and not inspect.signature(function).parameters}


def solve(name, stages, bound):
    circuit, stop, first, variables = CIRCUITS[name]()
    times = [stop*k/POINTS for k in range(POINTS + 1)]
    values, steps = integrate(circuit, times, stages, bound, first, stop/400)
    rows = [variables(t, dict(zip(circuit.names, map(float, x)))) for t, x in zip(times, values)]
    return times, {v: np.array([row[v] for row in rows]) for v in rows[0]}, steps


def make(name):
    times, best, steps = solve(name, 7, 2e-7)
    _, other, _ = solve(name, 5, 2e-6)
    scale = {v: float(np.max(np.abs(best[v]))) for v in best}
    worst = max(best, key=lambda v: np.max(np.abs(best[v] - other[v]))/(scale[v] or 1))
    distance = float(np.max(np.abs(best[worst] - other[worst]))/(scale[worst] or 1))
    print("%-24s %d steps, the runs differ by %.1e in %s" % (name, steps, distance, worst), end="", flush=True)
    assert distance < 2e-10, name
    document = {"model": "models/circuits/%s.mo" % name, "stop": times[-1], "kind": "other coordinates",
                "source": "modified nodal analysis and Radau IIA of order 13; with order 9 it agrees to %.0e" % distance,
                "checked_variables": sorted(best), "error_amplification": 1.0, "variables_scale": scale,
                "points": [{"t": t, "values": {v: float(best[v][k]) for v in best}} for k, t in enumerate(times)]}
    lines = ['  "points": [\n%s\n  ]' % ",\n".join("    " + json.dumps(p) for p in value) if key == "points"
             else '  "%s": %s' % (key, json.dumps(value)) for key, value in document.items()]
    with open(os.path.join(FOLDER, name + ".json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(CIRCUITS):
        begin = time.process_time()
        try:
            make(name)
        except AssertionError as error:
            print("  FAILED: %s" % error, end="")
        print("  %.0f s" % (time.process_time() - begin), flush=True)
