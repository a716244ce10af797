#include "driftless/language/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "driftless/language/class.hpp"
#include "driftless/language/record_operators.hpp"

namespace driftless::language {

Value string_value(Elaboration& all, std::string_view text) {
  return {Type::String, all.pool.constant(all.texts.number(text))};
}

std::optional<std::string> known_text(const Elaboration& all, const Value& value) {
  if (value.type() != Type::String || !value.is_scalar() || value.scalar() == unassigned) return std::nullopt;
  if (!all.pool.is_constant(value.scalar())) return std::nullopt;
  const double number = all.pool.constant_value(value.scalar());
  return all.texts.is_definite(number) ? std::optional(all.texts[number]) : std::nullopt;
}

std::optional<std::string> shown_text(const Elaboration& all, const Value& value) {
  if (value.type() != Type::String || !value.is_scalar() || value.scalar() == unassigned) return std::nullopt;
  if (!all.pool.is_constant(value.scalar())) return std::nullopt;
  return all.texts.shown(all.pool.constant_value(value.scalar()));
}

namespace {

// The nodes of a choice among texts, if c then "a" else if d then "b" else s: operands first.
std::vector<NodeId> nodes_of_choice(const Pool& pool, NodeId choice) {
  std::set<NodeId> found{choice};
  std::vector<NodeId> open{choice};
  while (!open.empty()) {
    const Node node = pool[open.back()];
    open.pop_back();
    if (node.op != Op::IfElse) continue;
    for (const int k : {1, 2})
      if (found.insert(node.operand(k)).second) open.push_back(node.operand(k));
  }
  return {found.begin(), found.end()};
}

// The choice with every text replaced by a node. Nothing if it has indefinite texts.
template <class Replace>
std::optional<NodeId> for_each_text(Elaboration& all, NodeId choice, Replace replace) {
  std::map<NodeId, NodeId> made;
  for (const NodeId id : nodes_of_choice(all.pool, choice)) {
    const Node node = all.pool[id];
    if (node.op == Op::IfElse) {
      made[id] = all.pool.if_else(node.operand(0), made.at(node.operand(1)), made.at(node.operand(2)));
    } else if (const auto text = known_text(all, Value(Type::String, id))) {
      const std::optional<NodeId> other = replace(*text);
      if (!other) return std::nullopt;
      made[id] = *other;
    } else {
      return std::nullopt;
    }
  }
  return made.at(choice);
}

constexpr std::size_t most_texts = 1000;  // of a choice that is joined with another one

}  // namespace

bool has_indefinite_text(const Elaboration& all, NodeId choice) {
  return std::ranges::any_of(nodes_of_choice(all.pool, choice), [&](NodeId id) {
    return all.pool.is_constant(id) && !all.texts.is_definite(all.pool.constant_value(id));
  });
}

std::optional<NodeId> combined_texts(Elaboration& all, const Value& left, const Value& right,
                                     const std::function<NodeId(const std::string&, const std::string&)>& combine) {
  if (!left.is_scalar() || !right.is_scalar() || left.scalar() == unassigned || right.scalar() == unassigned) return {};
  const std::size_t size = nodes_of_choice(all.pool, left.scalar()).size();
  if (size * nodes_of_choice(all.pool, right.scalar()).size() > most_texts) return std::nullopt;
  return for_each_text(all, left.scalar(), [&](const std::string& a) {
    return for_each_text(all, right.scalar(), [&](const std::string& b) { return std::optional(combine(a, b)); });
  });
}

Value joined(const Environment& at, const Value& left, const Value& right, SourceRange range) {
  const auto join = [&](const std::string& a, const std::string& b) { return string_value(at.all, a + b).scalar(); };
  if (const auto choice = combined_texts(at.all, left, right, join)) return {Type::String, *choice};
  const auto a = shown_text(at.all, left), b = shown_text(at.all, right);
  if (!a || !b) return refuse_changing_text(at, range);
  return {Type::String, at.all.pool.constant(at.all.texts.indefinite(*a + *b))};
}

Value refuse_changing_text(const Environment& at, SourceRange range) {
  at.all.not_supported(range, "a String made of values that are known only during the run");
  return {};
}

namespace {

constexpr std::int64_t longest = 1000;

struct Layout {
  std::int64_t digits = 6, length = 0;
  bool left = true;
  std::optional<std::string> format;
};

std::string padded(std::string text, const Layout& layout) {
  const auto wanted = static_cast<std::size_t>(layout.length);
  if (text.size() >= wanted) return text;
  const std::string blanks(wanted - text.size(), ' ');
  return layout.left ? text + blanks : blanks + text;
}

// [-+0# ]*[0-9]*(.[0-9]*)?[efgEGdi]: the formats of C that concern one number.
bool is_number_format(std::string_view format) {
  std::size_t k = 0;
  const auto skip = [&](std::string_view set) {
    std::size_t count = 0;
    while (k < format.size() && set.find(format[k]) != std::string_view::npos) ++k, ++count;
    return count;
  };
  constexpr std::string_view digits = "0123456789";
  skip("-+0# ");
  if (skip(digits) > 3) return false;
  if (skip(".") > 1 || skip(digits) > 3) return false;
  return k + 1 == format.size() && std::string_view("efgEGdi").find(format[k]) != std::string_view::npos;
}

std::string formatted(double number, const std::string& format) {
  char buffer[1500];
  const bool integer = format.back() == 'd' || format.back() == 'i';
  const std::string whole = "%" + (integer ? format.substr(0, format.size() - 1) + "lld" : format);
  if (integer)
    std::snprintf(buffer, sizeof buffer, whole.c_str(), static_cast<long long>(number));
  else
    std::snprintf(buffer, sizeof buffer, whole.c_str(), number);
  return buffer;
}

// The name of a literal of an enumeration.
std::string literal_name(const Elaboration& all, const Value& value, double ordinal) {
  const Class* of = value.enumeration() ? class_at(*all.top->of, *value.enumeration()) : nullptr;
  const ast::Enumeration* enumeration = of ? of->enumeration() : nullptr;
  const auto place = static_cast<std::size_t>(ordinal) - 1;
  if (!enumeration || place >= enumeration->literals.size()) return fmt::format("{}", ordinal);
  return enumeration->literals[place].name.text;
}

std::string text_of(const Elaboration& all, const Value& value, double number, const Layout& layout) {
  switch (value.type()) {
    case Type::Boolean: return padded(number != 0.0 ? "true" : "false", layout);
    case Type::Enumeration: return padded(literal_name(all, value, number), layout);
    case Type::Integer:
      if (!layout.format) return padded(fmt::format("{:.0f}", number), layout);
      break;
    default: break;
  }
  if (layout.format) return formatted(number, *layout.format);
  return padded(formatted(number, fmt::format(".{}g", layout.digits)), layout);
}

bool read_option(const Environment& at, const ast::CallArgument& argument, std::string_view name, Layout& layout) {
  const auto wrong = [&](std::string_view what) {
    at.error(Code::WrongArgument, argument.value.range, fmt::format("{} of String {}", name, what));
    return false;
  };
  const Value value = evaluate(at, argument.value);
  if (!value.valid()) return false;
  if (name == "format") {
    layout.format = known_text(at.all, value);
    if (!layout.format) return wrong("must be a String that is known before the run");
    return is_number_format(*layout.format) || wrong("must be one of C for a number, such as \".3f\"");
  }
  if (name == "leftJustified") {
    const auto flag = value.type() == Type::Boolean ? known_number(at.all.pool, value.scalar()) : std::nullopt;
    if (!flag) return wrong("must be a Boolean that is known before the run");
    layout.left = *flag != 0.0;
    return true;
  }
  const auto number = known_integer(at.all.pool, value);
  if (!number || *number < 0 || *number > longest)
    return wrong(fmt::format("must be a known Integer between 0 and {}", longest));
  (name == "significantDigits" ? layout.digits : layout.length) = *number;
  return true;
}

// The option given by the k-th argument after the value: by its name, or by its place.
std::string_view option_name(const Value& value, const ast::CallArgument& argument, std::size_t k) {
  static constexpr std::string_view of_real[] = {"significantDigits", "minimumLength", "leftJustified"};
  static constexpr std::string_view of_others[] = {"minimumLength", "leftJustified"};
  if (!argument.name.empty()) {
    for (const std::string_view known : {"significantDigits", "minimumLength", "leftJustified", "format"})
      if (argument.name.text == known) return known;
    return {};
  }
  if (value.type() == Type::Real) return k < 3 ? of_real[k] : std::string_view();
  return k < 2 ? of_others[k] : std::string_view();
}

// A Boolean or an enumeration has few texts: a choice among them, if it changes during the run.
std::optional<NodeId> choice_of_texts(Elaboration& all, const Value& value, const Layout& layout) {
  Pool& pool = all.pool;
  const auto text = [&](double number) { return string_value(all, text_of(all, value, number, layout)).scalar(); };
  if (value.type() == Type::Boolean) return pool.if_else(value.scalar(), text(1.0), text(0.0));
  if (value.type() != Type::Enumeration) return std::nullopt;
  const Class* of = value.enumeration() ? class_at(*all.top->of, *value.enumeration()) : nullptr;
  const ast::Enumeration* enumeration = of ? of->enumeration() : nullptr;
  if (!enumeration || enumeration->literals.empty() || enumeration->literals.size() > most_texts) return std::nullopt;
  auto last = static_cast<double>(enumeration->literals.size());
  NodeId choice = text(last);
  while (--last >= 1.0)
    choice = pool.if_else(pool.binary(Op::Equal, value.scalar(), pool.constant(last)), text(last), choice);
  return choice;
}

}  // namespace

Value string_of(const Environment& at, const ast::Call& call, SourceRange range) {
  if (call.arguments.empty() || !call.iterators.empty()) {
    at.error(Code::WrongNumberOfArguments, range, "String takes a value and perhaps how it is to be written");
    return {};
  }
  const Value value = evaluate(at, call.arguments.front().value);
  if (!value.valid()) return {};
  if (value.type() == Type::String && call.arguments.size() == 1) return value;
  if (value.is_record()) {
    std::vector<Value> values{value};
    for (std::size_t k = 1; k < call.arguments.size(); ++k) values.push_back(evaluate(at, call.arguments[k].value));
    if (auto text = text_of_record(at, values, range)) return *text;
  }
  const bool simple =
      value.is_scalar() && (value.is_numeric() || value.type() == Type::Boolean || value.type() == Type::Enumeration);
  if (!simple) {
    at.error(Code::WrongArgument, call.arguments.front().value.range,
             fmt::format("the argument of String must be a number, a Boolean or an enumeration, but is {}",
                         value.is_scalar() ? to_string(value.type()) : to_string(value.shape())));
    return {};
  }
  Layout layout;
  for (std::size_t k = 1; k < call.arguments.size(); ++k) {
    const std::string_view name = option_name(value, call.arguments[k], k - 1);
    if (name.empty()) {
      at.error(Code::UnknownArgument, call.arguments[k].value.range, "String has no such argument")
          .note("it has significantDigits, minimumLength, leftJustified and format");
      return {};
    }
    if (!read_option(at, call.arguments[k], name, layout)) return {};
  }
  const auto number = known_number(at.all.pool, value.scalar());
  if (const auto choice = number ? std::nullopt : choice_of_texts(at.all, value, layout))
    return {Type::String, *choice};
  if (!number) {
    const std::string shown = "{" + at.all.source_text(call.arguments.front().value.range) + "}";
    return {Type::String, at.all.pool.constant(at.all.texts.indefinite(shown))};
  }
  return string_value(at.all, text_of(at.all, value, *number, layout));
}

}  // namespace driftless::language
