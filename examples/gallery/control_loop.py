"""A run as an object: a controller in Python balances a rod on a cart, fifty times a second, and survives a push."""
import sys

import numpy as np

import driftless as dl

model = dl.parse("""
    model Cart "a cart with an upright rod of mass 0.2 at the length 0.5"
      input Real u(start = 0) "force on the cart";
      input Real push(start = 0) "force on the tip";
      Real s(start = 0, fixed = true), v(start = 0, fixed = true);
      Real x(start = 0.05, fixed = true), y(start = 0.5), wx(start = 0, fixed = true), wy, rod "force in the rod, per length";
    equation
      der(s) = v;
      der(x) = wx;
      der(y) = wy;
      1.0*der(v) = u + rod*(x - s);
      0.2*der(wx) = -rod*(x - s) + push;
      0.2*der(wy) = -rod*y - 0.2*9.81;
      (x - s)^2 + y^2 = 0.25;
      annotation(experiment(StopTime = 12));
    end Cart;""")

gains = np.array([1.0, 2.2, 34.0, 7.5])  # on s, v, the angle and its rate
interval, log = 0.02, []
run = dl.Simulation(model, tol=1e-8)
while run.time + interval <= run.stop + 1e-9:
    s, v, x, y, wx, wy = run.values(["s", "v", "x", "y", "wx", "wy"])
    angle = np.arctan2(x - s, y)
    rate = ((wx - v) * y - (x - s) * wy) / 0.25
    u = float(np.clip(gains @ [s, v, angle, rate], -20, 20))
    push = 1.0 if 5.0 <= run.time < 5.1 else 0.0
    run.set(u=u, push=push)
    log.append((run.time, u))
    run.advance_to(min(run.time + interval, run.stop))
solution = run.finish()
angle = np.degrees(np.arctan2(solution["x"] - solution["s"], solution["y"]))
print(f"{len(log)} samples; at the end the rod leans by {angle[-1]:.3f} degrees, the cart is at {solution.final('s'):.3f} m")
print(f"the push tilts it by {np.abs(angle[solution.t > 5]).max():.2f} degrees; rod off its length by {solution.largest_residual:.0e}")
assert abs(angle[-1]) < 0.2 and abs(solution.final("s")) < 0.05
assert np.abs(angle[solution.t > 5]).max() < 20

if len(sys.argv) > 1:
    from picture import panels, save

    figure, axes = panels()
    axes.plot(solution.t, angle, label="angle [degrees]")
    axes.plot(solution.t, 10 * solution["s"], label="cart [dm]")
    axes.plot(*np.array(log).T, linewidth=0.7, color="0.5", label="force [N]")
    axes.axvline(5, linestyle=":", color="0.4")
    axes.set(xlabel="time [s]")
    axes.legend()
    save(figure)
