"""Numbers of the checker: a value in extended precision at every row, with the size of what it was made of.

`size` is by how much the value changes at most, to first order, when every variable v changes by |v| + nominal;
`magnitude` the same for every number and its own size, so that rounding is some epsilon of it.
"""
import itertools

import numpy as np

from modelica_text import NotRead

Long = np.longdouble
KNOWN = {"Modelica.Constants.pi": "3.14159265358979323846264338327950288",
         "Modelica.Constants.g_n": "9.80665", "Modelica.Constants.e": "2.71828182845904523536028747135266250"}


class Number:
    def __init__(self, value, size=0, magnitude=None):
        self.value, self.size = Long(value), size
        self.magnitude = abs(self.value) if magnitude is None else magnitude

    def __neg__(self):
        return Number(-self.value, self.size, self.magnitude)

    def __add__(self, other):
        return Number(self.value + other.value, self.size + other.size, self.magnitude + other.magnitude)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        a, b = abs(self.value), abs(other.value)
        return Number(self.value*other.value, a*other.size + b*self.size, a*other.magnitude + b*self.magnitude)

    def __truediv__(self, other):
        a, b = abs(self.value), abs(other.value)
        return Number(self.value/other.value, (self.size + a/b*other.size)/b, (self.magnitude + a/b*other.magnitude)/b)

    def through(self, value, slope):
        slope = abs(slope)
        return Number(value, slope*self.size, abs(value) + slope*self.magnitude)

    def power(self, other):
        value = self.value**other.value
        if np.all(other.value == np.round(other.value)) and np.ndim(other.value) == 0 and other.value > 0:
            slope = other.value*abs(self.value)**(other.value - 1)
        else:
            slope = other.value*abs(value)/np.maximum(abs(self.value), Long(1e-30))
        return self.through(value, slope)

    def choose(self, condition, other):
        pick = lambda a, b: np.where(condition, a, b)
        return Number(pick(self.value, other.value), pick(self.size, other.size), pick(self.magnitude, other.magnitude))


def tiny(x):
    return np.maximum(abs(x), Long(1e-30))


FUNCTIONS = {
    "sin": lambda a: a.through(np.sin(a.value), np.cos(a.value)),
    "cos": lambda a: a.through(np.cos(a.value), np.sin(a.value)),
    "tan": lambda a: a.through(np.tan(a.value), 1 + np.tan(a.value)**2),
    "exp": lambda a: a.through(np.exp(a.value), np.exp(a.value)),
    "log": lambda a: a.through(np.log(a.value), 1/tiny(a.value)),
    "sqrt": lambda a: a.through(np.sqrt(a.value), 0.5/np.sqrt(tiny(a.value))),
    "tanh": lambda a: a.through(np.tanh(a.value), 1 - np.tanh(a.value)**2),
    "sinh": lambda a: a.through(np.sinh(a.value), np.cosh(a.value)),
    "cosh": lambda a: a.through(np.cosh(a.value), np.sinh(a.value)),
    "atan": lambda a: a.through(np.arctan(a.value), 1/(1 + a.value**2)),
    "asin": lambda a: a.through(np.arcsin(a.value), 1/np.sqrt(tiny(1 - a.value**2))),
    "acos": lambda a: a.through(np.arccos(a.value), 1/np.sqrt(tiny(1 - a.value**2))),
    "abs": lambda a: a.through(abs(a.value), 1),
    "sign": lambda a: Number(np.sign(a.value)),
    "floor": lambda a: Number(np.floor(a.value)),
}


OPERATIONS = {"+": "add", ".+": "add", "-": "subtract", ".-": "subtract", "*": "multiply", ".*": "multiply_elements",
              "/": "divide", "./": "divide", "^": "power", ".^": "power", "and": "and_", "or": "or_", "not": "not_",
              "if": "if_", **{sign: "relation" for sign in ("<", ">", "<=", ">=", "==", "<>")}}


def each(f, *arguments):
    """By elements where an argument is an array (a list)."""
    if not any(isinstance(a, list) for a in arguments):
        return f(*arguments)
    length = next(len(a) for a in arguments if isinstance(a, list))
    return [each(f, *(a[k] if isinstance(a, list) else a for a in arguments)) for k in range(length)]


def product(a, b):
    if isinstance(a, list) and isinstance(b, list):
        if isinstance(a[0], list):
            return [product(row, b) for row in a]
        if isinstance(b[0], list):
            return [total([x*row[j] for x, row in zip(a, b)]) for j in range(len(b[0]))]
        return total([x*y for x, y in zip(a, b)])
    return each(lambda x, y: x*y, a, b)


