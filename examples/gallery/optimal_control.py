"""Optimal control: an oscillator is brought to rest with the least effort, by shooting with exact costates."""
import sys

import numpy as np

import driftless as dl

# Pontryagin: the control is u = -q, and the costates (p, q) obey the adjoint equations. u is algebraic: index 1.
model = dl.parse("""
    model Control "minimize the integral of u^2/2 for x'' = -x + u"
      parameter Real p0 = 0, q0 = 0;
      Real x(start = 1, fixed = true), v(start = 0, fixed = true), p(start = p0, fixed = true), q(start = q0, fixed = true);
      Real u, effort(start = 0, fixed = true);
    equation
      der(x) = v;
      der(v) = -x + u;
      der(p) = q;
      der(q) = -p;
      u = -q;
      der(effort) = u^2/2;
      annotation(experiment(StopTime = 3));
    end Control;""")
compiled = model.compile(tol=1e-11)


def end(p0, q0):
    run = compiled.simulate(parameters={"p0": p0, "q0": q0}, intervals=100)
    return np.array([run.final("x"), run.final("v")]), run


target = end(0, 0)[0]
sensitivity = np.column_stack([end(1, 0)[0] - target, end(0, 1)[0] - target])  # the problem is linear: exact
p0, q0 = np.linalg.solve(sensitivity, -target)
rest, run = end(p0, q0)

# The least effort is z' G^-1 z / 2 with the controllability matrix G of the rotation, and z the free motion's end.
T = 3.0
G = np.array([[T / 2 - np.sin(2 * T) / 4, np.sin(T) ** 2 / 2], [np.sin(T) ** 2 / 2, T / 2 + np.sin(2 * T) / 4]])
least = 0.5 * target @ np.linalg.solve(G, target)
print(f"at rest up to {np.abs(rest).max():.1e}; effort {run.final('effort'):.9f}, closed form {least:.9f}")
assert np.abs(rest).max() < 1e-9
assert abs(run.final("effort") - least) < 1e-8

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    for name in ("x", "v", "u"):
        axes.plot(run.t, run[name], label=name)
    axes.set(xlabel="time [s]")
    axes.legend()
    save(figure)
