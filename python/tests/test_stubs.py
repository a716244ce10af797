"""The stub _driftless.pyi says what the compiled module has, no more and no less; and everything public has a docstring."""
import ast
import inspect
import re
import unittest
from pathlib import Path

import driftless as dl
from driftless import _driftless as native

STUB = ast.parse((Path(dl.__file__).parent / "_driftless.pyi").read_text())
# Python gives every class some of these, and pybind11 others.
HIDDEN = set(dir(type("Empty", (), {}))) | {"__init__", "_pybind11_conduit_v1_"}
# Defined by the module for what has no meaning (x != y, bool(x), float(x)) or for printing: of no use to a type checker.
UNTYPED = {"__ne__", "__bool__", "__float__", "__repr__", "__array_priority__", "__array_ufunc__"}


def names_in(body):
    names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    return names


class Stubs(unittest.TestCase):
    def test_the_module_has_what_the_stub_says(self):
        said = names_in(STUB.body)
        there = {name for name in dir(native) if not name.startswith("_")}
        self.assertEqual(said - there, set(), "in the stub only")
        self.assertEqual(there - said, set(), "missing in the stub")

    def test_the_classes_have_what_the_stub_says(self):
        for node in STUB.body:
            if not isinstance(node, ast.ClassDef):
                continue
            with self.subTest(node.name):
                said = names_in(node.body) - HIDDEN - UNTYPED
                there = {name for name in dir(getattr(native, node.name))} - HIDDEN - UNTYPED
                self.assertEqual(said - there, set(), "in the stub only")
                self.assertEqual(there - said, set(), "missing in the stub")

    def test_functions_take_as_many_arguments_as_the_stub_says(self):
        for node in STUB.body:
            if isinstance(node, ast.FunctionDef):
                self.expect_same_arguments(getattr(native, node.name), node)

    def test_methods_take_as_many_arguments_as_the_stub_says(self):
        for node in STUB.body:
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and not any(
                            isinstance(d, ast.Name) and d.id == "property" for d in method.decorator_list):
                        with self.subTest(f"{node.name}.{method.name}"):
                            self.expect_same_arguments(getattr(getattr(native, node.name), method.name), method)

    def expect_same_arguments(self, function, said):
        # pybind11 writes "name(self: ..., arg0: ..., arg1: ...) -> ..." into the docstring.
        signature = (function.__doc__ or "").split("\n")[0]
        if "(" not in signature or "->" not in signature or said.name in UNTYPED:
            return  # Python's own, as __getstate__ of an object
        there = re.findall(r"[(,] ?(self|arg\d+)\b", signature.split("->")[0])
        self.assertEqual(len(there), len(said.args.args), signature)


class Docstrings(unittest.TestCase):
    def test_everything_public_is_described(self):
        missing = []
        for name in dl.__all__:
            thing = getattr(dl, name)
            if name.startswith("__") or not (inspect.isclass(thing) or callable(thing)):
                continue
            if not inspect.getdoc(thing):
                missing.append(name)
            if inspect.isclass(thing) and thing.__module__ != "driftless._driftless":
                missing += [f"{name}.{part}" for part, value in vars(thing).items()
                            if not part.startswith("_") and (callable(value) or isinstance(value, (property, classmethod)))
                            and not inspect.getdoc(value)]
        self.assertEqual(missing, [])

    def test_all_is_complete(self):
        for name in dl.__all__:
            self.assertTrue(hasattr(dl, name), name)
        public = {name for name in vars(dl) if not name.startswith("_") and not inspect.ismodule(getattr(dl, name))}
        self.assertEqual(public - set(dl.__all__), set())


if __name__ == "__main__":
    unittest.main()
