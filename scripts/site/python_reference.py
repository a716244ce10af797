"""The Python package as a page: signatures and docstrings, of the module in C++ from its stub."""
import ast
import inspect

ORDER = ["Model", "Compiled", "Simulation", "Solution", "Sweep", "Analysis", "StartReport", "SteadyState", "Expr", "Equation"]


def text_of(node):
    return inspect.cleandoc(ast.get_docstring(node) or "")


def signature(function, method):
    arguments = ast.unparse(function.args)
    if method:
        arguments = arguments.removeprefix("self").removeprefix("cls").lstrip(", ")
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({arguments}){result}"


def is_property(function):
    return any(ast.unparse(d) in ("property", "cached_property") for d in function.decorator_list)


def function_text(function, method=False, prefix=""):
    if is_property(function):
        head = function.name + (f": {ast.unparse(function.returns)}" if function.returns else "")
    else:
        head = signature(function, method)
    return f"```python\n{prefix}{head}\n```\n\n{text_of(function)}"


def class_text(node):
    parts = [f"## {node.name}", text_of(node)]
    fields = [child for child in node.body if isinstance(child, ast.AnnAssign)]
    if fields:
        parts.append("```python\n" + "\n".join(ast.unparse(field) for field in fields) + "\n```")
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and child.name == "__init__":
            parts.append(f"```python\n{node.name}{signature(child, True).removeprefix('__init__')}\n```"
                         .replace(" -> None", ""))
    for child in node.body:
        public = isinstance(child, ast.FunctionDef) and (
            not child.name.startswith("_") or child.name in ("__getitem__", "__call__") and text_of(child))
        if public:
            parts.append(f"### {node.name}.{child.name}".replace("__", "\\_\\_"))
            parts.append(function_text(child, True))
    return "\n\n".join(part for part in parts if part)


def unary_functions(tree):
    """sin = _unary("sin", "sin", "The sine.") and the like."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "_unary":
            yield ast.unparse(node.targets[0]), ast.literal_eval(node.value.args[-1])


def markdown(source):
    package = source / "python" / "driftless"
    trees = {path.name: ast.parse(path.read_text()) for path in [*sorted(package.glob("*.py")), *sorted(package.glob("*.pyi"))]}
    names = next(ast.literal_eval(node.value) for node in trees["__init__.py"].body
                 if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    classes, functions = {}, {}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and node.name in names:
                classes.setdefault(node.name, class_text(node))
            elif isinstance(node, ast.FunctionDef) and node.name in names:
                functions.setdefault(node.name, function_text(node, prefix="driftless."))
        for name, about in unary_functions(tree):
            if name in names:
                functions.setdefault(name, f"```python\ndriftless.{name}(x)\n```\n\n{about}")
    parts = ["# Python reference", "Made from the sources of the package. [python.md](../python.html) is a tutorial."]
    parts += [classes[name] for name in [*ORDER, *sorted(set(classes) - set(ORDER))] if name in classes]
    parts.append("## Functions")
    parts += [f"### {name}\n\n{functions[name]}" for name in sorted(functions)]
    return "\n\n".join(parts)
