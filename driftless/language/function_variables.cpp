// The variables of a function: in which order they get their first values, and what may be assigned to them.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/dependencies.hpp"
#include "driftless/language/function_values.hpp"
#include "driftless/language/functions.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

const std::vector<Component*>& declaration_order(Elaboration& all, Instance& function) {
  const auto [place, fresh] = all.declaration_orders.try_emplace(&function);
  if (!fresh) return place->second;
  std::vector<Component*> order;
  for (Component& component : function.components) {
    find_type(all, component);
    const auto wanted = [&](const Component& other) { return other.instance == &function; };
    for (Component* needed : in_order_of_need(component, wanted))
      if (std::ranges::find(order, needed) == order.end()) order.push_back(needed);
  }
  return place->second = std::move(order);
}

namespace {

Local::Kind kind_of(const Component& component) {
  switch (component.prefixes.causality) {
    case ast::Causality::Input: return Local::Kind::Input;
    case ast::Causality::Output: return Local::Kind::Output;
    case ast::Causality::Unspecified: return Local::Kind::Protected;
  }
  return Local::Kind::Protected;
}

// input F f = g;
Value default_function(const Environment& at, const Component& component) {
  Locals nothing;
  return function_argument({at.all, *component.given.scope, nothing}, *component.given.syntax, component);
}

std::optional<Local> declare_record(const Environment& at, const Component& component, const Value* given,
                                    SourceRange given_at) {
  Local local{component.syntax->name.text, kind_of(component), unassigned_record(at, component)};
  if (!local.value.valid()) return std::nullopt;
  Value value;
  if (given) {
    value = *given;
  } else if (component.given) {
    value = evaluate_given(at, component.given);
    given_at = component.given.syntax->range;
  } else {
    local.value = with_declared_members(at, component, local.value);
    if (!local.value.valid()) return std::nullopt;
    return local;
  }
  const std::string what = fmt::format("'{}' of {}", component.identifier(), at.scope.path());
  value = as_record(at, value, local.value, given_at, what);
  if (!value.valid()) return std::nullopt;
  if (value.rank() != local.value.rank()) {
    at.error(Code::ShapesDiffer, given_at,
             fmt::format("{} is {}, but this is {}", what, to_string(local.value.shape()), to_string(value.shape())));
    return std::nullopt;
  }
  local.value = std::move(value);
  return local;
}

}  // namespace

std::optional<Local> declare_local(const Environment& at, const Component& component, const Value* given,
                                   SourceRange given_at) {
  const std::string& name = component.identifier();
  const ResolvedType& type = component.type;
  if (component.is_part()) return declare_record(at, component, given, given_at);
  if (type.type == Type::Invalid) return std::nullopt;
  Local local{component.syntax->name.text, kind_of(component), {}};
  local.resizable = std::ranges::any_of(type.dimensions, [](const Dimension& size) { return !*size.size; });

  Value value;
  if (given)
    value = *given;
  else if (component.given) {
    value = type.type == Type::Function ? default_function(at, component) : evaluate_given(at, component.given);
    given_at = component.given.syntax->range;
    given = &value;
  }
  if (given) {
    value = convert(at, value, type.type, given_at, fmt::format("'{}' of {}", name, at.scope.path()), type.enumeration);
    if (!value.valid()) return std::nullopt;
    if (static_cast<std::size_t>(value.rank()) != type.dimensions.size()) {
      at.error(
          Code::ShapesDiffer, given_at,
          fmt::format("'{}' of {} is {}, but this is {}", name, at.scope.path(),
                      type.dimensions.empty() ? "a scalar" : fmt::format("an array of rank {}", type.dimensions.size()),
                      to_string(value.shape())));
      return std::nullopt;
    }
    // Its own sizes may occur in them: Real A[:, size(A, 1)].
    at.locals.push_back({local.name, local.kind, value});
    const auto shape = resolve_shape(at, type.dimensions, &value, name, component.syntax->range);
    at.locals.pop_back();
    if (!shape) return std::nullopt;
    if (*shape != value.shape()) {
      at.error(Code::ShapesDiffer, given_at,
               fmt::format("'{}' of {} is {}, but this is {}", name, at.scope.path(), to_string(*shape),
                           to_string(value.shape())));
      return std::nullopt;
    }
    local.value = std::move(value);
    return local;
  }

  const Value empty(type.type, Shape(type.dimensions.size(), 0),
                    std::vector<NodeId>(type.dimensions.empty() ? 1 : 0, unassigned));
  const auto shape = resolve_shape(at, type.dimensions, &empty, name, component.syntax->range);
  if (!shape) return std::nullopt;
  local.value = Value(type.type, *shape, std::vector<NodeId>(static_cast<std::size_t>(count(*shape)), unassigned));
  return local;
}

Local* assignable(const Environment& at, const ast::Reference& target) {
  const ast::Identifier& name = target.parts.front().name;
  Local* local = find_local(at.locals, name.text);
  if (!local) {
    std::vector<std::string_view> names;
    for (const Local& candidate : at.locals) names.push_back(candidate.name);
    at.error(Code::UnknownName, target.range,
             fmt::format("'{}' is not a variable of {}{}", to_string(target), at.scope.path(),
                         did_you_mean(name.text, names)));
    return nullptr;
  }
  if (target.parts.size() > 1 && !local->value.is_record()) {
    at.error(Code::UnknownName, target.range,
             fmt::format("'{}' has no member '{}'", name.text, target.parts[1].name.text));
    return nullptr;
  }
  if (local->kind == Local::Kind::Input || local->kind == Local::Kind::Iterator) {
    at.error(Code::NotAssignable, target.range,
             fmt::format("'{}' is {} and cannot be assigned", name.text,
                         local->kind == Local::Kind::Input ? "an input" : "the variable of a loop"));
    return nullptr;
  }
  return local;
}

Value fit_for(const Environment& at, const Local& target, const std::optional<Slice>& part, const Value& value,
              SourceRange range) {
  Value fitting = convert(at, value, target.value.type(), range, fmt::format("the value of '{}'", target.name));
  if (!fitting.valid()) return {};
  const Shape& wanted = part ? part->shape : target.value.shape();
  const bool fits = fitting.shape() == wanted || (!part && target.resizable && fitting.shape().size() == wanted.size());
  if (fits) return fitting;
  at.error(Code::ShapesDiffer, range,
           fmt::format("the value is {}, but its target is {}", to_string(fitting.shape()), to_string(wanted)));
  return {};
}

bool runs_over_known_values(const Environment& at, const ast::Iterator& iterator) {
  const auto* range = iterator.range ? iterator.range->as<ast::Range>() : nullptr;
  if (!range) return true;
  const auto known = [&](const ast::ExpressionPtr& bound) {
    if (!bound) return true;
    const Value value = evaluate(at.with(Purpose::Range), *bound);
    return !value.valid() || !value.is_scalar() || at.all.pool.is_constant(value.scalar());
  };
  return known(range->first) && known(range->step) && known(range->last);
}

}  // namespace driftless::language
