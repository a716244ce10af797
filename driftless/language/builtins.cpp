#include "driftless/language/builtins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "driftless/language/library.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace {

using Handler = Value (*)(const Arguments&);

struct Builtin {
  std::string_view name;
  std::size_t least, most;  // number of arguments
  Handler handler = nullptr;
  std::optional<Op> op;  // of an elementary function, applied to every element
};

constexpr std::size_t any_number = 1000000;

// --- operators with a meaning of their own

Value no_event(const Arguments& arguments) {
  add_quiet(arguments.pool(), arguments[0], arguments.at.all.events.quiet);
  return arguments[0];
}

// The promise is stored in the model: its expression may be differentiated.
Value smooth(const Arguments& arguments) {
  const auto order = known_integer(arguments.pool(), arguments[0]);
  if (!order || *order < 0) return arguments.reject(0, "must be a known Integer that is not negative");
  const Pool& pool = arguments.pool();
  for (const NodeId element : arguments[1].elements())
    if (element != unassigned && !pool.is_constant(element))
      arguments.at.all.model.smooth.push_back({element, static_cast<int>(std::min<std::int64_t>(*order, 1000))});
  add_quiet(arguments.pool(), arguments[1], arguments.at.all.events.quiet);
  return arguments[1];
}

Value ordinal(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (a.type() != Type::Enumeration && a.type() != Type::Integer)
    return arguments.reject(0, fmt::format("must be an enumeration, but is {}", to_string(a.type())));
  return a.with_type(Type::Integer).of_enumeration(nullptr);
}

Value homotopy(const Arguments& arguments) {
  arguments.at.all.has_homotopy = true;
  return arguments[arguments.at.all.simplified ? 1 : 0];
}

// By elements where arguments are arrays; a scalar then goes with each of them.
Value semi_linear(const Arguments& arguments) {
  Shape shape;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!arguments[k].is_numeric()) return arguments.reject(k, "must be a number");
    if (arguments[k].is_scalar()) continue;
    if (!shape.empty() && shape != arguments[k].shape())
      return arguments.reject(k, "must have the shape of the others");
    shape = arguments[k].shape();
  }
  Pool& pool = arguments.pool();
  const auto element = [&](std::size_t k) {
    const auto at = [&](std::size_t which) {
      return arguments[which].is_scalar() ? arguments[which].scalar() : arguments[which][k];
    };
    const NodeId x = at(0);
    const NodeId value = pool.if_else(pool.binary(Op::Less, x, pool.zero()), pool.mul(at(2), x), pool.mul(at(1), x));
    if (!pool.is_constant(x)) arguments.at.all.semi_linears.try_emplace(value, SemiLinear{x, at(1), at(2)});
    return value;
  };
  if (shape.empty()) return {Type::Real, element(0)};
  std::vector<NodeId> elements;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count(shape)); ++k) elements.push_back(element(k));
  return {Type::Real, std::move(shape), std::move(elements)};
}

// The name of the model and the path of the instance whose text contains the call (Modelica 3.6, Section 3.7.4.3).
Value instance_name(const Arguments& arguments) {
  const Elaboration& all = arguments.at.all;
  const Instance* instance = arguments.at.scope.instance;
  const std::string model = all.root ? all.root->own().syntax->name.text : "";
  return string_value(arguments.at.all, instance->path.empty() ? model : model + "." + instance->path);
}

