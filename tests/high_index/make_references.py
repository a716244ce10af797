#!/usr/bin/env python3
"""References for models/high_index, with 50 digits, from formulas solved by hand. They share nothing with the program.

Everything is a power series in t about the point that is asked for. Writes <model>.json beside this file: points with t
and the values of variables.
"""

import json
from pathlib import Path

from mpmath import asin, cos, exp, mp, mpf, sin, taylor

mp.dps = 50


class Series:
    """sum of c[k] h^k, truncated after its last coefficient."""

    def __init__(self, c):
        self.c = list(c)

    def __add__(self, other):
        other = lift(other, len(self.c))
        return Series(a + b for a, b in zip(self.c, other.c))

    def __neg__(self):
        return Series(-a for a in self.c)

    def __sub__(self, other):
        return self + (-lift(other, len(self.c)))

    def __rsub__(self, other):
        return lift(other, len(self.c)) - self

    def __mul__(self, other):
        other = lift(other, len(self.c))
        n = min(len(self.c), len(other.c))
        return Series(sum((self.c[j]*other.c[k - j] for j in range(k + 1)), mpf(0)) for k in range(n))

    def __truediv__(self, other):
        other = lift(other, len(self.c))
        quotient = []
        for k in range(min(len(self.c), len(other.c))):
            known = sum((quotient[j]*other.c[k - j] for j in range(k)), mpf(0))
            quotient.append((self.c[k] - known)/other.c[0])
        return Series(quotient)

    __radd__, __rmul__ = __add__, __mul__

    def derivative(self):
        return Series(k*a for k, a in enumerate(self.c) if k > 0)

    def sum_at(self, h):
        total = mpf(0)
        for a in reversed(self.c):
            total = total*h + a
        return total


def lift(a, n):
    return a if isinstance(a, Series) else Series([mpf(a)] + [mpf(0)]*(n - 1))


def write(name, points):
    shown = [{"t": float(t), "values": {key: float(value) for key, value in values.items()}} for t, values in points]
    path = Path(__file__).parent/(name + ".json")
    path.write_text(json.dumps({"points": shown}, indent=1) + "\n")


def robot_arm():
    """x1 and x3 are known; two of the equations of motion are linear in the twist 2 x3 - x2 and in u1 - u2."""
    points = []
    for t in [mpf(k)/4 for k in range(5)]:
        n = 8
        x1, x3 = Series(taylor(lambda h: 1 - exp(h), t, n)), Series(taylor(lambda h: exp(h) - h, t, n))
        c3, s3 = Series(taylor(lambda h: cos(exp(h) - h), t, n)), Series(taylor(lambda h: sin(exp(h) - h), t, n))
        below = 2 - c3*c3
        a, b, c, d = lift(2, n + 1)/below, c3/below, s3/below, s3*c3/below
        x4, x6 = x1.derivative(), x3.derivative()
        both = x4 + x6
        first = x4.derivative() - 2*c*both*both - d*x4*x4
        third = x6.derivative() + 2*c*both*both + d*x4*x4 + 2*c*x4*x4 + d*both*both
        # first = twist (a + 2b) + a w, third = twist (a - 9b) - (a + b) w, w = u1 - u2
        twist = (first*(a + b) + third*a)/((a + 2*b)*(a + b) + (a - 9*b)*a)
        w = (first - twist*(a + 2*b))/a
        x2 = 2*x3 - twist
        x5 = x2.derivative()
        # x5' = -2c both² - d x4² + twist (1 - 3a - 2b) - a w + u2
        u2 = x5.derivative() + 2*c*both*both + d*x4*x4 - twist*(1 - 3*a - 2*b) + a*w
        u1 = u2 + w
        series = {"x1": x1, "x2": x2, "x3": x3, "x4": x4, "x5": x5, "x6": x6, "u1": u1, "u2": u2}
        points.append((t, {name: value.c[0] for name, value in series.items()}))
    write("robot_arm", points)


