"""Power series in time with lazily computed coefficients, and the Taylor integrator built on them.

A Series knows how to compute its next coefficient from earlier coefficients of its operands. Because nothing is
computed before it is asked for, an unknown may be defined by its own derivative, integral(f, start), with f an
expression in that unknown: asking for coefficients in ascending order never asks for one that is not yet known. So an
ordinary differential equation is written down once, in plain arithmetic, and its Taylor coefficients follow.

Coefficients are gmpy2.mpfr numbers of PRECISION bits: far more than the doubles that the references are rounded to.
"""
import sys
from operator import mul

import gmpy2
from gmpy2 import mpfr

PRECISION = 128
gmpy2.get_context().precision = PRECISION
sys.setrecursionlimit(100000)


class Series:
    def __init__(self, known=(), rule=None):
        self.known = list(known)
        self.rule = rule  # rule(k) gives coefficient k; None: a polynomial

    def __getitem__(self, k):
        while len(self.known) <= k:
            self.known.append(self.rule(len(self.known)) if self.rule else mpfr(0))
        return self.known[k]

    def upto(self, k):
        self[k]
        return self.known[:k + 1]

    def __add__(self, other):
        other = lift(other)
        return Series(rule=lambda k: self[k] + other[k])

    def __sub__(self, other):
        other = lift(other)
        return Series(rule=lambda k: self[k] - other[k])

    def __mul__(self, other):
        if not isinstance(other, Series):
            return Series(rule=lambda k: self[k]*other)
        return Series(rule=lambda k: sum(map(mul, self.upto(k), reversed(other.upto(k)))))

    def __truediv__(self, other):
        if not isinstance(other, Series):
            return Series(rule=lambda k: self[k]/other)
        quotient = Series()  # self = quotient*other
        quotient.rule = lambda k: (self[k] - convolve(quotient, other, 0, k - 1, k))/other[0]
        return quotient

    def __pow__(self, exponent):
        if exponent != int(exponent) or exponent < 1:
            raise ValueError("only positive whole exponents")
        power = self
        for _ in range(int(exponent) - 1):
            power = power*self
        return power

    __radd__ = __add__
    __rmul__ = __mul__
    __rsub__ = lambda self, other: lift(other) - self
    __rtruediv__ = lambda self, other: lift(other)/self
    __neg__ = lambda self: self*(-1)


def lift(value):
    return value if isinstance(value, Series) else Series([mpfr(value)])


def convolve(a, b, first, last, k):
    """Sum of a[i]*b[k-i] for i = first..last."""
    return sum(a[i]*b[k - i] for i in range(first, last + 1)) if last >= first else mpfr(0)


def weighted(a, b, first, last, k):
    """Sum of i*a[i]*b[k-i], which is what d/dt of a elementary function of a series needs."""
    return sum(i*a[i]*b[k - i] for i in range(first, last + 1)) if last >= first else mpfr(0)


def integral(integrand, start):
    """The series that starts at `start` and whose derivative is integrand() (a thunk: it may refer to the result)."""
    return Series([mpfr(start)], lambda k: lift(integrand())[k - 1]/k)


def derivative(series):
    return Series(rule=lambda k: (k + 1)*lift(series)[k + 1])


def sqrt(a):
    if not isinstance(a, Series):
        return gmpy2.sqrt(mpfr(a))
    root = Series(rule=None)
    root.rule = lambda k: gmpy2.sqrt(a[0]) if k == 0 else (a[k] - convolve(root, root, 1, k - 1, k))/(2*root[0])
    return root


def exp(a):
    if not isinstance(a, Series):
        return gmpy2.exp(mpfr(a))
    result = Series()
    result.rule = lambda k: gmpy2.exp(a[0]) if k == 0 else weighted(a, result, 1, k, k)/k
    return result


def sin_cos(a):
    if not isinstance(a, Series):
        return gmpy2.sin(mpfr(a)), gmpy2.cos(mpfr(a))
    s, c = Series(), Series()
    s.rule = lambda k: gmpy2.sin(a[0]) if k == 0 else weighted(a, c, 1, k, k)/k
    c.rule = lambda k: gmpy2.cos(a[0]) if k == 0 else -weighted(a, s, 1, k, k)/k
    return s, c


def sin(a):
    return sin_cos(a)[0]


def cos(a):
    return sin_cos(a)[1]


def solve_linear(matrix, right):
    """Gauss elimination without pivoting (for definite and quasi-definite matrices); entries equal to 0 are skipped."""
    n = len(right)
    a = [list(row) + [b] for row, b in zip(matrix, right)]
    zero = lambda entry: not isinstance(entry, Series) and entry == 0
    for k in range(n):
        for i in range(k + 1, n):
            if zero(a[i][k]):
                continue
            factor = a[i][k]/a[k][k]
            for j in range(k + 1, n + 1):
                if not zero(a[k][j]):
                    a[i][j] = a[i][j] - factor*a[k][j]
    x = [None]*n
    for i in reversed(range(n)):
        total = a[i][n]
        for j in range(i + 1, n):
            if not zero(a[i][j]):
                total = total - a[i][j]*x[j]
        x[i] = total/a[i][i]
    return x


def expand(system, t, state):
    """One Taylor expansion of y' = f(t, y) at t: the series of the states and of everything else that depends on them.

    system(time, y) returns (list of the derivatives of y, dict of further quantities), in series arithmetic.
    """
    derivatives = []
    y = [integral(lambda i=i: derivatives[i], value) for i, value in enumerate(state)]
    rates, quantities = system(Series([mpfr(t), mpfr(1)]), y)
    derivatives.extend(rates)
    return y, quantities


def integrate(system, state, times, order, tolerance):
    """Yields (t, state) at the ascending `times`. The last two coefficients bound the truncated rest of the series."""
    t = mpfr(0)
    state = [mpfr(value) for value in state]
    for target in map(mpfr, times):
        while t < target:
            y, _ = expand(system, t, state)
            for k in range(order + 1):
                for series in y:
                    series[k]
            step = min((tolerance*max(1, abs(s[0]))/abs(s[k]))**(mpfr(1)/k)
                       for s in y for k in (order - 1, order) if s[k] != 0) if any(
                           s[k] != 0 for s in y for k in (order - 1, order)) else target - t
            remaining = target - t
            step = remaining if step >= remaining else min(step, remaining/2)
            state = [horner(series.upto(order), step) for series in y]
            t = target if step == remaining else t + step
        yield t, state


def horner(coefficients, x):
    value = mpfr(0)
    for c in reversed(coefficients):
        value = value*x + c
    return value
