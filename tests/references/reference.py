"""What a reference is, how it is checked against its model text, and how it is written.

Nothing is written that has not passed every check:
  1. the solution, as a power series at every output time, satisfies every equation of the text, and the equation's
     derivatives up to its offset: so all hidden constraints too;
  2. at t = 0 it has the text's fixed values and satisfies the text's initial equations;
  3. two runs with different order and tolerance agree (closed forms need no run), and so does an explicit
     Runge-Kutta code (DOP853) as far as double precision allows;
  4. it agrees with the published digits, where there are any;
  5. every invariant is constant;
  6. the system Jacobian has full rank, so the offsets tell the truth (the transistor amplifier is the known exception).
"""
import json
import os
from dataclasses import dataclass, field
from typing import Callable

import numpy
from gmpy2 import mpfr
from scipy.integrate import solve_ivp

import structure
from model_text import ModelText, translate
from series import Series, derivative, expand, integrate

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
FIRST_RUN = dict(order=30, tolerance=mpfr("1e-33"))
SECOND_RUN = dict(order=22, tolerance=mpfr("1e-26"))
LOOSE_RUN = dict(order=16, tolerance=mpfr("1e-18"))


@dataclass
class Reference:
    model: str                                  # file in models/
    times: list                                 # output times, ascending, as text or numbers; the last one is the stop
    source: str                                 # where the solution comes from
    closed_form: Callable = None                # time series -> {variable: series}
    system: Callable = None                     # or: (time, states) -> (rates, {variable: series})
    start: list = None                          # with its initial states
    disturbance: list = None                    # a change of them within the constraints; default: random signs
    overrides: dict = field(default_factory=dict)
    invariants: list = field(default_factory=list)   # (name, expression in the text's variables)
    published: dict = field(default_factory=dict)    # {t: {name: digits as text}}
    published_units: float = 1                  # agreement required, in units of the last digit printed
    literal: dict = field(default_factory=dict)      # {t: {name: digits}}, points taken over without recomputation
    written: Callable = lambda name: True       # which variables go into the file
    runge_kutta: float = 1e-9                   # agreement required of DOP853, relative to the scale; 0: not run
    rank_defect: int = 0                        # of the system Jacobian
    true_degrees_of_freedom: int = None         # where the structure lies
    notes: str = ""


