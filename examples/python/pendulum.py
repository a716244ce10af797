"""A pendulum in Cartesian coordinates, built from expressions: index 3, back where it started after one period."""
import math
import sys

import driftless as dl

L, g = 1.0, 9.81
# T = 2 pi sqrt(L/g) / agm(1, cos(a/2)) with the amplitude a = 90 degrees.
a, b = 1.0, math.cos(math.pi / 4)
while abs(a - b) > 1e-15:
    a, b = (a + b) / 2, math.sqrt(a * b)
period = 2 * math.pi * math.sqrt(L / g) / a

m = dl.Model("Pendulum")
length = m.parameter("L", L, unit="m")
x = m.variable("x", start=1.0, unit="m")
y = m.variable("y", start=0.0, fixed=True, unit="m")
force = m.variable("force", unit="1/s2", description="in the rod, per mass and length")
m.equation(dl.der(dl.der(x)), -force * x)
m.equation(dl.der(dl.der(y)), -force * y - g)
m.equation(x**2 + y**2, length**2, label="rod")
m.initial_equation(dl.der(y), 0)

solution = m.simulate(stop=period, tol=1e-9)
print(f"index      {m.analyze().index}")
print(f"bottom     y = {solution('y', period / 4):.6f} at t = T/4")
print(f"back       x = {solution.final('x'):.6f} at t = T = {period:.6f}")
print(f"rod        off by {solution.largest_residual:.0e} at most, hidden constraints included")
if len(sys.argv) > 1:
    solution.plot("x", "y").figure.savefig(sys.argv[1])
assert abs(solution.final("x") - L) < 1e-6
