"""Inverse dynamics: the load of a crane follows a path, and the forces that this takes are asked for. Index 5, no state."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "crane.mo")
analysis = model.analyze()
solution = model.simulate(intervals=200)
t, (x, z, s) = solution.t, (solution[name] for name in ("x", "z", "s"))

# The path is a polynomial of time: its second derivative in closed form.
u = t / 10
bend = (2520 * u**3 - 12600 * u**4 + 22680 * u**5 - 17640 * u**6 + 5040 * u**7) / 100
exact = x + z * (5 * bend) / (9.81 + 2 * bend)
print(f"index {analysis.index}, {analysis.degrees_of_freedom} degrees of freedom")
print(f"trolley off its closed form by {np.abs(s - exact).max():.1e} m")
print(f"largest force on the trolley {np.abs(solution['F']).max():.2f} N")
assert analysis.index == 5
assert np.abs(s - exact).max() < 1e-9

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2)
    left.plot(x, -z, label="load")
    for k in range(0, 201, 20):
        left.plot([s[k], x[k]], [0, -z[k]], color="0.7", linewidth=0.8)
    left.plot(s[::20], 0 * s[::20], "o", markersize=3, label="trolley")
    left.set(xlabel="along the rail [m]", ylabel="height [m]", aspect="equal")
    left.legend()
    right.plot(t, solution["F"], label="force on the trolley")
    right.plot(t, solution["W"] - 981, label="winch, less the weight")
    right.set(xlabel="time [s]", ylabel="[N]")
    right.legend()
    save(figure)