def total(items):
    result = Number(0)
    for item in items:
        result = result + (total(item) if isinstance(item, list) else item)
    return result


def whole(number):
    value = float(np.max(number.value))
    if value != round(value):
        raise NotRead("a subscript or bound that is no whole number")
    return int(round(value))


class Evaluator:
    """`names` maps names to numbers or lists; `derivative(name, subscripts, order)` gives derivatives of variables."""

    def __init__(self, names, derivative=None):
        self.names, self.derivative = names, derivative

    def __call__(self, e):
        return getattr(self, "on_" + OPERATIONS.get(e[0], e[0]))(e)

    def on_number(self, e):
        return Number(Long(e[1]))

    def on_truth(self, e):
        return np.bool_(e[1])

    def on_name(self, e):
        if e[1] in self.names:
            return self.names[e[1]]
        if e[1] in KNOWN:
            return Number(Long(KNOWN[e[1]]))
        raise NotRead("name %s" % e[1])

    def on_element(self, e):
        return self.pick(self.on_name(e), e[2])

    def pick(self, value, subscripts):
        for depth, subscript in enumerate(subscripts):
            if subscript == ("all",):
                return [self.pick(item, subscripts[depth + 1:]) for item in value]
            index = self(subscript)
            if isinstance(index, list):
                return [self.pick(value[whole(k) - 1], subscripts[depth + 1:]) for k in index]
            value = value[whole(index) - 1]
        return value

    def on_negative(self, e):
        return each(lambda a: -a, self(e[1]))

    def on_add(self, e):
        return each(lambda a, b: a + b, self(e[1]), self(e[2]))

    def on_subtract(self, e):
        return each(lambda a, b: a - b, self(e[1]), self(e[2]))

    def on_multiply(self, e):
        return product(self(e[1]), self(e[2]))

    def on_multiply_elements(self, e):
        return each(lambda a, b: a*b, self(e[1]), self(e[2]))

    def on_divide(self, e):
        return each(lambda a, b: a/b, self(e[1]), self(e[2]))

    def on_power(self, e):
        return each(lambda a, b: a.power(b), self(e[1]), self(e[2]))

    def on_relation(self, e):
        a, b = self(e[1]).value, self(e[2]).value
        return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "<>": a != b}[e[0]]

    def on_and_(self, e):
        return np.logical_and(self(e[1]), self(e[2]))

    def on_or_(self, e):
        return np.logical_or(self(e[1]), self(e[2]))

    def on_not_(self, e):
        return np.logical_not(self(e[1]))

    def on_if_(self, e):
        condition = self(e[1])
        if np.ndim(condition) == 0:  # the other branch need not make sense
            return self(e[2] if condition else e[3])
        return each(lambda a, b: a.choose(condition, b), self(e[2]), self(e[3]))

    def on_range(self, e):
        first, step, last = whole(self(e[1])), whole(self(e[2])), whole(self(e[3]))
        return [Number(k) for k in range(first, last + (1 if step > 0 else -1), step)]

    def on_list(self, e):
        return [self(item) for item in e[1]]

    def on_comprehension(self, e):
        body, iterators = e[1], e[2]
        if len(iterators) != 1:
            raise NotRead("several iterators in braces")
        return [value(body) for value in self.over(iterators)]

    def over(self, iterators):
        """An evaluator for each round of a loop."""
        ranges = [self(r) for _, r in iterators]
        for items in itertools.product(*ranges):
            names = {name: item for (name, _), item in zip(iterators, items)}
            yield Evaluator({**self.names, **names}, self.derivative)

    def on_call(self, e):
        name, arguments = e[1].removeprefix("Modelica.Math."), e[2]
        if name == "der":
            return self.on_der(arguments[0], 1)
        values = [self(a) for a in arguments]
        if name in FUNCTIONS:
            return each(FUNCTIONS[name], *values)
        if name == "sum":
            return total(values[0])
        if name in ("max", "min"):
            better = (lambda a, b: a >= b) if name == "max" else (lambda a, b: a <= b)
            items = values[0] if len(values) == 1 else values
            result = items[0]
            for item in items[1:]:
                result = result.choose(better(result.value, item.value), item)
            return result
        if name in ("noEvent",):
            return values[0]
        if name == "smooth":
            return values[1]
        raise NotRead("function %s" % name)

    def on_der(self, e, order):
        if e[0] == "call" and e[1] == "der":
            return self.on_der(e[2][0], order + 1)
        if e[0] not in ("name", "element") or e[1] not in self.derivative:
            raise NotRead("derivative of an expression")
        value = self.derivative[e[1]](order)
        return self.pick(value, e[2]) if e[0] == "element" else value
