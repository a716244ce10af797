"""Events: a ball that bounces, with a discrete variable that counts. Times of impacts against the closed form."""
import math
import sys

import numpy as np

import driftless as dl

m = dl.Model("Ball")
e = m.parameter("e", 0.8, description="restitution")
h = m.variable("h", start=1.0, fixed=True, unit="m")
v = m.variable("v", start=0.0, fixed=True, unit="m/s")
bounces = m.discrete("bounces", "Integer")
m.equation(dl.der(h), v)
m.equation(dl.der(v), -9.81)
hit = m.when(h < 0)
m.discrete_equation(bounces, dl.if_else(hit, m.pre(bounces) + 1, m.pre(bounces)))
m.reinit(hit, v, -e * v)
m.experiment(stop=2.0)

solution = m.simulate(tol=1e-8)
fall = math.sqrt(2 / 9.81)
exact = [fall * (1 + 2 * sum(0.8**k for k in range(1, n + 1))) for n in range(len(solution.events))]
times = [event.time for event in solution.events]
for n, (time, expected) in enumerate(zip(times, exact), 1):
    print(f"impact {n}   t = {time:.6f}   exact {expected:.6f}")
assert np.allclose(times, exact, atol=1e-6)
if len(sys.argv) > 1:
    solution.plot("h").figure.savefig(sys.argv[1])
