"""Five masses with hardening springs: the force on the first that leads the last along a path. Index 11."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "high_index" / "mass_chain.mo")
solution = model.simulate(intervals=200)
t = solution.t
# The last spring must carry m x5'': a cubic equation for how far it is pressed, solved here by Newton's iteration.
load = 0.2 * (-np.sin(t) - 1.2 * np.cos(2 * t))
pressed = load / 10
for _ in range(20):
    pressed -= (10 * pressed + 5 * pressed**3 - load) / (10 + 15 * pressed**2)
error = np.abs(solution["s[4]"] - pressed).max()
print(f"index {model.analyze().index}, last spring off its closed form by {error:.1e}")
print(f"largest force {np.abs(solution['F']).max():.3f} N, residuals of {len(solution.certificate)} levels up to "
      f"{solution.largest_residual:.0e}")
assert model.analyze().index == 11
assert error < 1e-12

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2)
    for k in range(1, 6):
        left.plot(t, solution[f"x[{k}]"], label=f"x[{k}]")
    left.set(xlabel="time [s]", ylabel="positions [m]")
    left.legend(fontsize=8)
    right.plot(t, solution["F"], color="#d1550a")
    right.set(xlabel="time [s]", ylabel="force on the first mass [N]")
    save(figure)