def cubic_root(force, k, k3):
    """The series s with k s + k3 s^3 = force: one real root, coefficient by coefficient."""
    root = mp.findroot(lambda s: k*s + k3*s**3 - force.c[0], force.c[0]/k)
    s = [root]
    for n in range(1, len(force.c)):
        open_end = Series(s + [mpf(0)])
        residual = force.c[n] - (k*open_end + k3*open_end*open_end*open_end).c[n]
        s.append(residual/(k + 3*k3*root**2))
    return Series(s)


def mass_chain():
    m, k, k3, masses = mpf("0.2"), 10, 5, 5
    points = []
    for t in [mpf(j)/2 for j in range(9)]:
        x = {masses: Series(taylor(lambda h: sin(h) + mpf("0.3")*cos(2*h), t, 14))}
        values, behind = {}, 0
        for i in range(masses, 1, -1):
            behind = m*x[i].derivative().derivative() + behind
            s = cubic_root(behind, k, k3)
            x[i - 1] = x[i] + s
            values[f"s[{i - 1}]"] = s.c[0]
        values["F"] = (m*x[1].derivative().derivative() + behind).c[0]
        points.append((t, {**{f"x[{i}]": x[i].c[0] for i in x}, **values}))
    write("mass_chain", points)


def pendulum_series(length, angle, rate, n):
    """a'' length = -(2 length' a' + G sin a), coefficient by coefficient."""
    G, l, a, w = mpf("9.8"), length.c, [angle], [rate]
    s, c = [sin(angle)], [cos(angle)]
    for k in range(n):
        stretch = sum(((j + 1)*l[j + 1]*w[k - j] for j in range(k + 1)), mpf(0))
        carried = sum((l[j]*(k + 1 - j)*w[k + 1 - j] for j in range(1, k + 1)), mpf(0))
        a.append(w[k]/(k + 1))
        w.append((-(2*stretch + G*s[k]) - carried)/((k + 1)*l[0]))
        s.append(sum((j*a[j]*c[k + 1 - j] for j in range(1, k + 2)), mpf(0))/(k + 1))
        c.append(-sum((j*a[j]*s[k + 1 - j] for j in range(1, k + 2)), mpf(0))/(k + 1))
    return Series(a), Series(w), Series(s), Series(c)


def cascade(state, order):
    """The series of all pendula: the length of each is 1 + 0.1 times the rod force of the one before."""
    G, found, length = mpf("9.8"), [], lift(1, order + 1)
    for angle, rate in state:
        n = len(length.c) - 1
        a, w, s, c = pendulum_series(length, angle, rate, n - 1)
        found.append((a, w, length*s, length*c))
        force = w*w + (G*c - length.derivative().derivative())/length
        found[-1] += (force,)
        length = 1 + mpf("0.1")*force
    return found


def start_of_cascade(pendula):
    state, length = [], mpf(1)
    for i in range(1, pendula + 1):
        state.append((asin(mpf("0.05")*(-1)**i/length), mpf(0)))
        length = 1 + mpf("0.1")*cascade(state, 2*pendula + 2)[-1][-1].c[0]
    return state


def pendula():
    count, order, h = 7, 46, mpf(1)/40
    state = start_of_cascade(count)
    points = []
    for step in range(81):
        found = cascade(state, order)
        if step % 20 == 0:
            values = {}
            for i, (a, w, across, down, force) in enumerate(found, 1):
                values.update({f"x[{i}]": across.c[0], f"y[{i}]": down.c[0], f"lambda[{i}]": force.c[0],
                               f"der(x[{i}])": across.c[1]})
            points.append((step*h, values))
        state = [(one[0].sum_at(h), one[1].sum_at(h)) for one in found]
    write("pendula", points)


if __name__ == "__main__":
    robot_arm()
    mass_chain()
    pendula()
