// Expressions and the builder of models. Python's operators build the same graph as those of C++.
#include "python/bindings/bindings.hpp"

#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace driftless::python {
namespace {

using Builder = std::shared_ptr<ModelBuilder>;
using Unary = Expr (*)(Expr);
using Binary = Expr (*)(Expr, Expr);

struct Equality {
  Symbol left, right;
};

// A number or an expression; nothing for an array and anything else, so that numpy can take it elementwise.
std::optional<Symbol> symbol_of(const py::handle& value) {
  if (py::isinstance<Symbol>(value)) return value.cast<Symbol>();
  if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return Symbol{Expr(PyFloat_AsDouble(value.ptr())), {}};
  if (py::hasattr(value, "ndim") && value.attr("ndim").cast<int>() == 0 && py::hasattr(value, "__float__")) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();
    return Symbol{Expr(number), {}};
  }
  return {};
}

Symbol expect_symbol(const py::handle& value) {
  if (auto symbol = symbol_of(value)) return *symbol;
  throw py::type_error("expected an expression or a number, not " + std::string(py::str(py::type::of(value))));
}

// The library refuses to add expressions to the pool of a compiled model; this gives a message for Python users:
template <class F>
auto growing(F&& f) {
  try {
    return f();
  } catch (const std::logic_error& error) {
    if (std::string(error.what()).find("frozen") == std::string::npos) throw;
    throw std::runtime_error(
        "the model has been compiled, and takes no further expressions: build it completely before it is analyzed or "
        "run, or build another one");
  }
}

Symbol apply(Unary f, const Symbol& a) {
  return growing([&] { return Symbol{f(a.expr), a.owner}; });
}

Symbol apply(Binary f, const Symbol& a, const Symbol& b) {
  return growing([&] { return Symbol{f(a.expr, b.expr), a.owner ? a.owner : b.owner}; });
}

py::object apply(Binary f, const Symbol& a, const py::handle& other, bool exchanged) {
  const auto b = symbol_of(other);
  if (!b) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
  return py::cast(exchanged ? apply(f, *b, a) : apply(f, a, *b));
}

[[noreturn]] void no_truth_value(const char* what) {
  throw py::type_error(
      std::string(what) +
      " has no truth value: it is a part of a model. Write if_else(condition, a, b) for a choice, "
      "minimum(a, b), maximum(a, b) and sign(a) instead of those of Python and numpy, & | ~ for and, or, not");
}

constexpr double degree = std::numbers::pi / 180.0;

// What numpy calls for the elements of arrays has its names.
const std::vector<std::pair<const char*, Unary>> functions = {
    {"sqrt", [](Expr a) { return sqrt(a); }},       {"exp", [](Expr a) { return exp(a); }},
    {"log", [](Expr a) { return log(a); }},         {"log10", [](Expr a) { return log10(a); }},
    {"sin", [](Expr a) { return sin(a); }},         {"cos", [](Expr a) { return cos(a); }},
    {"tan", [](Expr a) { return tan(a); }},         {"arcsin", [](Expr a) { return asin(a); }},
    {"arccos", [](Expr a) { return acos(a); }},     {"arctan", [](Expr a) { return atan(a); }},
    {"sinh", [](Expr a) { return sinh(a); }},       {"cosh", [](Expr a) { return cosh(a); }},
    {"tanh", [](Expr a) { return tanh(a); }},       {"arcsinh", [](Expr a) { return asinh(a); }},
    {"arccosh", [](Expr a) { return acosh(a); }},   {"arctanh", [](Expr a) { return atanh(a); }},
    {"__abs__", [](Expr a) { return abs(a); }},     {"fabs", [](Expr a) { return abs(a); }},
    {"sign", [](Expr a) { return sign(a); }},       {"floor", [](Expr a) { return floor(a); }},
    {"ceil", [](Expr a) { return ceil(a); }},       {"__neg__", [](Expr a) { return -a; }},
    {"__pos__", [](Expr a) { return a; }},          {"__invert__", [](Expr a) { return !a; }},
    {"deg2rad", [](Expr a) { return a * degree; }}, {"radians", [](Expr a) { return a * degree; }},
    {"rad2deg", [](Expr a) { return a / degree; }}, {"degrees", [](Expr a) { return a / degree; }},
    {"der", [](Expr a) { return der(a); }}};

