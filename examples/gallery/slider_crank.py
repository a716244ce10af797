"""Crank, connecting rod and piston: the forces in the joints come with the motion. The position has a closed form."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "slider_crank.mo")
solution = model.simulate(tol=1e-9, intervals=400)
r, l = solution["r"], solution["l"]
angle = solution["alpha"]
piston = r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle))**2)
print(f"index {model.analyze().index}, {angle[-1] / (2 * np.pi):.2f} turns")
print(f"piston off its closed form by {np.abs(solution['s'] - piston).max():.1e}")
print(f"energy changed by {np.ptp(solution['energy']) / solution['energy'][0]:.1e} of itself")
assert np.abs(solution["s"] - piston).max() < 1e-12
assert np.ptp(solution["energy"]) < 1e-6 * solution["energy"][0]

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2)
    left.plot(solution.t, solution["s"], label="piston [m]")
    left.plot(solution.t, solution["der(alpha)"] / 100, label="crank [100 rad/s]")
    left.set(xlabel="time [s]")
    left.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    right.plot(solution["Fx"], solution["Fy"], label="crank on rod")
    right.plot(solution["Hx"], solution["Hy"], label="piston on rod")
    right.set(xlabel="force along x [N]", ylabel="force along y [N]")
    right.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    save(figure)
