"""A bridge of ideal diodes charges a capacitor. Which diodes conduct is found at each event; none ever leaks."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "hybrid" / "bridge_rectifier_rc.mo")
solution = model.simulate(tol=1e-8, intervals=400)
currents = np.array([solution[f"id[{k}]"] for k in range(1, 5)])
voltages = np.array([solution[f"vd[{k}]"] for k in range(1, 5)])
print(f"{len(solution.events)} events; the first is caused by {solution.events[0].causes[0]}")
print(f"smallest current of a diode {currents.min():.1e} A, largest voltage {voltages.max():.1e} V")
assert currents.min() > -1e-7 and voltages.max() < 1e-7
assert np.abs(currents * voltages).max() == 0.0  # each diode blocks or conducts, never both

# While nothing conducts, the capacitor discharges through the load alone.
blocked = [event.time for event in solution.events][1:3]
begin, end = blocked[0] + 1e-9, blocked[1] - 1e-9
decay = solution("vl", end) / solution("vl", begin)
print(f"discharge by {decay:.9f}, closed form {np.exp(-(end - begin) / (10 * 0.1)):.9f}")
assert abs(decay - np.exp(-(end - begin) / (10 * 0.1))) < 1e-6

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    axes.plot(solution.t, solution["v"], color="0.6", label="source [V]")
    axes.plot(solution.t, solution["vl"], label="load [V]")
    axes.plot(solution.t, solution["il"], label="current of the bridge [A]")
    axes.set(xlabel="time [s]")
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    save(figure)
