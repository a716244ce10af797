"""Andrews' squeezer, seven bodies that move within 0.03 s: the test problem of the literature, with its digits."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "squeezer.mo")
solution = model.simulate(tol=1e-9, intervals=300)
reference = {"beta": 15.810771196, "Theta": -15.756371058}  # at t = 0.03, to ten digits
print(f"index {model.analyze().index}, {solution.statistics['steps']} steps with {solution.method}")
for name, expected in reference.items():
    print(f"{name:6} {solution.final(name):.9f}, reference {expected:.9f}")
    assert abs(solution.final(name) - expected) < 1e-6
assert solution.largest_residual < 1e-8

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for name in ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"):
        values = np.arctan2(np.sin(solution[name]), np.cos(solution[name]))
        values[1:][np.abs(np.diff(values)) > 3] = np.nan  # a full turn is no motion
        axes.plot(1000 * solution.t, values, label=name)
    axes.set(xlabel="time [ms]", ylabel="angles, within a turn [rad]")
    axes.legend(ncols=7, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    save(figure)
