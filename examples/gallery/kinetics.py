"""Robertson's reaction, the stiffest of the classics: ten decades of time, and a balance of mass in place of a rate."""
import sys

import numpy as np

import driftless as dl

model = dl.parse("""
    model Robertson
      Real a(start = 1), b(start = 0, fixed = true, nominal = 1e-5), c(start = 0, fixed = true);
    equation
      der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
      der(c) = 3e7*b^2;
      a + b + c = 1;
    end Robertson;""")
compiled = model.compile(tol=1e-9)
reference = {"a": 0.7158270688, "b": 9.185534765e-6, "c": 0.2841637457}  # at t = 40
solution = compiled.simulate(stop=40, intervals=200)
for name, expected in reference.items():
    print(f"{name}(40) = {solution.final(name):.10g}, reference {expected:.10g}")
    assert abs(solution.final(name) - expected) < 1e-6 * expected + 1e-9
long = compiled.simulate(stop=1e8, intervals=10)
print(f"up to t = 1e8 in {long.statistics['steps']} steps with {long.method}; mass off by {long.largest_residual:.0e}")
assert long.statistics["steps"] < 5000
assert abs(long["a"][-1] + long["b"][-1] + long["c"][-1] - 1) < 1e-12

if len(sys.argv) > 1:
    from picture import panels, save

    t = np.logspace(-5, 8, 150)
    figure, axes = panels()
    for name, factor in (("a", 1.0), ("b", 1e4), ("c", 1.0)):
        axes.semilogx(t, factor * long(name, t), label=name if factor == 1 else f"{factor:g} {name}")
    axes.set(xlabel="time [s]", ylabel="concentration")
    axes.legend()
    save(figure)
