"""A sweep: how the period of a pendulum grows with its amplitude, from a hundred runs and from an elliptic integral."""
import sys

import numpy as np

import driftless as dl

model = dl.parse("""
    model Swing "one quarter of a swing, from the side to the bottom"
      parameter Real amplitude = 1;
      constant Real pi = 3.14159265358979323846;
      Real phi(start = amplitude, fixed = true), w(start = 0, fixed = true), quarter(start = 0, fixed = true);
    equation
      der(phi) = w;
      der(w) = -sin(phi);
      der(quarter) = 0;
      when phi < 0 then
        reinit(quarter, time);
      end when;
      annotation(experiment(StopTime = 6));
    end Swing;""")
amplitudes = np.linspace(0.1, 3.0, 100)
sweep = dl.sweep(model.compile(tol=1e-9), {"amplitude": amplitudes}, keep=["quarter"])
a, b = np.ones(100), np.cos(amplitudes / 2)
for _ in range(8):
    a, b = (a + b) / 2, np.sqrt(a * b)
exact = 2 * np.pi / a
print(f"{len(sweep)} runs, {len(sweep.failures)} failures")
print(f"periods off by {np.abs(4 * sweep['quarter'] - exact).max():.1e}")
assert len(sweep.failures) == 0
assert np.abs(4 * sweep["quarter"] - exact).max() < 1e-5

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    axes.plot(np.degrees(amplitudes), exact, color="0.6", label="elliptic integral")
    axes.plot(np.degrees(amplitudes[::4]), 4 * sweep["quarter"][::4], "o", markersize=3, label="runs")
    axes.axhline(2 * np.pi, linestyle=":", color="0.4")
    axes.set(xlabel="amplitude [degrees]", ylabel="period, for g/L = 1")
    axes.legend()
    save(figure)