Value unsupported(const Arguments& arguments) {
  arguments.at.all.not_supported(arguments.range, fmt::format("{}()", arguments.function));
  return {};
}

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> table = [] {
    std::vector<Builtin> list;
    const auto elementary_function = [&](std::string_view name, Op op) {
      const auto operands = static_cast<std::size_t>(arity(op));
      list.push_back({name, operands, operands, nullptr, op});
    };
    elementary_function("sqrt", Op::Sqrt);
    elementary_function("exp", Op::Exp);
    elementary_function("log", Op::Log);
    elementary_function("log10", Op::Log10);
    elementary_function("sin", Op::Sin);
    elementary_function("cos", Op::Cos);
    elementary_function("tan", Op::Tan);
    elementary_function("asin", Op::Asin);
    elementary_function("acos", Op::Acos);
    elementary_function("atan", Op::Atan);
    elementary_function("atan2", Op::Atan2);
    elementary_function("sinh", Op::Sinh);
    elementary_function("cosh", Op::Cosh);
    elementary_function("tanh", Op::Tanh);
    elementary_function("asinh", Op::Asinh);
    elementary_function("acosh", Op::Acosh);
    elementary_function("atanh", Op::Atanh);
    elementary_function("abs", Op::Abs);
    elementary_function("floor", Op::Floor);
    elementary_function("ceil", Op::Ceil);
    list.insert(list.end(), {
                                {"min", 1, 2, number_min, {}},
                                {"max", 1, 2, number_max, {}},
                                {"sign", 1, 1, number_sign, {}},
                                {"integer", 1, 1, number_integer, {}},
                                {"Integer", 1, 1, ordinal, {}},
                                {"div", 2, 2, quotient_div, {}},
                                {"mod", 2, 2, quotient_mod, {}},
                                {"rem", 2, 2, quotient_rem, {}},
                                {"der", 1, 1, time_derivative, {}},
                                {"noEvent", 1, 1, no_event, {}},
                                {"pre", 1, 1, event_pre, {}},
                                {"edge", 1, 1, event_edge, {}},
                                {"change", 1, 1, event_change, {}},
                                {"sample", 1, 2, event_sample, {}},
                                {"Clock", 0, 2, clock_constructor, {}},
                                {"hold", 1, 1, clock_hold, {}},
                                {"subSample", 1, 2, clock_sub_sample, {}},
                                {"superSample", 1, 2, clock_super_sample, {}},
                                {"shiftSample", 2, 3, clock_shift_sample, {}},
                                {"backSample", 2, 3, clock_back_sample, {}},
                                {"noClock", 1, 1, clock_no_clock, {}},
                                {"previous", 1, 1, clock_previous, {}},
                                {"interval", 0, 1, clock_interval, {}},
                                {"firstTick", 0, 1, clock_first_tick, {}},
                                {"initial", 0, 0, event_initial, {}},
                                {"delay", 2, 3, delayed, {}},
                                {"terminal", 0, 0, event_terminal, {}},
                                {"reinit", 2, 2, outside_of_when, {}},
                                {"terminate", 1, 1, outside_of_when, {}},
                                {"getInstanceName", 0, 0, instance_name, {}},
                                {"smooth", 2, 2, smooth, {}},
                                {"homotopy", 2, 2, homotopy, {}},
                                {"semiLinear", 3, 3, semi_linear, {}},
                                {"size", 1, 2, array_size, {}},
                                {"ndims", 1, 1, array_ndims, {}},
                                {"zeros", 1, any_number, array_zeros, {}},
                                {"ones", 1, any_number, array_ones, {}},
                                {"fill", 2, any_number, array_fill, {}},
                                {"identity", 1, 1, array_identity, {}},
                                {"diagonal", 1, 1, array_diagonal, {}},
                                {"linspace", 3, 3, array_linspace, {}},
                                {"transpose", 1, 1, array_transpose, {}},
                                {"symmetric", 1, 1, array_symmetric, {}},
                                {"outerProduct", 2, 2, array_outer_product, {}},
                                {"cross", 2, 2, array_cross, {}},
                                {"skew", 1, 1, array_skew, {}},
                                {"cat", 2, any_number, array_cat, {}},
                                {"vector", 1, 1, array_vector, {}},
                                {"matrix", 1, 1, array_matrix, {}},
                                {"scalar", 1, 1, array_scalar, {}},
                                {"array", 1, any_number, array_constructor, {}},
                                {"sum", 1, 1, array_sum, {}},
                                {"product", 1, 1, array_product, {}},
                            });
    for (const std::string_view name :
         {"spatialDistribution", "cardinality", "inStream", "actualStream", "assert", "guess", "pure"})
      list.push_back({name, 0, any_number, unsupported, {}});
    return list;
  }();
  return table;
}

const Builtin* find_builtin(std::string_view name) {
  static const std::unordered_map<std::string_view, const Builtin*> index = [] {
    std::unordered_map<std::string_view, const Builtin*> map;
    for (const Builtin& builtin : builtins()) map.emplace(builtin.name, &builtin);
    return map;
  }();
  const auto place = index.find(name);
  return place == index.end() ? nullptr : place->second;
}

