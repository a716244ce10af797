"""A reader of flat Modelica, written for the checker alone: declarations, equations, loops, arrays.

It shares nothing with the program, and is made for clarity, not for speed or good messages: what it does not know
raises NotRead. An expression becomes a nested tuple, which evaluate.py evaluates.
"""
import re

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(?P<string>"[^"]*")|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)
                       |(?P<name>'[^']*'|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
                       |(?P<sign>\.[-+*/^]|<=|>=|==|<>|:=|[-+*/^(){}\[\],:;<>=])""",
                   re.X | re.S)


class NotRead(Exception):
    pass


def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise NotRead("character %r" % text[at])
        at = match.end()
        if match.lastgroup and match.lastgroup != "string":
            tokens.append((match.lastgroup, match.group(match.lastgroup), text.count("\n", 0, match.start()) + 1))
    return tokens + [("end", "", 0)]


class Parser:
    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def line(self):
        return self.tokens[self.at][2]

    def take(self, expected=None):
        kind, word, _ = self.tokens[self.at]
        if expected is not None and word != expected:
            raise NotRead("line %d: %r where %r was expected" % (self.line(), word, expected))
        self.at += 1
        return word

    def accept(self, *words):
        return self.take() if self.peek() in words else None

    # ---- expressions, by precedence

    def expression(self):
        if self.accept("if"):
            condition = self.expression()
            self.take("then")
            first = self.expression()
            if self.peek() == "elseif":
                self.tokens[self.at] = ("name", "if", self.line())
                return ("if", condition, first, self.expression())
            self.take("else")
            return ("if", condition, first, self.expression())
        first = self.disjunction()
        if self.peek() == ":" and not self.in_subscript_end():
            self.take()
            second = self.disjunction()
            if self.accept(":"):
                return ("range", first, second, self.disjunction())
            return ("range", first, ("number", "1"), second)
        return first

    def in_subscript_end(self):
        return self.peek(1) in ("]", ",")

    def binary(self, below, *signs):
        left = below()
        while self.peek() in signs:
            left = (self.take(), left, below())
        return left

    def disjunction(self):
        return self.binary(self.conjunction, "or")

    def conjunction(self):
        return self.binary(self.negation, "and")

    def negation(self):
        return ("not", self.relation()) if self.accept("not") else self.relation()

    def relation(self):
        return self.binary(self.sum, "<", ">", "<=", ">=", "==", "<>")

    def sum(self):
        sign = self.accept("-", "+")
        left = self.product()
        if sign == "-":
            left = ("negative", left)
        while self.peek() in ("+", "-", ".+", ".-"):
            left = (self.take(), left, self.product())
        return left

    def product(self):
        return self.binary(self.factor, "*", "/", ".*", "./")

    def factor(self):
        base = self.primary()
        return (self.take(), base, self.primary()) if self.peek() in ("^", ".^") else base

    def primary(self):
        kind, word, line = self.tokens[self.at]
        if kind == "number":
            self.take()
            return ("number", word)
        if word in ("true", "false"):
            self.take()
            return ("truth", word == "true")
        if word == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return inner
        if word == "{":
            return self.braces()
        if kind == "name":
            self.take()
            if self.accept("("):
                return ("call", word, self.arguments())
            if self.accept("["):
                return ("element", word, self.subscripts())
            return ("name", word)
        raise NotRead("line %d: %r" % (line, word))

    def braces(self):
        self.take("{")
        first = self.expression()
        if self.accept("for"):
            iterators = self.iterators()
            self.take("}")
            return ("comprehension", first, iterators)
        items = [first]
        while self.accept(","):
            items.append(self.expression())
        self.take("}")
        return ("list", items)

    def arguments(self):
        items = []
        if self.peek() != ")":
            items.append(self.expression())
            if self.accept("for"):
                items = [("comprehension", items[0], self.iterators())]
            while self.accept(","):
                items.append(self.expression())
        self.take(")")
        return items

    def iterators(self):
        pairs = []
        while True:
            name = self.take()
            self.take("in")
            pairs.append((name, self.expression()))
            if not self.accept(","):
                return pairs

    def subscripts(self):
        items = []
        while True:
            items.append(("all",) if self.peek() == ":" and self.take() else self.expression())
            if not self.accept(","):
                break
        self.take("]")
        return items

    # ---- declarations and equations

    def model(self):
        self.take("model")
        name = self.take()
        declarations, equations, initial = [], [], []
        while self.peek() not in ("equation", "initial", "annotation", "end"):
            declarations += self.declaration()
        while self.peek() != "end":
            section = self.accept("equation", "initial", "annotation")
            if section == "annotation":
                self.skip_brackets()
                self.take(";")
            elif section == "initial":
                self.take("equation")
                initial += self.statements()
            elif section == "equation":
                equations += self.statements()
            else:
                raise NotRead("line %d: %r" % (self.line(), self.peek()))
        return name, declarations, equations, initial

    def declaration(self):
        self.accept("final")
        prefix = self.accept("parameter", "constant")
        kind = self.take()
        if kind not in ("Real", "Integer", "Boolean"):
            raise NotRead("line %d: type %s" % (self.line(), kind))
        result = []
        while True:
            name, shape, modifiers, value = self.take(), [], {}, None
            if self.accept("["):
                shape = self.subscripts()
            if self.accept("("):
                modifiers = self.modifiers()
            if self.accept("="):
                value = self.expression()
            result.append((prefix, kind, name, shape, modifiers, value))
            if not self.accept(","):
                self.take(";")
                return result

    def modifiers(self):
        found = {}
        while True:
            self.accept("each")
            key = self.take()
            self.take("=")
            if self.tokens[self.at][1] in (",", ")"):  # the value was a string
                found[key] = None
            else:
                found[key] = self.expression()
            if not self.accept(","):
                self.take(")")
                return found

    def statements(self):
        result = []
        while self.peek() not in ("equation", "initial", "annotation", "end"):
            line = self.line()
            if self.accept("for"):
                iterators = self.iterators()
                self.take("loop")
                body = self.statements()
                self.take("end")
                self.take("for")
                result.append(("for", iterators, body))
            else:
                left = self.expression()
                self.take("=")
                result.append(("equation", line, left, self.expression()))
            self.take(";")
        return result

    def skip_brackets(self):
        depth = 0
        while True:
            word = self.take()
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return
