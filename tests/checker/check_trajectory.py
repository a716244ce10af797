"""Does every delivered point solve the equations of the model's text? Judged without any code of the program.

    /usr/bin/python3 check_trajectory.py model.mo result.csv --tol 1e-6 [--override L=2]

The text is read by modelica_text.py, the points are those of the CSV file, and every equation is evaluated in extended
precision (numpy.longdouble) at every one of them. A point solves an equation if its residual is at most 10 tolerances
times the sum of |dF/dv| (|v| + nominal) over its variables and derivatives v, and 1e-13 of its terms for rounding. At
the first point, fixed starts and initial equations are judged as well. Exit status: 0 if all is well, 1 if a point does not
solve an equation, 2 if the text or the file is beyond this reader.
"""
import argparse
import csv
import sys

import numpy as np

from evaluate import Evaluator, Long, Number, each
from modelica_text import NotRead, Parser

BOUND, ROUNDING = 10, Long(1e-13)


class Trajectory:
    def __init__(self, path):
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.columns = {name: np.array([Long(row[k]) for row in rows[1:]]) for k, name in enumerate(rows[0])}
        self.time = self.columns["time"]


def shape_of(dimensions, evaluate):
    shape = []
    for dimension in dimensions:
        value = evaluate(dimension).value
        shape.append(int(round(float(value))))
    return tuple(shape)


def nested(shape, make, index=()):
    if len(index) == len(shape):
        return make(index)
    return [nested(shape, make, index + (k + 1,)) for k in range(shape[len(index)])]


def element(value, index):
    for k in index:
        value = value[k - 1] if isinstance(value, list) else value
    return value


def column_name(name, index, order):
    plain = name.strip("'") + ("[%s]" % ",".join(map(str, index)) if index else "")
    return "der("*order + plain + ")"*order


class Check:
    def __init__(self, text, trajectory, tolerance, overrides=()):
        self.trajectory, self.tolerance = trajectory, Long(tolerance)
        self.name, declarations, self.equations, self.initial = Parser(text).model()
        self.names, self.derivatives, self.starts, self.worst, self.left_out = {}, {}, [], [], []
        self.names["time"] = Number(trajectory.time)
        overrides = dict(overrides)
        for prefix, kind, name, dimensions, modifiers, value in declarations:
            evaluate = Evaluator(self.names)
            shape = shape_of(dimensions, evaluate)
            if prefix:
                given = overrides.get(name)
                self.names[name] = self.parameter(evaluate, given, value, modifiers, shape)
            else:
                self.variable(evaluate, name, shape, modifiers, overrides.get(name))
                if value is not None:
                    self.equations.append(("equation", 0, ("name", name), value))

    def parameter(self, evaluate, given, value, modifiers, shape):
        if given is not None:
            return Number(Long(given))
        value = value if value is not None else modifiers.get("start")
        if value is None:
            raise NotRead("a parameter without a value")
        result = evaluate(value)
        # Parameters are doubles in the program: a rounded number, exactly.
        round_off = lambda a: Number(Long(np.float64(a.value))) if isinstance(a, Number) else a
        result = each(round_off, result)
        return nested(shape, lambda index: element(result, index)) if shape else result

    def variable(self, evaluate, name, shape, modifiers, given):
        attribute = lambda key, default: evaluate(modifiers[key]) if modifiers.get(key) is not None else default
        nominal, start = attribute("nominal", Number(1)), attribute("start", None)
        fixed = attribute("fixed", np.bool_(False))
        if given is not None:
            start = Number(Long(given))

        def make(order):
            def one(index):
                column = column_name(name, index, order)
                if column not in self.trajectory.columns:
                    raise Missing(column)
                values = self.trajectory.columns[column]
                return Number(values, abs(values) + abs(element(nominal, index).value))
            return nested(shape, one)
        self.names[name] = make(0)
        self.derivatives[name] = make
        for index in nested_indices(shape):
            if element(fixed, index) and start is not None:
                self.starts.append((column_name(name, index, 0), element(start, index), element(nominal, index)))

    def run(self):
        evaluate = Evaluator(self.names, self.derivatives)
        self.walk(evaluate, self.equations, slice(None))
        self.walk(evaluate, self.initial, slice(0, 1))
        for column, start, nominal in self.starts:
            found = self.trajectory.columns[column][0]
            distance = abs(found - Long(np.float64(start.value)))
            self.see("fixed start of " + column, np.array([distance]), np.array(
                [self.tolerance*(abs(found) + abs(nominal.value))]))
        return max((ratio for ratio, _, _ in self.worst), default=Long(0))

    def walk(self, evaluate, statements, rows):
        for statement in statements:
            if statement[0] == "for":
                for inner in evaluate.over(statement[1]):
                    self.walk(inner, statement[2], rows)
                continue
            _, line, left, right = statement
            try:
                self.judge("line %d" % line, evaluate(left), evaluate(right), rows)
            except Missing as missing:
                self.left_out.append((line, str(missing)))

    def judge(self, label, left, right, rows):
        if isinstance(left, list):
            for k, (a, b) in enumerate(zip(left, right)):
                self.judge("%s [%d]" % (label, k + 1), a, b, rows)
            return
        difference = left - right
        spread = lambda a: np.broadcast_to(np.asarray(a, dtype=Long), self.trajectory.time.shape)[rows]
        self.see(label, abs(spread(difference.value)),
                 self.tolerance*spread(difference.size) + ROUNDING*spread(difference.magnitude))

    def see(self, label, residual, allowed):
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(residual == 0, Long(0), residual/allowed)
        ratio = np.where(np.isnan(ratio), np.inf, ratio)
        k = int(np.argmax(ratio))
        self.worst.append((ratio[k], label, self.trajectory.time[k]))


class Missing(Exception):
    """A derivative that the file does not have."""


def nested_indices(shape):
    result = [()]
    for size in shape:
        result = [index + (k + 1,) for index in result for k in range(size)]
    return result


def check(model, result, tolerance, overrides=()):
    with open(model) as file:
        judge = Check(file.read(), Trajectory(result), tolerance, overrides)
    return judge, judge.run()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("result")
    parser.add_argument("--tol", type=float, required=True)
    parser.add_argument("--override", action="append", default=[])
    arguments = parser.parse_args()
    try:
        judge, ratio = check(arguments.model, arguments.result, arguments.tol,
                             [pair.split("=") for pair in arguments.override])
    except NotRead as error:
        print("not read: %s" % error)
        sys.exit(2)
    for ratio_here, label, t in sorted(judge.worst, key=lambda entry: -entry[0])[:5]:
        print("%-30s %9.2g tolerances, at t = %g" % (label, ratio_here, t))
    for line, column in judge.left_out:
        print("line %d is not judged: the file has no %s" % (line, column))
    print("%d rows, %d equations: %s" % (len(judge.trajectory.time), len(judge.worst),
                                         "every point solves them" if ratio <= BOUND else "NOT SOLVED"))
    sys.exit(0 if ratio <= BOUND else 1)
