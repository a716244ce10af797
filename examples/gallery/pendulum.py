"""A pendulum in Cartesian coordinates: index 3, back at its start after a period that is known in closed form."""
import math
import sys

import driftless as dl

g, L = 9.81, 1.0
m = dl.Model("Pendulum")
x = m.variable("x", start=L)
y = m.variable("y", start=0, fixed=True)
force = m.variable("force")
m.equation(dl.der(dl.der(x)), -force * x)
m.equation(dl.der(dl.der(y)), -force * y - g)
m.equation(x**2 + y**2, L**2, label="rod")
m.initial_equation(dl.der(y), 0)

a, b = 1.0, math.cos(math.pi / 4)  # the arithmetic-geometric mean gives the period for an amplitude of 90 degrees
for _ in range(5):
    a, b = (a + b) / 2, math.sqrt(a * b)
period = 2 * math.pi * math.sqrt(L / g) / a

solution = m.simulate(stop=period, tol=1e-10, intervals=200)
print(f"index {m.analyze().index}, period {period:.6f} s, back at x = {solution.final('x'):.9f}")
print(f"force in the rod at the bottom {max(solution['force']):.6f}, closed form {3 * g / L:.6f}")
assert abs(solution.final("x") - L) < 1e-7
assert abs(solution("force", period / 4) - 3 * g / L) < 1e-6

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2, width_ratios=[2, 1])
    left.plot(solution.t, solution["x"], label="x [m]")
    left.plot(solution.t, solution["y"], label="y [m]")
    left.plot(solution.t, solution["force"] / 10, label="force / 10")
    left.set(xlabel="time [s]")
    left.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    right.plot(solution["x"], solution["y"])
    right.plot([0, solution("x", 0.5)], [0, solution("y", 0.5)], "o-", color="0.4")
    right.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    save(figure)
