"""A small circuit simulator that shares nothing with Driftless: the reference for models/circuits.

Circuits are lists of elements between nodes (modified nodal analysis, charges and currents; Ho, Ruehli, Brennan 1975),

    d/dt q(x) + f(t, x) = 0,

with x the potentials of the nodes and the currents of voltage sources. Steps are those of Radau IIA with s stages, all
stages solved together by Newton's iteration with partial derivatives by complex steps. Steps are cut until the highest
coefficient of the polynomial of a step is below a bound, and end at every point that is asked for.
"""
import numpy as np

GROUND = "0"


def limited_exp(a):
    """exp, continued linearly far above anything that a solution has: iterates stay finite."""
    top = 200.0
    over = np.real(a) > top
    return np.where(over, np.exp(top)*(1 + a - top), np.exp(np.where(over, top, a)))


class Circuit:
    def __init__(self):
        self.names, self.index, self.currents, self.charges, self.capacitors = [], {}, [], [], []
        self.branches = []  # unknowns that are currents of sources

    def unknown(self, name):
        if name == GROUND:
            return -1
        if name not in self.index:
            self.index[name] = len(self.names)
            self.names.append(name)
        return self.index[name]

    # Each element adds a function (t, potentials) -> current, or (potentials) -> charge, from one node to another.
    def element(self, a, b, nodes, current=None, charge=None):
        a, b, nodes = self.unknown(a), self.unknown(b), [self.unknown(n) for n in nodes]
        if current:
            self.currents.append((a, b, nodes, current))
        if charge:
            self.charges.append((a, b, nodes, charge))

    def resistor(self, a, b, R):
        self.element(a, b, [a, b], lambda t, va, vb: (va - vb)/R)

    def capacitor(self, a, b, C, start=None):
        self.element(a, b, [a, b], None, lambda va, vb: C*(va - vb))
        self.capacitors.append((self.unknown(a), self.unknown(b), start))

    def diode(self, a, b, Is, vt, g=0.0):
        self.element(a, b, [a, b], lambda t, va, vb: Is*(limited_exp((va - vb)/vt) - 1) + g*(va - vb))

    def source(self, a, b, name, voltage):
        """From b to a; the current through it, from a to b, is the unknown `name`."""
        k, a_, b_ = self.unknown(name), self.unknown(a), self.unknown(b)
        self.branches.append(k)
        self.currents.append((a_, b_, [k], lambda t, i: i))
        self.currents.append((k, -1, [a_, b_], lambda t, va, vb: va - vb - voltage(t)))

    def transistor(self, c, b, e, Is, bF, bR, vt):
        forward = lambda vb, ve: Is*(limited_exp((vb - ve)/vt) - 1)
        self.element(b, e, [b, e], lambda t, vb, ve: forward(vb, ve)/bF)
        self.element(b, c, [b, c], lambda t, vb, vc: forward(vb, vc)/bR)
        self.element(c, e, [c, b, e], lambda t, vc, vb, ve: forward(vb, ve) - forward(vb, vc))

    def _sum(self, elements, x, *time):
        out = np.zeros(x.shape, x.dtype)
        for a, b, nodes, value in elements:
            v = value(*time, *[x[n] if n >= 0 else 0.0*x[0] for n in nodes])
            if a >= 0:
                out[a] = out[a] + v
            if b >= 0:
                out[b] = out[b] - v
        return out

    def f(self, t, x):
        return self._sum(self.currents, x, t)

    def q(self, x):
        return self._sum(self.charges, x)

    def slopes(self, function, x):
        n = len(x)
        return np.imag(function(x[:, None] + 1e-30j*np.eye(n)))/1e-30


def newton(residual, matrix, x, limit, iterations):
    before = np.inf
    for _ in range(iterations):
        r = residual(x)
        if not np.all(np.isfinite(r)):
            return None
        step = np.linalg.solve(matrix(x), r)
        largest = np.max(np.abs(step))
        x = x - step*min(1.0, limit/max(largest, 1e-300))
        size = 1 + np.max(np.abs(x))
        if largest < 1e-12*size or 0.3*before < largest < 1e-9*size:  # or all that is left is rounding
            return x
        before = largest
    return None


