// Which elements of an array its subscripts select.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "driftless/language/dependencies.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

// The positions that one subscript selects, counted from 0; for one that is known only during the run all
// positions, and the node that will choose among them.
struct Index {
  std::vector<std::size_t> positions;
  bool is_scalar = false;
  std::optional<NodeId> chooser;
};

bool changes(const Environment& at, const ast::Reference& reference) {
  const std::string& first = reference.parts.front().name.text;
  if (find_local(at.locals, first)) return false;
  static constexpr std::array<std::string_view, 8> of_events{"time",  "pre",     "edge",     "change",
                                                             "delay", "initial", "terminal", "sample"};
  if (reference.is_simple() && std::ranges::find(of_events, first) != of_events.end()) return true;
  const Found found = look_up(at.scope, parts_of(reference), reference.global);
  return found.component && found.component->kind == Component::Kind::Variable;
}

// Is the subscript computed from values that change during the run? A discrete variable alone is used directly.
bool is_computed_during_run(const Environment& at, const ast::Expression& subscript) {
  if (at.numeric() || subscript.as<ast::Number>() || subscript.as<ast::Reference>() || subscript.as<ast::Range>())
    return false;
  bool computed = false;
  visit_references(subscript, [&](const ast::Reference& reference) { computed = computed || changes(at, reference); });
  return computed;
}

Value evaluate_subscript(const Environment& at, const ast::Expression& subscript, std::int64_t size) {
  Environment inside = is_computed_during_run(at, subscript) ? at : at.with(Purpose::Subscript);
  inside.end = size;
  return evaluate(inside, subscript);
}

Index whole(std::int64_t size) {
  Index index;
  index.positions.resize(static_cast<std::size_t>(size));
  std::iota(index.positions.begin(), index.positions.end(), std::size_t{0});
  return index;
}

std::string out_of_bounds(std::int64_t subscript, const Shape& shape, std::string_view name) {
  return fmt::format("subscript {} is out of bounds: '{}' has the shape {}", subscript, name, to_string(shape));
}

bool in_bounds(const Environment& at, std::int64_t subscript, std::int64_t size, const Shape& shape,
               std::string_view name, SourceRange range) {
  if (subscript >= 1 && subscript <= size) return true;
  at.error(Code::SubscriptOutOfBounds, range, out_of_bounds(subscript, shape, name));
  return false;
}

Type index_type_of(const std::vector<Type>& index_types, std::size_t dimension) {
  return dimension < index_types.size() ? index_types[dimension] : Type::Integer;
}

// Values of an enumeration count from 1, and so do false and true.
std::optional<std::int64_t> known_subscript(const Pool& pool, const Value& value, Type wanted) {
  if (value.type() != wanted) return std::nullopt;
  const auto number = known_integer(pool, value.with_type(Type::Integer));
  return number && wanted == Type::Boolean ? std::optional(*number + 1) : number;
}

std::optional<Index> evaluate_index(const Environment& at, const ast::Subscript& subscript, const Shape& shape,
                                    std::size_t dimension, std::string_view name, Type wanted) {
  const std::int64_t size = shape[dimension];
  if (!subscript) return whole(size);
  const Value value = evaluate_subscript(at, *subscript, size);
  if (!value.valid()) return std::nullopt;
  if (value.type() != wanted || value.rank() > 1) {
    at.error(Code::WrongSubscript, subscript->range,
             value.rank() > 1
                 ? fmt::format("a subscript must be a scalar or a vector, but this is {}", to_string(value.shape()))
                 : fmt::format("a subscript must be {}, but this is {}", to_string(wanted), to_string(value.type())));
    return std::nullopt;
  }
  const Pool& pool = at.all.pool;
  if (value.is_scalar() && !pool.is_constant(value.scalar())) {
    if (size == 0) {
      at.error(Code::SubscriptOutOfBounds, subscript->range,
               fmt::format("'{}' has no elements: its shape is {}", name, to_string(shape)));
      return std::nullopt;
    }
    Index index = whole(size);
    index.is_scalar = true;
    index.chooser = wanted == Type::Boolean ? at.all.pool.add(value.scalar(), at.all.pool.one()) : value.scalar();
    return index;
  }
  Index index;
  index.is_scalar = value.is_scalar();
  for (const NodeId element : value.elements()) {
    const auto number = known_subscript(pool, Value(wanted, element), wanted);
    if (!number) {
      at.all.not_supported(subscript->range, "a range of subscripts that is known only during the run");
      return std::nullopt;
    }
    if (!in_bounds(at, *number, size, shape, name, subscript->range)) return std::nullopt;
    index.positions.push_back(static_cast<std::size_t>(*number - 1));
  }
  return index;
}

// Takes one more dimension, of the given size, into the slice: a known subscript makes more elements, one that is
// known only during the run more alternatives for each.
void extend(Slice& part, const Index& index, std::int64_t size, Pool& pool) {
  const std::size_t before = part.alternatives;
  const std::size_t elements = before == 0 ? 0 : part.offsets.size() / before;
  const auto shifted = [&](std::size_t e, std::size_t a, std::size_t k) {
    return part.offsets[e * before + a] * static_cast<std::size_t>(size) + k;
  };
  std::vector<std::size_t> offsets;
  offsets.reserve(part.offsets.size() * index.positions.size());
  if (!index.chooser) {
    for (std::size_t e = 0; e < elements; ++e)
      for (const std::size_t k : index.positions)
        for (std::size_t a = 0; a < before; ++a) offsets.push_back(shifted(e, a, k));
    if (!index.is_scalar) part.shape.push_back(static_cast<std::int64_t>(index.positions.size()));
  } else {
    for (std::size_t e = 0; e < elements; ++e)
      for (std::size_t a = 0; a < before; ++a)
        for (const std::size_t k : index.positions) offsets.push_back(shifted(e, a, k));
    std::vector<NodeId> conditions;
    for (std::size_t a = 0; a < before; ++a)
      for (const std::size_t k : index.positions) {
        const NodeId here = pool.binary(Op::Equal, *index.chooser, pool.constant(static_cast<double>(k + 1)));
        conditions.push_back(part.conditions.empty() ? here : conjunction(pool, part.conditions[a], here));
      }
    part.conditions = std::move(conditions);
    part.alternatives = before * index.positions.size();
  }
  part.offsets = std::move(offsets);
}