def build(name, reference):
    text = ModelText(os.path.join(ROOT, "models", reference.model), **reference.overrides)
    signature = text.signature()
    shape = structure.describe(signature)
    times = [mpfr(t) for t in reference.times]
    if reference.closed_form:
        points = [reference.closed_form(Series([t, mpfr(1)])) for t in times]
    else:
        points = run(reference, FIRST_RUN)
    for t, solution in zip(times, points):
        check_equations(text, shape, t, solution)
    check_start(text, points[0])
    check_rank(text, signature, shape, reference, points[len(points)//2], times[len(times)//2])

    highest = {}
    for row in signature:
        for j, order in row.items():
            highest[text.variables[j]] = max(order, highest.get(text.variables[j], 0))
    orders = {v: range(max(1, highest[v])) for v in text.variables if reference.written(v)}
    values = [values_of(solution, orders) for solution in points]
    scale = {v: max(abs(p[v]) for p in values) for v in values[0]}
    if reference.system:
        second = [values_of(solution, orders) for solution in run(reference, SECOND_RUN)]
        require(difference(values, second, scale) < 1e-17, "the two runs differ", difference(values, second, scale))
        check_runge_kutta(reference, values, scale)
    for t, digits in reference.published.items():
        check_digits(t, digits, values[times.index(mpfr(t))], reference.published_units)

    document = {"model": "models/" + reference.model, "stop": float(times[-1]),
                "kind": "closed form" if reference.closed_form else "reference", "source": reference.source}
    if reference.overrides:
        document["overrides"] = reference.overrides
    document["variables_scale"] = {v: float(s) if s else 1.0 for v, s in scale.items()}
    document["points"] = [{"t": float(t), "values": {v: rounded(x, scale[v]) for v, x in p.items()}}
                          for t, p in zip(times, values)]
    for t, digits in reference.literal.items():
        document["points"].append({"t": float(t), "values": {v: float(x) for v, x in digits.items()}})
        document["stop"] = float(t)
    document["invariants"] = [
        {"name": key, "expression": expression, "value": invariant(text, expression, times, points)}
        for key, expression in reference.invariants]
    document["structure"] = shape
    if reference.true_degrees_of_freedom is not None:
        document["structure"]["true_degrees_of_freedom"] = reference.true_degrees_of_freedom
    if reference.system and not reference.literal:
        document["error_amplification"] = amplification(reference, orders, values, scale)
    document["notes"] = reference.notes
    write(name, document)
    return document


def run(reference, settings, nudge=0):
    """The solution as series around every output time."""
    signs = numpy.random.default_rng(1).choice([-1, 1], len(reference.start))
    directions = reference.disturbance or [int(sign) for sign in signs]
    start = [mpfr(value) + nudge*mpfr(direction) for value, direction in zip(reference.start, directions)]
    return [expand(reference.system, t, state)[1]
            for t, state in integrate(reference.system, start, reference.times, **settings)]


def values_of(solution, orders):
    values = {}
    for name, range_of_orders in orders.items():
        series, factorial = solution[name], 1
        for k in range_of_orders:
            factorial *= max(k, 1)
            values["der("*k + name + ")"*k] = factorial*series[k]
    return values


def rounded(value, scale):
    """To a double; what is zero but for the arithmetic's own rounding becomes zero."""
    return float(value) if abs(value) > 1e-28*max(1, scale) else 0.0


def difference(first, second, scale):
    return float(max(abs(p[v] - q[v])/max(scale[v], mpfr("1e-30")) for p, q in zip(first, second) for v in p))


def require(condition, *message):
    if not condition:
        raise AssertionError(*message)


def environment(t, solution):
    return {**solution, "time": Series([mpfr(t), mpfr(1)]), "der": derivative}


def check_equations(text, shape, t, solution):
    residuals = text.residuals(environment(t, solution))
    for i, (residual, c) in enumerate(zip(residuals, shape["differentiations"])):
        for k in range(c + 1):
            size = 1 + max(abs(series[k]) for series in solution.values())
            require(abs(residual[k]) < 1e-22*size, "equation %d, derivative %d, t = %s: residual %s"
                    % (i + 1, k, t, float(residual[k])))


def check_start(text, solution):
    for name in text.fixed:
        require(abs(solution[name][0] - text.start[name]) < 1e-30, name, solution[name][0], text.start[name])
    for residual in text.residuals(environment(0, solution), initial=True):
        require(abs(residual[0]) < 1e-28, "initial equation", residual[0])


def check_rank(text, signature, shape, reference, solution, t):
    """Entry (i, j) of the system Jacobian: how derivative c_i of equation i answers to derivative d_j of variable j."""
    c, n = shape["differentiations"], len(text.variables)
    if n > 60:
        return
    d = [max(row[j] + c[i] for i, row in enumerate(signature) if j in row) for j in range(n)]
    polynomials = {v: Series(solution[v].upto(max(c) + max(d) + 1)) for v in text.variables}
    base = text.residuals(environment(t, polynomials))
    jacobian = numpy.zeros((n, n))
    factorial = [numpy.prod(range(1, k + 1), dtype=float) for k in range(max(d) + 1)]
    for j, v in enumerate(text.variables):
        nudged = Series(polynomials[v].known)
        nudged.known[d[j]] += mpfr("1e-12")
        for i, residual in enumerate(text.residuals(environment(t, {**polynomials, v: nudged}))):
            jacobian[i, j] = float((residual[c[i]] - base[i][c[i]])/mpfr("1e-12"))*factorial[c[i]]/factorial[d[j]]
    jacobian /= numpy.abs(jacobian).max(axis=1, keepdims=True)
    jacobian /= numpy.abs(jacobian).max(axis=0, keepdims=True)
    rank = numpy.linalg.matrix_rank(jacobian, 1e-9)
    require(n - rank == reference.rank_defect, "rank defect of the system Jacobian is", n - rank)


def check_runge_kutta(reference, values, scale):
    if not reference.runge_kutta:
        return
    rates = lambda t, state: [float(series[1]) for series in expand(reference.system, t, state)[0]]
    times = [float(mpfr(t)) for t in reference.times]
    start = [float(mpfr(v)) for v in reference.start]
    result = solve_ivp(rates, (0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12)
    require(result.success, result.message)
    for t, state, expected in zip(times, result.y.T, values):
        orders = {v: [0] for v in expected if not v.startswith("der(")}
        found = values_of(expand(reference.system, t, state)[1], orders)
        worst = difference([found], [{v: expected[v] for v in found}], scale)
        require(worst < reference.runge_kutta, "DOP853 differs at t = %g by %g" % (t, worst))


def check_digits(t, digits, values, units):
    for name, printed in digits.items():
        mantissa, _, exponent = printed.lower().partition("e")
        unit = mpfr(10)**(int(exponent or 0) - len(mantissa.partition(".")[2]))
        require(abs(values[name] - mpfr(printed)) <= 1.01*units*unit,
                "published digits of %s at t = %s: %s, but here %s" % (name, t, printed, values[name]))


def invariant(text, expression, times, points):
    code = translate(expression)
    found = [eval(code, text.scope(environment(t, solution)))[0] for t, solution in zip(times, points)]
    require(max(abs(v - found[0]) for v in found) < 1e-22*max(1, abs(found[0])), expression, [float(v) for v in found])
    return float(found[0])


def amplification(reference, orders, values, scale):
    """The change at the end, relative to the scales, for a unit change of the initial states (to first order)."""
    nudge = mpfr("1e-9")
    moved = [values_of(solution, orders) for solution in run(reference, LOOSE_RUN, nudge)]
    return float("%.2g" % (max(abs(moved[-1][v] - values[-1][v])/scale[v] for v in scale if scale[v])/nudge))


def write(name, document):
    with open(os.path.join(FOLDER, name + ".json"), "w") as file:
        lines = []
        for key, value in document.items():
            if key in ("points", "invariants") and value:
                body = ",\n".join("    " + json.dumps(entry) for entry in value)
                lines.append('  "%s": [\n%s\n  ]' % (key, body))
            else:
                lines.append('  "%s": %s' % (key, json.dumps(value)))
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