def start(circuit, t):
    """The point at which the capacitors have their start; those without one are at rest, no current flows."""
    n = len(circuit.names)
    held = [c for c in circuit.capacitors if c[2] is not None]
    B = np.zeros((n, len(held)))
    for k, (a, b, _) in enumerate(held):
        if a >= 0:
            B[a, k] = 1
        if b >= 0:
            B[b, k] = -1
    v0 = np.array([c[2] for c in held])

    def residual(z):
        return np.concatenate([circuit.f(t, z[:n]) + B @ z[n:], B.T @ z[:n] - v0])

    def matrix(z):
        J = circuit.slopes(lambda x: circuit.f(t, x), z[:n])
        return np.block([[J, B], [B.T, np.zeros((len(held), len(held)))]])
    z = newton(residual, matrix, np.zeros(n + len(held)), 0.02, 20000)
    if z is None:
        raise AssertionError("no start")
    return z[:n]


def radau(s):
    """Nodes, and the inverse of the matrix A, of Radau IIA."""
    P = np.polynomial.legendre.Legendre
    difference = P.basis(s) - P.basis(s - 1)
    c = np.sort(np.real((difference.roots() + 1)/2))
    c[-1] = 1.0
    powers = np.vander(c, s, increasing=True)
    A = (powers*c[:, None]/np.arange(1, s + 1)) @ np.linalg.inv(powers)
    return c, np.linalg.inv(A)


def integrate(circuit, times, s, bound, first, longest=np.inf):
    """x at the times."""
    n = len(circuit.names)
    c, W = radau(s)
    nodes = np.concatenate([[0.0], c])
    inverse = np.linalg.inv(np.vander(nodes, s + 1, increasing=True))
    t, h, x = times[0], first, start(circuit, times[0])
    out, last, scale, steps = [x], None, np.abs(x) + 0.1, 0
    for stop in times[1:]:
        while t < stop:
            h = min(h, longest)
            rest = stop - t
            step = rest if h >= 0.999*rest else min(h, 0.5*rest)
            guess = np.tile(x, (s, 1))
            if last is not None:
                h0, coefficients = last
                guess = np.vander(1 + c*step/h0, s + 1, increasing=True) @ coefficients
            q0 = circuit.q(x)

            def residual(z):
                X = z.reshape(s, n)
                Q = np.array([circuit.q(v) for v in X]) - q0
                return (W @ Q/step + np.array([circuit.f(t + c[i]*step, X[i]) for i in range(s)])).ravel()

            def matrix(z):
                X, M = z.reshape(s, n), np.zeros((s, n, s, n))
                for j in range(s):
                    dq = circuit.slopes(circuit.q, X[j])
                    for i in range(s):
                        M[i, :, j, :] = W[i, j]/step*dq
                    M[j, :, j, :] += circuit.slopes(lambda v: circuit.f(t + c[j]*step, v), X[j])
                return M.reshape(s*n, s*n)
            try:
                z = newton(residual, matrix, guess.ravel(), np.inf, 12)
            except np.linalg.LinAlgError:
                z = None
            if z is None:
                h, last = step/4, None
                if h < 1e-22:
                    raise AssertionError("the step vanishes at t = %g" % t)
                continue
            X = z.reshape(s, n)
            coefficients = inverse @ np.vstack([x, X])
            relative = np.abs(coefficients[-1])/scale
            relative[circuit.branches] = 0.0  # of currents into capacitors short steps leave rounding errors alone
            size = max(np.max(relative)/bound, 1e-10)
            if size > 1:
                h = step*max(0.2, 0.85*size**(-1.0/s))
                continue
            last, x, steps = (step, coefficients), X[-1], steps + 1
            scale = np.maximum(scale, np.abs(x))
            t = stop if step == rest else t + step
            h = max(h, step)*min(3.0, 0.85*size**(-1.0/s)) if step < h else step*min(3.0, 0.85*size**(-1.0/s))
        out.append(x)
    return np.array(out), steps