// The common case, x[i] and x[i, j] with known subscripts, without building a slice. Nothing in other cases, or if it
// is wrong.
std::optional<std::size_t> known_offset(const Environment& at, const Shape& shape,
                                        const std::vector<ast::Subscript>& subscripts,
                                        const std::vector<Type>& index_types) {
  if (subscripts.size() != shape.size()) return std::nullopt;
  std::size_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (!subscripts[d]) return std::nullopt;
    const Value value = evaluate_subscript(at, *subscripts[d], shape[d]);
    const auto number = known_subscript(at.all.pool, value, index_type_of(index_types, d));
    if (!number || *number < 1 || *number > shape[d]) return std::nullopt;
    offset = offset * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(*number - 1);
  }
  return offset;
}

// On a path through a function that depends on values of the run: a missing element ends the run if the path is taken.
bool is_missing_on_this_way(const Environment& at, const Value& base, const std::vector<ast::Subscript>& subscripts,
                            std::string_view name) {
  const Pool& pool = at.all.pool;
  const auto& reached = at.all.events.reached;
  const bool in_function = at.scope.syntax && at.scope.syntax->kind == ast::ClassKind::Function;
  const bool may_be_left_out = in_function && reached && !pool.is_constant(*reached);
  if (!may_be_left_out || base.type() != Type::Real || subscripts.size() != base.shape().size()) return false;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    const std::int64_t size = base.shape()[d];
    if (!subscripts[d]) return false;
    const Value value = evaluate_subscript(at, *subscripts[d], size);
    const auto number = known_subscript(pool, value, Type::Integer);
    if (!number) return false;
    if (*number >= 1 && *number <= size) continue;
    check_not_reached(at, out_of_bounds(*number, base.shape(), name), subscripts[d]->range);
    return true;
  }
  return false;
}

}  // namespace

std::optional<Slice> slice(const Environment& at, const Shape& shape, const std::vector<ast::Subscript>& subscripts,
                           std::string_view name, SourceRange range, const std::vector<Type>& index_types) {
  if (subscripts.size() > shape.size()) {
    at.error(Code::WrongSubscript, range,
             shape.empty() ? fmt::format("'{}' is a scalar and has no subscripts", name)
                           : fmt::format("'{}' has the shape {}, but {} subscripts are given", name, to_string(shape),
                                         subscripts.size()));
    return std::nullopt;
  }
  Slice part;
  part.offsets = {0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto index = d < subscripts.size()
                           ? evaluate_index(at, subscripts[d], shape, d, name, index_type_of(index_types, d))
                           : std::optional(whole(shape[d]));
    if (!index) return std::nullopt;
    const Shape size{static_cast<std::int64_t>(part.offsets.size()),
                     static_cast<std::int64_t>(index->positions.size())};
    if (!at.all.fits(size, range)) return std::nullopt;
    extend(part, *index, shape[d], at.all.pool);
  }
  return part;
}

Value selected_records(const Value& base, const Slice& part) {
  std::vector<NodeId> elements;
  elements.reserve(part.offsets.size() * base.stride());
  for (const std::size_t offset : part.offsets)
    for (std::size_t k = 0; k < base.stride(); ++k) elements.push_back(base[offset * base.stride() + k]);
  return base.like(part.shape, std::move(elements));
}

Value subscripted(const Environment& at, const Value& base, const std::vector<ast::Subscript>& subscripts,
                  std::string_view name, SourceRange range, const std::vector<Type>& index_types) {
  if (!base.valid()) return {};
  if (base.is_record()) {
    const auto records = slice(at, base.shape(), subscripts, name, range, index_types);
    if (!records) return {};
    if (records->conditions.empty()) return selected_records(base, *records);
    at.all.not_supported(range, "a subscript of records that is known only during the run");
    return {};
  }
  if (const auto offset = known_offset(at, base.shape(), subscripts, index_types))
    return Value(base.type(), base[*offset]).of_enumeration(base.enumeration());
  if (is_missing_on_this_way(at, base, subscripts, name))
    return {Type::Real, at.all.pool.constant(std::numeric_limits<double>::quiet_NaN())};

  const auto part = slice(at, base.shape(), subscripts, name, range, index_types);
  if (!part) return {};
  std::vector<NodeId> elements;
  if (part->conditions.empty()) {
    for (const std::size_t offset : part->offsets) elements.push_back(base[offset]);
    return {base.type(), part->shape, std::move(elements)};
  }
  // Out of bounds the value is NaN.
  Pool& pool = at.all.pool;
  for (std::size_t first = 0; first < part->offsets.size(); first += part->alternatives) {
    NodeId element = pool.constant(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t a = part->alternatives; a-- > 0 && element != unassigned;) {
      const NodeId candidate = base[part->offsets[first + a]];
      element = candidate == unassigned ? unassigned : pool.if_else(part->conditions[a], candidate, element);
    }
    elements.push_back(element);
  }
  return {base.type(), part->shape, std::move(elements)};
}

}  // namespace driftless::language
