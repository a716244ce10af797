"""A reader for the model texts, independent of the program's own: just enough Modelica for the files in models/.

Every equation is translated to a line of Python and run on whatever arithmetic it is given: numbers, power series
(is the reference a solution, hidden constraints included?), or probes (which derivatives occur in which equation?).
"""
import re

from gmpy2 import mpfr

import series

TOKEN = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|<=|>=|==|<>|[-+*/^(){}\[\],:<>=;]")
WORDS = {"for": "for", "in": "in", "and": "and", "or": "or", "not": "not", "true": "True", "false": "False"}
FUNCTIONS = ("der", "sum", "sin", "cos", "exp", "sqrt")


class Array(dict):
    """Elements by their subscripts, counted from one."""


class ModelText:
    def __init__(self, path, **overrides):
        with open(path) as file:
            text = file.read()
        text = re.sub(r"//[^\n]*", "", text)
        text = re.sub(r'"[^"]*"', "", text)
        text = re.sub(r"annotation\(experiment\(.*?\);", "", text, flags=re.S)
        self.name, body = re.search(r"model (\w+)(.*)end \1;", text, re.S).groups()
        declarations, *sections = re.split(r"\b(initial\s+equation|equation)\b", body)
        code = {re.sub(r"\s+", " ", key): value for key, value in zip(sections[::2], sections[1::2])}
        self.constants, self.variables, self.start, self.fixed, self.shape = {}, [], {}, [], {}
        for statement in declarations.split(";"):
            if statement.strip():
                self.declare(statement.strip(), overrides)
        self.equation_code = compile_section(code["equation"])
        self.initial_code = compile_section(code.get("initial equation", ""))

    def declare(self, statement, overrides):
        kind, rest = re.match(r"((?:parameter |constant )?(?:Real|Integer)) (.*)", statement, re.S).groups()
        for component in split(rest):
            name, dims, modifiers, value = re.match(
                r"(\w+)\s*(?:\[([^\]]*)\])?\s*(?:(\(.*?\)(?=\s*(?:=(?!=)|$))))?\s*(?:=(.*))?$", component.strip(),
                re.S).groups()
            shape = tuple(int(self.value(d)) for d in split(dims)) if dims else ()
            if kind != "Real":
                value = overrides.get(name, value)
                number = self.value(str(value))
                self.constants[name] = self.fill(shape, mpfr(number) if "Real" in kind and not shape else number)
                continue
            self.shape[name] = shape
            start = {}
            for modifier in split(modifiers[1:-1]) if modifiers else ():
                key, text = re.match(r"(?:each\s+)?(\w+)\s*=\s*(.*)", modifier.strip(), re.S).groups()
                if key == "fixed" and text == "true":
                    self.fixed += [element(name, index) for index in indices(shape)]
                if key == "start":
                    start = self.fill(shape, self.value(text))
            for index in indices(shape):
                self.variables.append(element(name, index))
                if start != {}:
                    self.start[element(name, index)] = start[index if len(index) > 1 else index[0]] if shape else start

    def value(self, text):
        return eval(translate(text), self.scope({}))

    def fill(self, shape, value):
        if not shape:
            return value
        if isinstance(value, list):
            return Array((i + 1, v) for i, v in enumerate(value))
        return Array((index if len(index) > 1 else index[0], value) for index in indices(shape))

    def scope(self, values):
        """The names an equation may use; `values` maps variables, "time" and functions to the arithmetic in use."""
        names = {"N_": mpfr, "R_": lambda a, b: range(int(a), int(b) + 1)}
        functions = {"sin": series.sin, "cos": series.cos, "exp": series.exp, "sqrt": series.sqrt,
                     "der": series.derivative, "sum": sum}
        names.update({"f_" + key: values.get(key, function) for key, function in functions.items()})
        names.update({"v_" + key: value for key, value in self.constants.items()})
        if values:
            names["v_time"] = values["time"]
            for name, shape in self.shape.items():
                names["v_" + name] = values[name] if not shape else Array(
                    (index if len(index) > 1 else index[0], values[element(name, index)]) for index in indices(shape))
        return names

    def residuals(self, values, initial=False):
        names = self.scope(values)
        exec(self.initial_code if initial else self.equation_code, names)
        return list(names["equations"]())

    def signature(self):
        """For each equation a dict from the number of a variable to the order of its highest derivative."""
        rows = self.residuals(self.probes())
        number = {name: j for j, name in enumerate(self.variables)}
        return [{number[name]: order for name, order in row.orders.items()} for row in rows]

    def probes(self):
        values = {name: Probe({name: 0}) for name in self.variables}
        values.update(time=Probe({}), der=Probe.raised, sum=lambda terms: sum(terms, Probe({})))
        values.update({name: lambda a: a for name in ("sin", "cos", "exp", "sqrt")})
        return values