const std::vector<std::pair<const char*, Binary>> operators = {
    {"add", [](Expr a, Expr b) { return a + b; }},
    {"sub", [](Expr a, Expr b) { return a - b; }},
    {"mul", [](Expr a, Expr b) { return a * b; }},
    {"truediv", [](Expr a, Expr b) { return a / b; }},
    {"pow", [](Expr a, Expr b) { return pow(a, b); }},
    {"and", [](Expr a, Expr b) { return a && b; }},
    {"or", [](Expr a, Expr b) { return a || b; }},
    {"floordiv", [](Expr a, Expr b) { return floor(a / b); }},
    {"mod", [](Expr a, Expr b) { return a - b * floor(a / b); }}};

const std::vector<std::pair<const char*, Binary>> relations = {{"__lt__", [](Expr a, Expr b) { return a < b; }},
                                                               {"__le__", [](Expr a, Expr b) { return a <= b; }},
                                                               {"__gt__", [](Expr a, Expr b) { return a > b; }},
                                                               {"__ge__", [](Expr a, Expr b) { return a >= b; }}};

const std::vector<std::pair<const char*, Binary>> methods = {
    {"arctan2", [](Expr a, Expr b) { return atan2(a, b); }},
    {"hypot", [](Expr a, Expr b) { return sqrt(a * a + b * b); }}};

const std::vector<std::pair<const char*, Binary>> named_binaries = {
    {"atan2", [](Expr a, Expr b) { return atan2(a, b); }},
    {"minimum", [](Expr a, Expr b) { return min(a, b); }},
    {"maximum", [](Expr a, Expr b) { return max(a, b); }}};

void bind_symbol(py::module_& m) {
  py::class_<Symbol> symbol(m, "Expr", "An expression of a model. Operators and functions of it build further ones.");
  for (const auto& [name, f] : functions) symbol.def(name, [f = f](const Symbol& a) { return apply(f, a); });
  for (const auto& [name, f] : operators) {
    symbol.def(("__" + std::string(name) + "__").c_str(),
               [f = f](const Symbol& a, const py::object& b) { return apply(f, a, b, false); }, py::is_operator());
    symbol.def(("__r" + std::string(name) + "__").c_str(),
               [f = f](const Symbol& a, const py::object& b) { return apply(f, a, b, true); }, py::is_operator());
  }
  for (const auto& [name, f] : relations)
    symbol.def(
        name, [f = f](const Symbol& a, const py::object& b) { return apply(f, a, b, false); }, py::is_operator());
  for (const auto& [name, f] : methods)
    symbol.def(name, [f = f](const Symbol& a, const py::object& b) { return apply(f, a, expect_symbol(b)); });
  symbol.def("__eq__", [](const Symbol& a, const py::object& b) -> py::object {
    const auto other = symbol_of(b);
    if (!other) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::cast(Equality{a, *other});
  });
  symbol.def("__ne__", [](const Symbol&, const py::object&) -> py::object { no_truth_value("x != y"); });
  symbol.def("__hash__", [](const py::object& self) { return reinterpret_cast<std::intptr_t>(self.ptr()); });
  symbol.def("__bool__", [](const Symbol&) -> bool { no_truth_value("an expression"); });
  symbol.def("__float__", [](const Symbol&) -> double {
    throw py::type_error(
        "an expression has no number before the model is run: use the functions of driftless, sin, "
        "cos, ..., instead of those of math");
  });
  symbol.def("__repr__", [](const Symbol& a) { return a.owner ? a.owner->text(a.expr) : std::string("number"); });

  py::class_<Equality>(m, "Equation", "left == right, for Model.equation.")
      .def_readonly("left", &Equality::left)
      .def_readonly("right", &Equality::right)
      .def("__bool__", [](const Equality&) -> bool { no_truth_value("an equation"); })
      .def("__repr__", [](const Equality& e) {
        const Builder& owner = e.left.owner ? e.left.owner : e.right.owner;
        return owner ? owner->text(e.left.expr) + " == " + owner->text(e.right.expr) : std::string("numbers");
      });

  for (const auto& [name, f] : named_binaries)
    m.def(name,
          [f = f](const py::object& a, const py::object& b) { return apply(f, expect_symbol(a), expect_symbol(b)); });
  m.def("if_else", [](const py::object& condition, const py::object& a, const py::object& b) {
    const Symbol c = expect_symbol(condition), then = expect_symbol(a), otherwise = expect_symbol(b);
    return growing([&] {
      return Symbol{if_else(c.expr, then.expr, otherwise.expr), c.owner      ? c.owner
                                                                : then.owner ? then.owner
                                                                             : otherwise.owner};
    });
  });
}

