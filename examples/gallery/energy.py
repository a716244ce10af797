"""Keeping an energy: a disturbed planet for many revolutions, by explicit steps, with a projection, and symplectic."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "kepler.mo", overrides={"e": 0.3})
runs = {
    "rk4": {"method": "rk4"},
    "rk4, invariants projected": {"method": "rk4", "projection": "invariants"},
    "symplectic Euler": {"method": "symplectic-euler"},
    "Gauss, order 4": {"method": "gauss2"},
}
error = {}
for name, options in runs.items():
    run = model.simulate(step=0.05, stop=300, intervals=300, raise_on_failure=False, **options)
    error[name] = (run.t, np.abs(run["energy"] - run["energy"][0]))
    print(f"{name:28} energy off by {error[name][1].max():.1e}, at the end by {error[name][1][-1]:.1e}")
assert error["rk4, invariants projected"][1].max() < 1e-9
assert error["rk4"][1][-1] > 5 * error["rk4"][1][50]  # grows with time
assert error["Gauss, order 4"][1].max() < 1e-4
assert error["symplectic Euler"][1][150:].max() < 2 * error["symplectic Euler"][1][:150].max()  # large, but bounded

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for name, (t, difference) in error.items():
        axes.semilogy(t[1:], difference[1:] + 1e-17, label=name, linewidth=1)
    axes.set(xlabel="time", ylabel="error of the energy")
    axes.legend(fontsize=8, ncols=2, loc="lower right")
    save(figure)
