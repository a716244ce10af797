"""The planar pendulum of length 1 released at rest from the horizontal, by Jacobi's elliptic functions.

With the angle phi from the vertical, sin(phi/2) = k cd(w t), k^2 = 1/2, w^2 = g, so that

    x = sin phi = cn/dn^2,     y = -cos phi = cn^2/dn^2 - 1     at w t (Abramowitz and Stegun, 16.3 and 16.4).

The time is taken modulo the period in 40 digits: after a thousand units the angle is as exact as at the start.
"""
import math
from decimal import Decimal, getcontext

getcontext().prec = 40
K2 = Decimal("0.5")  # k^2
PI = Decimal("3.141592653589793238462643383279502884197")


def means():
    """Arithmetic and geometric means from 1 and k', with c_n = (a_{n-1} - b_{n-1})/2."""
    a, b, c = [Decimal(1)], (1 - K2).sqrt(), [K2.sqrt()]
    while c[-1] > Decimal("1e-36"):
        a, b, c = a + [(a[-1] + b) / 2], (a[-1] * b).sqrt(), c + [(a[-1] - b) / 2]
    return a, c


A, C = means()
PERIOD = 2 * PI / A[-1]  # 4 K
RATIOS = [float(c / a) for a, c in zip(A, C)]


def jacobi(u):
    """cn, dn for 0 <= u <= 4 K, by descending along the means (Abramowitz and Stegun, 16.4)."""
    last = len(A) - 1
    phi = 2.0**last * float(A[-1] * u)
    for n in range(last, 0, -1):
        phi = (phi + math.asin(RATIOS[n] * math.sin(phi))) / 2
    return math.cos(phi), math.sqrt(1 - float(K2) * math.sin(phi) ** 2)


def position(t, g):
    cn, dn = jacobi(Decimal(g).sqrt() * Decimal(t) % PERIOD)
    return cn / dn**2, (cn / dn) ** 2 - 1


def largest_error(times, xs, ys, g=9.81):
    largest = 0.0
    for t, x, y in zip(times, xs, ys):
        exact_x, exact_y = position(t, g)
        largest = max(largest, abs(x - exact_x), abs(y - exact_y))
    return largest