template <class T>
T option(const py::dict& given, const char* name, const T& otherwise) {
  return given.contains(name) && !given[name].is_none() ? argument<T>(given, name) : otherwise;
}

VariableOptions variable_options(const py::dict& given) {
  VariableOptions options;
  if (given.contains("start") && !given["start"].is_none()) options.start = argument<double>(given, "start");
  options.fixed = option(given, "fixed", false);
  options.nominal = option(given, "nominal", options.nominal);
  options.min = option(given, "min", options.min);
  options.max = option(given, "max", options.max);
  options.unit = option(given, "unit", std::string());
  options.description = option(given, "description", std::string());
  const auto select = option(given, "state_select", std::string("default"));
  const std::vector<std::string> names = {"never", "avoid", "default", "prefer", "always"};
  const auto found = std::find(names.begin(), names.end(), select);
  if (found == names.end())
    throw py::value_error("state_select is never, avoid, default, prefer or always, not '" + select + "'");
  options.state_select = static_cast<StateSelect>(found - names.begin());
  return options;
}

EquationSides sides(const py::object& left, const py::object& right) {
  return {expect_symbol(left).expr, expect_symbol(right).expr};
}

// Kind, name, dimension, numbers and expressions.
using Shape = std::tuple<int, std::string, int, std::vector<py::object>>;

std::unique_ptr<DeclaredAnimation> animation_of(const std::shared_ptr<Model>& model, const std::vector<Shape>& shapes) {
  auto animation = std::make_unique<DeclaredAnimation>();
  for (const auto& [kind, name, dimension, values] : shapes) {
    AnimatedShape shape;
    shape.kind = static_cast<AnimatedShape::Kind>(kind);
    shape.name = name;
    shape.dimension = dimension;
    for (const py::object& value : values) shape.values.push_back(expect_symbol(value).expr.node_in(*model->pool));
    animation->shapes.push_back(std::move(shape));
  }
  return animation;
}

