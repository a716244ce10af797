"""A switching converter: a thousand events, and a ripple that the closed form of the steady cycle predicts."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

model = dl.read(Path(__file__).parents[2] / "models" / "hybrid" / "buck_converter.mo")
solution = model.simulate(stop=5e-3, tol=1e-8, intervals=500)
p = solution.parameters
tail = solution("i", np.linspace(4.99e-3, 5e-3, 2001)[:-1])
ripple = tail.max() - tail.min()
predicted = p["V"] * p["d"] * (1 - p["d"]) * p["T"] / p["L"]
print(f"{len(solution.events)} events, output {solution.final('v'):.4f} V, mean of the input {p['d'] * p['V']:.4f} V")
print(f"ripple of the current {ripple:.4f} A, for a constant output voltage {predicted:.4f} A")
assert len(solution.events) >= 1000
assert abs(solution.final("v") - p["d"] * p["V"]) < 0.02
assert abs(ripple - predicted) < 0.01 * predicted

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2)
    early = np.linspace(0, 2e-3, 300)
    left.plot(1e3 * early, solution("v", early), label="output [V]")
    left.plot(1e3 * early, solution("i", early), label="coil [A]")
    left.set(xlabel="time [ms]")
    left.legend()
    late = np.linspace(4.97e-3, 5e-3, 200)
    right.plot(1e3 * late, solution("i", late))
    right.set(xlabel="time [ms]", ylabel="current of the coil [A]")
    save(figure)