// sum(e for i in 1:n) and its like: the function of the vector of all e.
Value reduce(const Environment& at, const Builtin& builtin, const ast::Call& call, SourceRange range) {
  const bool compares = builtin.name == "min" || builtin.name == "max";
  const bool reduces = compares || builtin.name == "sum" || builtin.name == "product";
  if (!reduces || call.arguments.size() != 1) {
    at.error(Code::IteratorsNotAllowed, range,
             fmt::format("'{}' cannot be applied to a list of iterators: sum, product, min and max can", builtin.name));
    return {};
  }
  const ast::Expression& term = call.arguments.front().value;
  Type type = Type::Integer;
  const std::string* enumeration = nullptr;
  std::vector<NodeId> elements;
  const bool complete = iterate(at, call.iterators, [&] {
    const Value value = evaluate(at, term);
    if (!value.valid()) return false;
    const bool is_ordered = value.type() == Type::Boolean || value.type() == Type::Enumeration;
    if (elements.empty() && is_ordered && compares)
      type = value.type(), enumeration = value.enumeration();
    else
      type = common_type(type, value.type());
    if (!value.is_scalar() || type == Type::Invalid || (is_ordered && value.enumeration() != enumeration)) {
      at.error(Code::WrongArgument, term.range,
               fmt::format("'{}' over iterators needs scalar numbers{}, but this is {}", builtin.name,
                           compares ? ", Booleans or literals of one enumeration" : "",
                           value.is_scalar() ? to_string(value.type()) : to_string(value.shape())));
      return false;
    }
    elements.push_back(value.scalar());
    return at.all.fits({static_cast<std::int64_t>(elements.size())}, range);
  });
  if (!complete) return {};
  const auto size = static_cast<std::int64_t>(elements.size());
  const Value all = Value(type, Shape{size}, std::move(elements)).of_enumeration(enumeration);
  return builtin.handler({at, builtin.name, {all}, {&term}, range});
}

std::string how_many(const Builtin& builtin) {
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  if (builtin.least == builtin.most) return fmt::format("{} argument{}", builtin.least, plural(builtin.least));
  if (builtin.most == any_number) return fmt::format("at least {} argument{}", builtin.least, plural(builtin.least));
  return fmt::format("{} or {} arguments", builtin.least, builtin.most);
}

// The names that an argument of a built-in function may be given.
std::optional<std::size_t> named_position(std::string_view function, std::string_view name) {
  if (function == "homotopy")
    return name == "actual" ? 0 : name == "simplified" ? std::optional<std::size_t>(1) : std::nullopt;
  if (function == "sample")
    return name == "start" || name == "u"          ? std::optional<std::size_t>(0)
           : name == "interval" || name == "clock" ? std::optional<std::size_t>(1)
                                                   : std::nullopt;
  static const std::unordered_map<std::string_view, std::vector<std::string_view>> of_clocks{
      {"Clock", {"intervalCounter", "resolution", "interval", "", "condition", "startInterval", "c", "solverMethod"}},
      {"hold", {"u"}},
      {"subSample", {"u", "factor"}},
      {"superSample", {"u", "factor"}},
      {"shiftSample", {"u", "shiftCounter", "resolution"}},
      {"backSample", {"u", "backCounter", "resolution"}},
      {"noClock", {"u"}},
      {"previous", {"u"}},
      {"interval", {"u"}},
      {"firstTick", {"u"}}};
  const auto known = of_clocks.find(function);
  if (known == of_clocks.end()) return std::nullopt;
  const auto place = std::ranges::find(known->second, name);
  if (place == known->second.end()) return std::nullopt;
  const auto position = static_cast<std::size_t>(place - known->second.begin());
  return function == "Clock" ? position % 2 : position;
}

// Counts a call of noEvent while its argument is evaluated.
class InsideNoEvent {
 public:
  InsideNoEvent(Elaboration& all, bool inside) : depth_(all.events.inside_no_event), inside_(inside) {
    depth_ += inside_;
  }
  ~InsideNoEvent() { depth_ -= inside_; }
  InsideNoEvent(const InsideNoEvent&) = delete;
  InsideNoEvent& operator=(const InsideNoEvent&) = delete;

 private:
  int& depth_;
  int inside_;
};

}  // namespace

bool is_builtin_function(std::string_view name) { return find_builtin(name) != nullptr; }

std::optional<std::size_t> elementary_arguments(std::string_view name) {
  const auto canonical = library_function(name);
  const Builtin* builtin = canonical ? find_builtin(*canonical) : nullptr;
  return builtin && builtin->op ? std::optional(builtin->least) : std::nullopt;
}

