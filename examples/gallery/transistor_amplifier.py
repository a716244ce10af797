"""A transistor amplifier whose structure promises eight states, of which three do not exist: they are found by rank."""
import json
import sys
from pathlib import Path

import numpy as np

import driftless as dl

folder = Path(__file__).parents[2]
model = dl.read(folder / "models" / "transistor_amplifier.mo")
solution = model.simulate(tol=1e-8, intervals=600)
reference = json.loads((folder / "tests" / "references" / "transistor_amplifier.json").read_text())["points"][-1]["values"]
print(f"{model.analyze().degrees_of_freedom} degrees of freedom of 8 potentials")
for name in ("y5", "y8"):
    print(f"{name} = {solution.final(name):.9f}, in 128-bit arithmetic {reference[name]:.9f}")
    assert abs(solution.final(name) - reference[name]) < 1e-5
gain = np.ptp(solution["y8"][300:]) / np.ptp(solution["Ue"][300:])
print(f"amplification {gain:.1f}")

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    axes.plot(1000 * solution.t, solution["y8"], label="output [V]")
    axes.plot(1000 * solution.t, 10 * solution["Ue"], label="10 times the input [V]")
    axes.set(xlabel="time [ms]")
    axes.legend(loc="lower right")
    save(figure)