class Probe:
    """Stands for any expression; remembers the highest derivative of each variable in it."""

    def __init__(self, orders):
        self.orders = orders

    def raised(self):
        return Probe({name: order + 1 for name, order in self.orders.items()})

    def join(self, other, *_):
        orders = dict(self.orders)
        for name, order in getattr(other, "orders", {}).items():
            orders[name] = max(order, orders.get(name, 0))
        return Probe(orders)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = join
    __neg__ = lambda self: self


def element(name, index):
    return name if not index else "%s[%s]" % (name, ",".join(map(str, index)))


def indices(shape):
    result = [()]
    for size in shape:
        result = [index + (i,) for index in result for i in range(1, size + 1)]
    return result


def split(text, separator=","):
    """Splits at separators outside all brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def translate(text):
    """One Modelica expression to Python. An if-expression must fill its bracket; a range stands after `in`."""
    tokens = TOKEN.findall(text)
    return " ".join(if_expression(tokens))


def if_expression(tokens):
    out, i = [], 0
    while i < len(tokens):
        t = tokens[i]
        if t == "if":
            end = closing(tokens, i)
            out += branches(tokens[i + 1:end])
            i = end
            continue
        if t == "in":
            end = min(closing(tokens, i), next((k for k in range(i, len(tokens)) if tokens[k] == "loop"), len(tokens)))
            colon = tokens.index(":", i)
            first, last = if_expression(tokens[i + 1:colon]), if_expression(tokens[colon + 1:end])
            out += ["in", "R_("] + first + [","] + last + [")"]
            i = end
            continue
        if re.match(r"\d+$", t):
            out.append(t)
        elif re.match(r"\d", t):
            out.append("N_('%s')" % t)
        elif re.match(r"\w", t):
            out.append(WORDS.get(t) or ("f_" + t if t in FUNCTIONS else "v_" + t))
        else:
            out.append({"^": "**", "{": "[", "}": "]"}.get(t, t))
        i += 1
    return out


def branches(tokens):
    """condition then a {elseif condition then b} else c, without the leading if."""
    then = tokens.index("then")
    stop = next(k for k in range(then, len(tokens)) if tokens[k] in ("elseif", "else"))
    condition, value, rest = tokens[:then], tokens[then + 1:stop], tokens[stop + 1:]
    otherwise = branches(rest) if tokens[stop] == "elseif" else if_expression(rest)
    return ["("] + if_expression(value) + ["if"] + if_expression(condition) + ["else"] + otherwise + [")"]


def closing(tokens, i):
    """Where the bracket around position i closes, or a comprehension's `for` begins, or the tokens end."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k] in "([{") - (tokens[k] in ")]}")
        if depth < 0 or (depth == 0 and k > i and tokens[k] == "for"):
            return k
    return len(tokens)


def compile_section(text):
    lines, indent = ["def equations():", "  yield from ()"], 1
    for statement in re.split(r";|(?<=\bloop)\s", text):
        statement = statement.strip()
        if not statement:
            continue
        pad = "  "*indent
        if statement.startswith("for "):
            lines.append(pad + translate(statement[:-len("loop")]) + ":")
            indent += 1
        elif statement == "end for":
            indent -= 1
        else:
            left, right = split(statement.replace("==", "\0"), "=")
            lines.append("%syield (%s) - (%s)" % (pad, translate(left.replace("\0", "==")),
                                                  translate(right.replace("\0", "=="))))
    return compile("\n".join(lines), "equations", "exec")
