"""Differential-algebraic equations of any index: from equations as on paper to a trajectory that stays on every constraint.

    import driftless as dl

    m = dl.Model("Pendulum")
    x, y, force = m.variable("x", start=1), m.variable("y", start=0, fixed=True), m.variable("force")
    m.equation(dl.der(dl.der(x)), -force * x)
    m.equation(dl.der(dl.der(y)), -force * y - 9.81)
    m.equation(x**2 + y**2, 1)
    solution = m.simulate(stop=10)
    print(solution.summary())
    solution.plot("x", "y")

`read` and `parse` take Modelica text. docs/python.md is a tutorial.
"""
from ._analysis import Analysis, StartReport, SteadyState
from ._compiled import Compiled
from ._driftless import Equation, Expr
from ._driftless import version as __version__
from ._errors import Diagnostic, Interrupted, ModelError, ModelWarning, RunError, explain
from ._functions import (abs, acos, acosh, asin, asinh, atan, atan2, atanh, ceil, cos, cosh, der, exp, floor, if_else, log,
                         log10, maximum, minimum, sign, sin, sinh, sqrt, tan, tanh)
from ._fit import Estimate, Fit
from ._linearize import Linearization, Mode
from ._model import Model, parse, read, trace
from ._picture import Picture, draw
from ._simulation import Simulation
from ._solution import CertificateEntry, Change, Column, Event, Impulse, Solution
from ._sweep import Sweep, sweep

__all__ = [
    "Analysis", "CertificateEntry", "Change", "Column", "Compiled", "Diagnostic", "Equation", "Estimate", "Event", "Expr",
    "Fit", "Impulse", "Interrupted", "Linearization", "Mode", "Model", "ModelError", "ModelWarning", "Picture", "RunError",
    "Simulation", "Solution", "StartReport", "SteadyState",
    "Sweep", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "cos", "cosh", "der", "draw",
    "exp", "explain", "floor",
    "if_else", "log", "log10", "maximum", "minimum", "parse", "read", "sign", "sin", "sinh", "sqrt", "sweep", "tan", "tanh",
    "trace", "__version__",
]
