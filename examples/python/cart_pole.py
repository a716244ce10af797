"""Linearization: a pole upright on a cart is balanced by a force that its linear system suggests; the whole model agrees."""
import sys
from pathlib import Path

import numpy as np

import driftless as dl

MODEL = Path(__file__).resolve().parents[2] / "models" / "linear" / "cart_pole.mo"
compiled = dl.read(MODEL).compile(stop=8.0)
linear = compiled.linearize(outputs=["x"])
print("states", linear.states, " growing modes", [f"{z.real:.3f}" for z in linear.eigenvalues if z.real > 1e-6])

# Ackermann's formula: feedback F = -k x that moves all eigenvalues to -2, -2.5, -3, -3.5.
A, B = linear.A, linear.B
wanted = np.poly([-2.0, -2.5, -3.0, -3.5])
controllability = np.hstack([np.linalg.matrix_power(A, k) @ B for k in range(4)])
polynomial = sum(c * np.linalg.matrix_power(A, 4 - k) for k, c in enumerate(wanted))
k = np.linalg.solve(controllability.T, np.eye(4)[3]) @ polynomial
print("feedback", dict(zip(linear.states, k.round(2))))

run = dl.Simulation(compiled, starts={"px": 0.05})
while run.time < 7.99:
    run.set(F=-float(k @ run.values(linear.states)))
    run.advance_to(min(run.time + 0.01, 8.0))
solution = run.finish()
print(f"after 8 s the cart is at {solution.final('x'):.4f} m, the top of the pole at {solution.final('px'):.4f} m")
assert abs(solution.final("px")) < 0.01 and abs(solution.final("x")) < 0.01
if len(sys.argv) > 1:
    solution.plot("x", "px").figure.savefig(sys.argv[1])
