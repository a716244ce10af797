#include "driftless/language/function_annotations.hpp"

#include <algorithm>

#include "driftless/language/function_values.hpp"

namespace driftless::language {

namespace {

// Calls visit(entry, modification) for the entries of all annotations of the function, its own first, until it
// returns true.
template <class Visit>
void visit_annotations(const Instance& function, Visit visit) {
  for (const Scope& layer : function.layers) {
    const ast::LongClass* body = layer.body();
    if (!body) continue;
    for (const auto* list : {&body->annotation, body->external ? &body->external->annotation : nullptr}) {
      if (!list) continue;
      for (const ast::Modifier& entry : *list)
        if (const auto* change = std::get_if<ast::ElementModification>(&entry.node))
          if (visit(entry, *change)) return;
    }
  }
}

const ast::ElementModification* entry_of(const ast::Modifier& entry, std::string_view name) {
  const auto* change = std::get_if<ast::ElementModification>(&entry.node);
  return change && change->name.parts.size() == 1 && change->name.parts.front().text == name ? change : nullptr;
}

int order_of(const ast::ElementModification& derivative) {
  for (const ast::Modifier& attribute : derivative.modification.modifiers)
    if (const auto* change = entry_of(attribute, "order"); change && change->modification.value)
      if (const auto* number = change->modification.value->as<ast::Number>(); number && number->value < 100)
        return static_cast<int>(number->value);
  return 1;
}

// The first entry that names the derivative of this order; null if there is none.
const ast::Modifier* derivative_of_order(const Instance& function, int order) {
  const ast::Modifier* found = nullptr;
  visit_annotations(function, [&](const ast::Modifier& entry, const ast::ElementModification& change) {
    if (entry_of(entry, "derivative") && change.modification.value && order_of(change) == order) found = &entry;
    return found != nullptr;
  });
  return found;
}

// How many derivatives follow each other: f names f_d, and f_d names f_dd as the derivative of order 2. The sequence
// ends where a function is not found, which is reported when it is needed.
int named_derivatives(Instance& function) {
  constexpr int without_end = 1000;  // exp is its own derivative
  std::vector<Instance*> row{&function};
  for (int order = 1;; ++order) {
    Instance& last = *row.back();
    const ast::Modifier* entry = derivative_of_order(last, order);
    if (!entry && order > 1) entry = derivative_of_order(last, 1);
    if (!entry) return order - 1;
    Locals nothing;
    const bool muted = std::exchange(last.all.muted, true);
    Instance* next = derivative_function({last.all, last.own(), nothing}, *entry);
    last.all.muted = muted;
    if (!next) return order - 1;
    if (std::ranges::find(row, next) != row.end()) return without_end;
    row.push_back(next);
  }
}

}  // namespace

const ast::Expression* annotated(const Instance& function, std::string_view name) {
  const ast::Expression* found = nullptr;
  visit_annotations(function, [&](const ast::Modifier& entry, const ast::ElementModification& change) {
    if (entry_of(entry, name)) found = change.modification.value.get();
    return found != nullptr;
  });
  return found;
}

bool is_annotated(const Instance& function, std::string_view name) {
  const ast::Expression* value = annotated(function, name);
  const auto* known = value ? value->as<ast::Boolean>() : nullptr;
  return known && known->value;
}

std::optional<int> smooth_order(Instance& function) {
  const ast::Expression* value = annotated(function, "smoothOrder");
  const auto* number = value ? value->as<ast::Number>() : nullptr;
  if (number && number->is_integer && number->value >= 0) return static_cast<int>(std::min(number->value, 1000.0));
  const int named = named_derivatives(function);
  return named > 0 ? std::optional(named - 1) : std::nullopt;
}

const ast::Modifier* derivative_annotation(const Instance& function) { return derivative_of_order(function, 1); }

std::vector<std::string_view> names_in_derivative(const ast::Modifier& derivative, std::string_view attribute) {
  std::vector<std::string_view> names;
  for (const ast::Modifier& one : std::get<ast::ElementModification>(derivative.node).modification.modifiers)
    if (const auto* change = entry_of(one, attribute); change && change->modification.value)
      if (const auto* name = change->modification.value->as<ast::Reference>(); name && name->is_simple())
        names.push_back(name->parts.front().name.text);
  return names;
}

Instance* derivative_function(const Environment& at, const ast::Modifier& derivative) {
  const ast::Expression& value = *std::get<ast::ElementModification>(derivative.node).modification.value;
  const auto* name = value.as<ast::Reference>();
  Instance* function = nullptr;
  std::string builtin;
  if (name && find_function(at, *name, function, builtin) && function) return function;
  if (!name || !builtin.empty())
    at.error(Code::NotAFunction, value.range, "the derivative must be a function that is declared in the text");
  return nullptr;
}

}  // namespace driftless::language
