// annotation(__Driftless(animation(points(mass = {x, y}), lines(rod = {{0, 0}, {x, y}}), circles(wheel = {x, y, r}))))
//
// Shapes that the author wants to see moving. Coordinates are expressions of the model that do not affect its
// equations.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/vendor_annotation.hpp"

namespace driftless::language {

namespace {

using Kind = AnimatedShape::Kind;

struct Group {
  std::string_view name;
  Kind kind;
  const char* form;
};
constexpr Group groups[] = {
    {"points", Kind::Point, "a point is {x, y} or {x, y, z}"},
    {"lines", Kind::Line, "a line is a list of two or more points, {{x1, y1}, {x2, y2}}"},
    {"circles", Kind::Circle, "a circle is {x, y, r} or {x, y, z, r}"},
};
const std::vector<std::string_view> group_names = {"points", "lines", "circles"};

// 2 or 3; 0 for a value that is no such shape.
int dimension_of(Kind kind, const Shape& shape) {
  const auto in = [](std::int64_t n, std::int64_t least) { return n == least || n == least + 1; };
  if (kind == Kind::Line) return shape.size() == 2 && shape[0] >= 2 && in(shape[1], 2) ? static_cast<int>(shape[1]) : 0;
  const std::int64_t least = kind == Kind::Point ? 2 : 3;
  return shape.size() == 1 && in(shape[0], least) ? static_cast<int>(shape[0] - least) + 2 : 0;
}

// A relation that changes at events has no column in the results.
bool has_relation(const Model& model, NodeId value) {
  return any_node(*model.pool, value, [&](NodeId id) {
    const Node& node = (*model.pool)[id];
    if (node.op != Op::Parameter) return false;
    const Parameter::Role role = model[ParamId{static_cast<std::int32_t>(node.a)}].role;
    return role != Parameter::Role::Given && role != Parameter::Role::Discrete;
  });
}

using Shapes = std::vector<AnimatedShape>;

void add_shape(const Environment& at, const Group& group, const std::string& name, const Value& value,
               SourceRange range, Shapes& shapes) {
  const Model& model = at.all.model;
  const int dimension = dimension_of(group.kind, value.shape());
  if (dimension == 0) {
    const std::string is = value.is_scalar() ? "a scalar" : "an array " + to_string(value.shape());
    at.error(Code::ShapesDiffer, range, fmt::format("{}, but '{}' is {}", group.form, name, is));
    return;
  }
  if (!shapes.empty() && shapes.front().dimension != dimension) {
    at.error(Code::ShapesDiffer, range,
             fmt::format("'{}' has {} coordinates, and '{}' has {}: give all shapes the same number", name, dimension,
                         shapes.front().name, shapes.front().dimension));
    return;
  }
  AnimatedShape shape{group.kind, name, dimension, {}, range};
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (has_relation(model, value[k])) {
      at.error(Code::NotSupported, range,
               fmt::format("'{}' contains a relation: put it into noEvent(...), or declare a variable for it", name));
      return;
    }
    shape.values.push_back(value[k]);
  }
  shapes.push_back(std::move(shape));
}

void read_shape(const Environment& at, const Group& group, const ast::ElementModification& item, SourceRange range,
                Shapes& shapes) {
  const std::string name = to_string(item.name);
  if (!item.modification.value || !item.modification.modifiers.empty()) {
    at.error(Code::AttributeWithoutValue, range, fmt::format("write {} = ...: {}", name, group.form));
    return;
  }
  const Value value = evaluate(at, *item.modification.value);
  if (!value.valid()) return;
  const SourceRange place = item.modification.value->range;
  if (!value.is_numeric())
    at.error(Code::TypesDiffer, place, fmt::format("{}, but '{}' is {}", group.form, name, to_string(value.type())));
  else
    add_shape(at, group, name, value, place, shapes);
}

void read_group(const Environment& at, const ast::ElementModification& part, SourceRange range, Shapes& shapes) {
  const std::string name = to_string(part.name);
  const auto* group = std::ranges::find(groups, std::string_view(name), &Group::name);
  if (group == std::end(groups)) {
    at.error(
        Code::UnknownAttribute, range,
        fmt::format("an animation has points, lines and circles, no '{}'{}", name, did_you_mean(name, group_names)));
    return;
  }
  for (const ast::Modifier& modifier : part.modification.modifiers)
    if (const auto* item = std::get_if<ast::ElementModification>(&modifier.node))
      read_shape(at, *group, *item, modifier.range, shapes);
}

}  // namespace

std::vector<AnimatedShape> elaborate_animation(Elaboration& all, Scope& model,
                                               const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  Shapes shapes;
  const Environment at{all, model, locals, Purpose::Equation};
  for (const VendorSetting& setting : vendor_settings(annotation)) {
    if (setting.name != "animation") continue;
    for (const ast::Modifier& modifier : setting.modification->modifiers)
      if (const auto* part = std::get_if<ast::ElementModification>(&modifier.node))
        read_group(at, *part, modifier.range, shapes);
  }
  return shapes;
}

}  // namespace driftless::language
