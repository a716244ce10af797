"""Why the name: a pendulum in five forms. The ones that replace the constraint by its derivatives drift away from it."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "pendulum.mo")
forms = {
    "length differentiated twice": ("index1", "none"),
    "Baumgarte": ("baumgarte:gamma=1", "none"),
    "differentiated once": ("index2", "none"),
    "projected": ("index1", "both"),
    "as it stands": ("dummy", "none"),
}
drift = {}
for name, (formulation, projection) in forms.items():
    run = model.simulate(formulation=formulation, projection=projection, method="radau3" if projection == "none" else "rk4",
                         step=0.1, stop=100, intervals=200, raise_on_failure=False)
    drift[name] = (run.t, np.abs(run["x"]**2 + run["y"]**2 - 1) + 1e-17)
    print(f"{name:28} {formulation:18} largest error of the length {drift[name][1].max():.1e}   {run.outcome}")
assert drift["as it stands"][1].max() < 1e-14
assert drift["projected"][1].max() < 1e-10
assert drift["length differentiated twice"][1].max() > 1e-7

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for name, (t, error) in drift.items():
        axes.semilogy(t[1:], error[1:], label=name, linewidth=1)
    axes.set(xlabel="time [s]", ylabel="error of the length", ylim=(1e-17, 1))
    axes.legend(fontsize=8, ncols=2, loc="upper right")
    save(figure)
