#include "driftless/language/dependencies.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace driftless::language {

namespace {

template <class... Cases>
struct ByType : Cases... {
  using Cases::operator()...;
};

void visit_optional(const ast::ExpressionPtr& expression, const ReferenceVisitor& visit) {
  if (expression) visit_references(*expression, visit);
}

void visit_reference(const ast::Reference& reference, const ReferenceVisitor& visit) {
  visit(reference);
  for (const ast::ReferencePart& part : reference.parts) visit_references(part.subscripts, visit);
}

void visit_iterators(const std::vector<ast::Iterator>& iterators, const ReferenceVisitor& visit) {
  for (const ast::Iterator& iterator : iterators) visit_optional(iterator.range, visit);
}

void visit_arguments(const std::vector<ast::CallArgument>& arguments, const ReferenceVisitor& visit) {
  for (const ast::CallArgument& argument : arguments) visit_references(argument.value, visit);
}

// Called with a reference and its scope.
using ScopedVisitor = std::function<void(const ast::Reference&, Scope&)>;

void visit_scoped(const std::vector<ast::Subscript>& subscripts, Scope& scope, const ScopedVisitor& visit) {
  visit_references(subscripts, [&](const ast::Reference& reference) { visit(reference, scope); });
}

// Those in the sizes, the value, the condition and the attributes of a component.
void visit_scoped(const Component& component, const ScopedVisitor& visit) {
  visit_scoped(component.syntax->subscripts, *component.scope, visit);
  visit_scoped(component.clause->subscripts, *component.scope, visit);
  const auto visit_in = [&](const ast::Expression& expression, Scope& scope) {
    visit_references(expression, [&](const ast::Reference& reference) { visit(reference, scope); });
  };
  if (component.syntax->condition) visit_in(*component.syntax->condition, *component.scope);
  if (component.is_part()) return;
  if (component.given) visit_in(*component.given.syntax, *component.given.scope);
  for (const Modifier& modifier : component.modifiers)
    if (const auto* change = std::get_if<ast::ElementModification>(&modifier.syntax->node))
      if (change->modification.value) visit_in(*change->modification.value, *modifier.scope);
  for (const Override& given : component.overrides) visit_in(*given.value, *component.scope);
}

// The part of an array selected by literal subscripts; null if they must be evaluated.
Instance* named_part(const Component& component, const ast::ReferencePart& part) {
  std::size_t place = 0;
  if (part.subscripts.size() != component.shape.size()) return nullptr;
  for (std::size_t d = 0; d < part.subscripts.size(); ++d) {
    const auto* number = part.subscripts[d] ? part.subscripts[d]->as<ast::Number>() : nullptr;
    if (!number || !(number->value >= 1) || number->value > static_cast<double>(component.shape[d])) return nullptr;
    place = place * static_cast<std::size_t>(component.shape[d]) + static_cast<std::size_t>(number->value) - 1;
  }
  return place < component.parts.size() ? component.parts[place].get() : nullptr;
}

// Visits the components that a component mentions, as far as the text and the existing parts show.
void visit_components(Component& component, const std::function<void(Component&)>& visit) {
  visit_scoped(component, [&](const ast::Reference& reference, Scope& scope) {
    const bool simple = reference.parts.size() == 1 && !reference.global;
    if (simple) {
      if (Component* needed = find(scope, reference.parts.front().name.text).component) visit(*needed);
      return;
    }
    const Found found = look_up(scope, parts_of(reference), reference.global);
    Component* needed = found.component;
    for (std::size_t k = found.used; needed && k < reference.parts.size(); ++k) {
      Instance* part = named_part(*needed, reference.parts[k - 1]);
      Component* member = part ? find_in(*part, reference.parts[k].name.text).component : nullptr;
      if (!member) break;
      needed = member;
    }
    if (needed) visit(*needed);
  });
}

}  // namespace