void bind_builder(py::module_& m) {
  py::class_<ModelBuilder, Builder> builder(m, "Builder");
  builder.def(py::init<std::string>());
  const auto made = [](const Builder& b, Expr e) { return Symbol{e, b}; };
  builder.def("time", [=](const Builder& b) { return made(b, b->time()); });
  builder.def("variable", [=](const Builder& b, const std::string& name, const py::dict& options) {
    return growing([&] { return made(b, b->variable(name, variable_options(options))); });
  });
  builder.def("input", [=](const Builder& b, const std::string& name, const py::dict& options) {
    return growing([&] { return made(b, b->input(name, variable_options(options))); });
  });
  builder.def("parameter", [=](const Builder& b, const std::string& name, double value, const py::dict& given) {
    ParameterOptions options{.unit = option(given, "unit", std::string()),
                             .description = option(given, "description", std::string()),
                             .fixed = option(given, "fixed", true),
                             .nominal = option(given, "nominal", 1.0)};
    return growing([&] { return made(b, b->parameter(name, value, options)); });
  });
  builder.def("discrete", [=](const Builder& b, const std::string& name, const std::string& type, double start,
                              bool fixed, const std::string& description) {
    DiscreteOptions options{.start = start, .fixed = fixed, .description = description};
    options.type = type == "Integer"   ? DiscreteType::Integer
                   : type == "Boolean" ? DiscreteType::Boolean
                   : type == "Real"    ? DiscreteType::Real
                                       : throw py::value_error("type is Real, Integer or Boolean, not '" + type + "'");
    return growing([&] { return made(b, b->discrete(name, options)); });
  });
  builder.def("equation", [](const Builder& b, const std::string& kind, const py::object& left, const py::object& right,
                             const std::string& label) {
    growing([&] {
      const EquationSides both = sides(left, right);
      if (kind == "initial")
        b->initial_equation(both, label);
      else if (kind == "final")
        b->final_equation(both, label);
      else if (kind == "discrete")
        b->discrete_equation(both, label);
      else
        b->equation(both, label);
    });
  });
  builder.def("invariant",
              [](const Builder& b, const std::string& name, const Symbol& value) { b->invariant(name, value.expr); });
  builder.def("assertion", [](const Builder& b, const Symbol& condition, const std::string& message, bool warning) {
    b->assertion(condition.expr, message, warning ? AssertionLevel::Warning : AssertionLevel::Error);
  });
  builder.def("smooth", [=](const Builder& b, int order, const Symbol& value) {
    return growing([&] { return made(b, b->smooth(order, value.expr)); });
  });
  using Member = Expr (ModelBuilder::*)(Expr);
  const std::vector<std::pair<const char*, Member>> members = {{"pre", &ModelBuilder::pre},
                                                               {"edge", &ModelBuilder::edge},
                                                               {"change", &ModelBuilder::change},
                                                               {"no_event", &ModelBuilder::no_event}};
  for (const auto& [name, member] : members)
    builder.def(name, [=, member = member](const Builder& b, const Symbol& a) {
      return growing([&] { return made(b, ((*b).*member)(a.expr)); });
    });
  builder.def("when", [=](const Builder& b, const Symbol& a, const std::string& label) {
    return growing([&] { return made(b, b->when(a.expr, label)); });
  });
  builder.def("sample", [=](const Builder& b, const py::object& start, const py::object& interval) {
    return growing([&] { return made(b, b->sample(expect_symbol(start).expr, expect_symbol(interval).expr)); });
  });
  builder.def("delay", [=](const Builder& b, const Symbol& value, const py::object& time) {
    return growing([&] { return made(b, b->delay(value.expr, expect_symbol(time).expr)); });
  });
  builder.def("initial", [=](const Builder& b) { return growing([&] { return made(b, b->initial()); }); });
  builder.def("terminal", [=](const Builder& b) { return growing([&] { return made(b, b->terminal()); }); });
  builder.def("reinit", [](const Builder& b, const Symbol& condition, const Symbol& variable, const py::object& value) {
    growing([&] { b->reinit(condition.expr, variable.expr, expect_symbol(value).expr); });
  });
  builder.def("terminate", [](const Builder& b, const Symbol& condition, const std::string& message) {
    growing([&] { b->terminate(condition.expr, message); });
  });
  builder.def("guess", [](const Builder& b, const Symbol& variable, const py::object& value) {
    growing([&] { b->guess(variable.expr, expect_symbol(value).expr); });
  });
  builder.def("experiment", [](const Builder& b, double start, double stop, std::optional<double> tolerance,
                               std::optional<double> interval) {
    b->experiment({.start = start, .stop = stop, .tolerance = tolerance, .interval = interval});
  });
  // The animation of the model returned by `build`, before it is compiled.
  builder.def_static("animation", [](const std::shared_ptr<Model>& model, const std::vector<Shape>& shapes) {
    return growing([&] { return animation_of(model, shapes); });
  });
  builder.def("build", [](const Builder& b) { return std::make_shared<Model>(b->build()); });
}

}  // namespace

void bind_expressions(py::module_& m) {
  bind_symbol(m);
  bind_builder(m);
}

}  // namespace driftless::python
