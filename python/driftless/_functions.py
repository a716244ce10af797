"""Functions of expressions. Each takes an expression, a number, or an array of either."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _driftless as _native
from ._arrays import symbols
from ._driftless import Expr


def _elementwise(f: Callable, *arguments: Any) -> Any:
    """f of scalars, or of the elements of arrays, whose shapes are broadcast as numpy does."""
    arrays = np.broadcast_arrays(*(np.asarray(a, dtype=object) for a in arguments))
    if arrays[0].ndim == 0:
        return f(*(a.item() for a in arrays))
    result = symbols(arrays[0].shape)
    for place in np.ndindex(result.shape):
        result[place] = f(*(a[place] for a in arrays))
    return result


def _has_symbols(*arguments: Any) -> bool:
    return any(isinstance(a, Expr) or np.asarray(a).dtype == object for a in arguments)


def _unary(name: str, method: str, doc: str) -> Callable[[Any], Any]:
    def function(x):
        if isinstance(x, Expr):
            return getattr(x, method)()
        if not _has_symbols(x):
            return getattr(np, method)(x)
        return _elementwise(lambda e: getattr(e, method)() if isinstance(e, Expr) else getattr(np, method)(e), x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


sin = _unary("sin", "sin", "The sine.")
cos = _unary("cos", "cos", "The cosine.")
tan = _unary("tan", "tan", "The tangent.")
asin = _unary("asin", "arcsin", "The inverse sine.")
acos = _unary("acos", "arccos", "The inverse cosine.")
atan = _unary("atan", "arctan", "The inverse tangent.")
sinh = _unary("sinh", "sinh", "The hyperbolic sine.")
cosh = _unary("cosh", "cosh", "The hyperbolic cosine.")
tanh = _unary("tanh", "tanh", "The hyperbolic tangent.")
asinh = _unary("asinh", "arcsinh", "The inverse hyperbolic sine.")
acosh = _unary("acosh", "arccosh", "The inverse hyperbolic cosine.")
atanh = _unary("atanh", "arctanh", "The inverse hyperbolic tangent.")
sqrt = _unary("sqrt", "sqrt", "The square root.")
exp = _unary("exp", "exp", "The exponential function.")
log = _unary("log", "log", "The natural logarithm.")
log10 = _unary("log10", "log10", "The logarithm to base 10.")
sign = _unary("sign", "sign", "-1, 0 or 1.")
floor = _unary("floor", "floor", "The largest integer that is not larger.")
ceil = _unary("ceil", "ceil", "The smallest integer that is not smaller.")


def der(x: Any) -> Any:
    """The derivative by time, of a variable or of any expression; of an array element by element."""
    return _elementwise(lambda e: e.der() if isinstance(e, Expr) else 0.0, x)


def abs(x: Any) -> Any:
    """The absolute value."""
    return _elementwise(lambda e: e.__abs__(), x) if _has_symbols(x) else np.abs(x)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return _elementwise(_native.atan2, y, x) if _has_symbols(y, x) else np.arctan2(y, x)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of both."""
    return _elementwise(_native.minimum, a, b) if _has_symbols(a, b) else np.minimum(a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of both."""
    return _elementwise(_native.maximum, a, b) if _has_symbols(a, b) else np.maximum(a, b)


def if_else(condition: Any, then: Any, otherwise: Any) -> Any:
    """`then` where the condition holds, `otherwise` elsewhere. A relation in the condition causes events."""
    if not _has_symbols(condition, then, otherwise):
        return np.where(condition, then, otherwise)
    return _elementwise(_native.if_else, condition, then, otherwise)
