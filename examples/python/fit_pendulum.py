"""Sensitivities and a fit: the length of a rod and the gravity from where the mass was seen."""
import sys

import numpy as np

import driftless as dl

model = dl.parse("""
    model Pendulum "a point mass on a rigid rod, index 3"
      parameter Real L = 1, g = 9.81;
      Real x(start = L), y(start = 0, fixed = true), force;
    initial equation
      der(y) = 0;
    equation
      der(der(x)) = -force*x;
      der(der(y)) = -force*y - g;
      x^2 + y^2 = L^2;
    end Pendulum;""")

# How the position moves with the length: against a difference of two runs.
compiled = model.compile(tol=1e-10, stop=1.5, intervals=30)
solution = compiled.simulate(sensitivities=["L", "g"])
longer, shorter = (compiled.simulate(parameters={"L": L}) for L in (1.0001, 0.9999))
difference = (longer["y"] - shorter["y"]) / 0.0002
assert np.abs(solution.sensitivity("y", "L") - difference).max() < 1e-5

# Measurements with an error of 2 mm, of a rod of 1.2 m on another planet.
times = np.linspace(0.05, 1.5, 30)
truth = compiled.simulate(parameters={"L": 1.2, "g": 8.87}, starts={"x": 1.2})
noise = np.random.default_rng(1).normal(0, 0.002, (2, len(times)))
data = {"time": times, "x": truth("x", times) + noise[0], "y": truth("y", times) + noise[1]}

fit = compiled.fit(data, ["L", "g"], bounds={"L": (0.1, 10)}, deviations={"x": 0.002, "y": 0.002})
print(fit)
assert fit.converged
for name, value in {"L": 1.2, "g": 8.87}.items():
    assert abs(fit[name] - value) < 4 * fit.standard_errors[name], (name, fit[name])
if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(layout="constrained")
    axes.plot(times, data["x"], ".", times, fit.solution("x", times))
    axes.set(xlabel="time", ylabel="x")
    figure.savefig(sys.argv[1])