void visit_references(const ast::Expression& expression, const ReferenceVisitor& visit) {
  std::visit(ByType{
                 [&](const ast::Reference& x) { visit_reference(x, visit); },
                 [&](const ast::Unary& x) { visit_optional(x.operand, visit); },
                 [&](const ast::Binary& x) {
                   visit_optional(x.first, visit);
                   for (const ast::Operand& operand : x.rest) visit_references(operand.value, visit);
                 },
                 [&](const ast::IfExpression& x) {
                   for (const auto& branch : x.branches) {
                     visit_optional(branch.condition, visit);
                     visit_optional(branch.value, visit);
                   }
                   visit_optional(x.otherwise, visit);
                 },
                 [&](const ast::Range& x) {
                   visit_optional(x.first, visit);
                   visit_optional(x.step, visit);
                   visit_optional(x.last, visit);
                 },
                 [&](const ast::Call& x) {
                   visit_reference(x.function, visit);
                   visit_arguments(x.arguments, visit);
                   visit_iterators(x.iterators, visit);
                 },
                 [&](const ast::PartialApplication& x) {
                   visit_reference(x.function, visit);
                   visit_arguments(x.arguments, visit);
                 },
                 [&](const ast::ArrayConstructor& x) {
                   for (const ast::Expression& element : x.elements) visit_references(element, visit);
                   visit_iterators(x.iterators, visit);
                 },
                 [&](const ast::MatrixConstructor& x) {
                   for (const auto& row : x.rows)
                     for (const ast::Expression& element : row) visit_references(element, visit);
                 },
                 [&](const ast::Tuple& x) {
                   for (const ast::ExpressionPtr& element : x.elements) visit_optional(element, visit);
                 },
                 [&](const ast::Selection& x) {
                   visit_optional(x.base, visit);
                   visit_references(x.subscripts, visit);
                 },
                 [](const auto&) {},
             },
             expression.node);
}

void visit_references(const std::vector<ast::Subscript>& subscripts, const ReferenceVisitor& visit) {
  for (const ast::Subscript& subscript : subscripts) visit_optional(subscript, visit);
}

std::vector<Component*> cycle_through(Component& component) {
  std::vector<std::pair<Component*, std::size_t>> queue{{&component, 0}};  // with the place of its predecessor
  std::unordered_set<const Component*> seen;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    bool closed = false;
    visit_components(*queue[k].first, [&](Component& needed) {
      closed |= &needed == &component;
      if (!closed && seen.insert(&needed).second) queue.emplace_back(&needed, k);
    });
    if (!closed) continue;
    std::vector<Component*> cycle;
    for (std::size_t place = k; place != 0; place = queue[place].second) cycle.push_back(queue[place].first);
    cycle.push_back(&component);
    std::ranges::reverse(cycle);
    return cycle;
  }
  return {&component};
}

std::vector<Component*> in_order_of_need(Component& component, const std::function<bool(const Component&)>& wanted) {
  std::vector<Component*> order;
  std::unordered_set<const Component*> entered{&component}, left;
  std::vector<Component*> stack{&component};
  while (!stack.empty()) {
    Component& top = *stack.back();
    const std::size_t depth = stack.size();
    if (!left.contains(&top))
      visit_components(top, [&](Component& needed) {
        if (wanted(needed) && entered.insert(&needed).second) stack.push_back(&needed);
      });
    if (stack.size() > depth) {
      left.insert(&top);
      continue;
    }
    order.push_back(&top);
    stack.pop_back();
  }
  return order;
}

namespace {

// Visits every assignment target, in no particular order.
void visit_targets(std::span<const ast::Statement> statements,
                   const std::function<void(const ast::Reference& target)>& visit) {
  std::vector<std::span<const ast::Statement>> open{statements};
  while (!open.empty()) {
    const std::span<const ast::Statement> list = open.back();
    open.pop_back();
    for (const ast::Statement& statement : list)
      std::visit(ByType{
                     [&](const ast::Assignment& x) { visit(x.target); },
                     [&](const ast::TupleAssignment& x) {
                       for (const auto& target : x.targets)
                         if (target) visit(*target);
                     },
                     [&](const ast::IfStatement& x) {
                       for (const auto& branch : x.branches) open.push_back(branch.body);
                       open.push_back(x.otherwise);
                     },
                     [&](const ast::ForStatement& x) { open.push_back(x.body); },
                     [&](const ast::WhileStatement& x) { open.push_back(x.body); },
                     [&](const ast::WhenStatement& x) {
                       for (const auto& branch : x.branches) open.push_back(branch.body);
                     },
                     [](const auto&) {},
                 },
                 statement.node);
  }
}

}  // namespace

std::vector<const ast::Reference*> assigned_targets(std::span<const ast::Statement> statements) {
  std::vector<const ast::Reference*> targets;
  visit_targets(statements, [&](const ast::Reference& target) { targets.push_back(&target); });
  return targets;
}

std::vector<std::string_view> assigned_names(std::span<const ast::Statement> statements) {
  std::vector<std::string_view> names;
  visit_targets(statements, [&](const ast::Reference& target) { names.push_back(target.parts.front().name.text); });
  return names;
}

}  // namespace driftless::language
