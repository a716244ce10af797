"""Two rods, written with coordinates of the masses and with angles: two models of one thing agree until chaos wins."""
import sys

import numpy as np

import driftless as dl

rods = dl.parse("""
    model Rods "positions of both masses and forces in both rods: index 3"
      constant Real g = 9.81;
      Real x1(start = 1), y1(start = 0, fixed = true), x2(start = 1), y2(start = -1, fixed = true), f1, f2;
    initial equation
      der(y1) = 0;
      der(x2) = 0;
    equation
      der(der(x1)) = -f1*x1 + f2*(x2 - x1);
      der(der(y1)) = -f1*y1 + f2*(y2 - y1) - g;
      der(der(x2)) = -f2*(x2 - x1);
      der(der(y2)) = -f2*(y2 - y1) - g;
      x1^2 + y1^2 = 1;
      (x2 - x1)^2 + (y2 - y1)^2 = 1;
      annotation(__Driftless(invariants(energy = (der(x1)^2 + der(y1)^2 + der(x2)^2 + der(y2)^2)/2 + g*(y1 + y2))));
    end Rods;""")
angles = dl.parse("""
    model Angles "two angles against the vertical: an ordinary differential equation"
      constant Real g = 9.81, pi = 3.14159265358979323846;
      Real a(start = pi/2, fixed = true), b(start = 0, fixed = true);
    initial equation
      der(a) = 0;
      der(b) = 0;
    equation
      2*der(der(a)) + cos(a - b)*der(der(b)) + sin(a - b)*der(b)^2 + 2*g*sin(a) = 0;
      cos(a - b)*der(der(a)) + der(der(b)) - sin(a - b)*der(a)^2 + g*sin(b) = 0;
    end Angles;""")

run = rods.simulate(stop=6, tol=1e-11, intervals=600)
other = angles.simulate(stop=6, tol=1e-11, intervals=600)
x2 = np.sin(other["a"]) + np.sin(other["b"])
y2 = -np.cos(other["a"]) - np.cos(other["b"])
difference = np.hypot(run["x2"] - x2, run["y2"] - y2).max()
print(f"index {rods.analyze().index} and {angles.analyze().index}; they differ by {difference:.1e} at most")
print(f"rods too long by {run.largest_residual:.0e} at most, hidden constraints included")
assert difference < 1e-6
assert run.largest_residual < 1e-10

if len(sys.argv) > 1:
    from picture import panels, save

    figure, (left, right) = panels(1, 2, width_ratios=[1, 1.4])
    left.plot(run["x1"], run["y1"], color="0.75")
    left.plot(run["x2"], run["y2"], linewidth=0.9)
    left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    right.plot(run.t, run["f1"], label="f1")
    right.plot(run.t, run["f2"], label="f2")
    right.set(xlabel="time [s]", ylabel="force / (length mass)")
    right.legend()
    save(figure)