const std::vector<std::string_view>& builtin_function_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const Builtin& builtin : builtins())
      if (builtin.handler != unsupported) list.push_back(builtin.name);
    return list;
  }();
  return names;
}

Value Arguments::reject(std::size_t k, std::string_view reason) const {
  static constexpr std::string_view ordinals[] = {"first", "second", "third"};
  const std::string which = values.size() == 1 ? "argument"
                            : k < 3            ? fmt::format("{} argument", ordinals[k])
                                               : fmt::format("argument {}", k + 1);
  at.error(Code::WrongArgument, syntax[k]->range, fmt::format("the {} of {} {}", which, function, reason));
  return {};
}

std::optional<std::int64_t> Arguments::size_argument(std::size_t k) const {
  const auto size = known_integer(at.all.pool, values[k]);
  if (size && *size >= 0) return size;
  reject(k, size                                ? fmt::format("must not be negative, but is {}", *size)
            : values[k].type() != Type::Integer ? fmt::format("must be Integer, but is {}", to_string(values[k].type()))
                                                : std::string("must be known before the run"));
  return std::nullopt;
}

namespace {

// A function of Modelica.Units.Conversions, by elements.
Value convert_unit(const Environment& at, std::string_view name, const LibraryConversion& conversion,
                   const ast::Call& call, SourceRange range) {
  if (call.arguments.size() != 1 || !call.iterators.empty()) {
    at.error(Code::WrongNumberOfArguments, range,
             fmt::format("{} takes 1 argument, but {} are given", name, call.arguments.size()));
    return {};
  }
  Value value = convert(at, evaluate(at, call.arguments.front().value), Type::Real, range,
                        fmt::format("the argument of {}", name));
  if (!value.valid()) return {};
  Pool& pool = at.all.pool;
  for (NodeId& element : value.change())
    element = pool.add(pool.mul(pool.constant(conversion.factor), element), pool.constant(conversion.offset));
  return value;
}

}  // namespace

Value call_builtin(const Environment& at, std::string_view name, const ast::Call& call, SourceRange range) {
  if (const auto conversion = library_conversion(name)) return convert_unit(at, name, *conversion, call, range);
  const auto canonical = library_function(name);
  const Builtin* builtin = canonical ? find_builtin(*canonical) : nullptr;
  if (!builtin) {
    at.error(Code::NotAFunction, call.function.range, fmt::format("'{}' is not a function", name));
    return {};
  }
  if (!call.iterators.empty()) return reduce(at, *builtin, call, range);

  Arguments arguments{at, builtin->name, {}, {}, range};
  if (builtin->handler == unsupported) return unsupported(arguments);
  const std::size_t given = call.arguments.size();
  if (given < builtin->least || given > builtin->most) {
    at.error(Code::WrongNumberOfArguments, range,
             fmt::format("{} takes {}, but {} {} given", builtin->name, how_many(*builtin), given,
                         given == 1 ? "is" : "are"));
    return {};
  }
  if (builtin->handler == outside_of_when) return outside_of_when(arguments);
  const InsideNoEvent inside(at.all, builtin->handler == no_event);
  arguments.values.resize(given);
  arguments.syntax.resize(given);
  // Sizes must be known; size(x, 1) does not need values of the elements.
  const bool only_shape = builtin->handler == array_size || builtin->handler == array_ndims;
  for (std::size_t k = 0; k < given; ++k) {
    const ast::CallArgument& argument = call.arguments[k];
    std::size_t position = k;
    if (!argument.name.empty()) {
      const auto named = named_position(builtin->name, argument.name.text);
      if (!named) {
        at.error(Code::UnknownArgument, argument.name.range,
                 fmt::format("{} has no argument '{}'", builtin->name, argument.name.text));
        return {};
      }
      position = *named;
    }
    const auto* reference = argument.value.as<ast::Reference>();
    Value value =
        only_shape && k == 0 && reference ? peek(at.with(Purpose::Equation), *reference) : evaluate(at, argument.value);
    if (arguments.syntax[position]) {
      at.error(Code::UnknownArgument, argument.value.range, "this argument is given twice");
      return {};
    }
    arguments.values[position] = std::move(value);
    arguments.syntax[position] = &argument.value;
  }
  if (std::ranges::any_of(arguments.values, [](const Value& value) { return !value.valid(); })) return {};
  return builtin->op ? number_elementary(arguments, *builtin->op) : builtin->handler(arguments);
}

}  // namespace driftless::language
