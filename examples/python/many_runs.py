"""A sweep: where an oscillator is after a second, if its spring and its mass are not known exactly."""
import sys

import numpy as np

import driftless as dl

model = dl.parse("""
    model Oscillator
      parameter Real m = 1, k = 10;
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(x) = v;
      m*der(v) = -k*x;
      annotation(experiment(StopTime = 1));
    end Oscillator;""")

sweep = dl.sweep(model.compile(tol=1e-8), {"m": "normal(1, 0.05)", "k": "uniform(9, 11)"}, runs=400, seed=1, keep=["x"])
print(sweep.summary())
exact = np.cos(np.sqrt(sweep["k"] / sweep["m"]))
print(f"closed form met within {np.abs(sweep['x'] - exact).max():.0e}")
assert np.abs(sweep["x"] - exact).max() < 1e-6
if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(layout="constrained")
    axes.hist(sweep["x"], bins=30)
    axes.set(xlabel="x(1)", ylabel="runs")
    figure.savefig(sys.argv[1])
