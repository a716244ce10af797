// annotation(__Driftless(invariants(energy = m*der(x)^2/2 + m*g*x, momentum = {px, py})))
//
// Quantities that the author knows to stay constant along solutions. Vendor annotations are legal Modelica, and other
// tools ignore them; an array gives as many invariants as it has elements.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/vendor_annotation.hpp"

namespace driftless::language {

namespace {

bool changes(const Pool& pool, NodeId value) {
  return any_node(pool, value, [&](NodeId node) { return pool[node].op == Op::Variable; });
}

void add_invariant(Elaboration& all, const std::string& name, NodeId value, SourceRange range) {
  Model& model = all.model;
  const auto taken = [&](const auto& list) {
    return std::ranges::any_of(list, [&](auto& x) { return x.name == name; });
  };
  if (taken(model.invariants))
    all.error(Code::DeclaredTwice, range, fmt::format("there are two invariants '{}'", name));
  else if (taken(model.variables) || taken(model.parameters))
    all.error(Code::DeclaredTwice, range,
              fmt::format("the invariant '{}' has the name of a {}: its values would not be told apart", name,
                          taken(model.variables) ? "variable" : "parameter"));
  else if (!changes(all.pool, value))
    all.error(Code::WrongInvariant, range, fmt::format("the invariant '{}' contains no variable", name));
  else
    model.invariants.push_back({name, value, range});
}

void read_invariant(const Environment& at, const ast::ElementModification& item, SourceRange range) {
  const std::string name = to_string(item.name);
  if (!item.modification.value || !item.modification.modifiers.empty()) {
    at.error(Code::WrongInvariant, range, fmt::format("an invariant is written {} = expression", name));
    return;
  }
  const Value value = evaluate(at, *item.modification.value);
  if (!value.valid()) return;
  if (!value.is_numeric()) {
    at.error(Code::WrongInvariant, item.modification.value->range,
             fmt::format("an invariant is a number, but this is {}", to_string(value.type())));
    return;
  }
  for (std::size_t k = 0; k < value.size(); ++k)
    add_invariant(at.all, element_name(name, value.shape(), k), value[k], range);
}

}  // namespace

void elaborate_invariants(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  const Environment at{all, model, locals, Purpose::Equation};
  for (const VendorSetting& part : vendor_settings(annotation)) {
    if (part.name != "invariants") continue;
    for (const ast::Modifier& modifier : part.modification->modifiers)
      if (const auto* item = std::get_if<ast::ElementModification>(&modifier.node))
        read_invariant(at, *item, modifier.range);
  }
}

}  // namespace driftless::language
