"""A closed loop of three bars: the coupler curve, and a constant torque that the energy has to account for."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "four_bar.mo")
solution = model.simulate(tol=1e-9, intervals=400)
p = solution.parameters
phi1, phi2, phi3 = (solution[name] for name in ("phi1", "phi2", "phi3"))
gap = np.hypot(p["l1"] * np.cos(phi1) + p["l2"] * np.cos(phi2) - p["d"] - p["l3"] * np.cos(phi3),
               p["l1"] * np.sin(phi1) + p["l2"] * np.sin(phi2) - p["l3"] * np.sin(phi3))
print(f"index {model.analyze().index}, the loop is open by {gap.max():.1e} m at most")
print(f"energy less the work of the torque changed by {np.ptp(solution['energy']):.1e} J")
assert gap.max() < 1e-12
assert np.ptp(solution["energy"]) < 1e-5

if len(sys.argv) > 1:
    from picture import panels, save

    # A point beside the middle of the coupler.
    x = p["l1"] * np.cos(phi1) + p["l2"] / 2 * np.cos(phi2) - 0.8 * np.sin(phi2)
    y = p["l1"] * np.sin(phi1) + p["l2"] / 2 * np.sin(phi2) + 0.8 * np.cos(phi2)
    figure, (left, right) = panels(1, 2)
    left.plot(x, y)
    for k in (0, 60):
        a = p["l1"] * np.array([np.cos(phi1[k]), np.sin(phi1[k])])
        b = np.array([p["d"], 0]) + p["l3"] * np.array([np.cos(phi3[k]), np.sin(phi3[k])])
        left.plot([0, a[0], b[0], p["d"]], [0, a[1], b[1], 0], "o-", color="0.5", markersize=3)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    right.plot(solution.t, solution["Fx"], label="Fx")
    right.plot(solution.t, solution["Fy"], label="Fy")
    right.set(xlabel="time [s]", ylabel="joint force [N]")
    right.legend()
    save(figure)
