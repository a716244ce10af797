"""A ball that bounces ever faster: every impact is met to the last digits, and two points of equal time tell each one."""
import sys

import numpy as np

import driftless as dl

m = dl.Model("Ball")
e = m.parameter("e", 0.8, description="restitution")
h = m.variable("h", start=1.0, fixed=True, unit="m")
v = m.variable("v", start=0.0, fixed=True, unit="m/s")
m.equation(dl.der(h), v)
m.equation(dl.der(v), -9.81)
m.reinit(m.when(h < 0), v, -e * v)

fall = np.sqrt(2 / 9.81)
solution = m.simulate(stop=3.5, tol=1e-9, intervals=250)
times = np.array([event.time for event in solution.events])
exact = fall * (1 + 2 * np.cumsum(0.8 ** np.arange(len(times)))) - 2 * fall
print(f"{len(times)} impacts, off their instants by {np.abs(times - exact).max():.1e} s")
print(f"they would accumulate at t = {fall * (1 + 2 * 0.8 / 0.2):.4f}")
assert np.allclose(times, exact, atol=1e-6)

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2, width_ratios=[1.6, 1])
    left.plot(solution.t, solution["h"])
    left.plot(times, 0 * times, "|", color="#a3324c", markersize=9, label="impacts")
    left.set(xlabel="time [s]", ylabel="height [m]")
    left.legend()
    ends = [0, *(np.flatnonzero(np.diff(solution.t) == 0) + 1), len(solution.t)]  # an impact has two points
    for begin, end in zip(ends, ends[1:]):
        right.plot(solution["h"][begin:end], solution["v"][begin:end], color="#0068a8")
    right.set(xlabel="height [m]", ylabel="velocity [m/s]")
    save(figure)
