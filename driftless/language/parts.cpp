// The parts of a component: an instance of its class, or one for each element
// of an array.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/instantiate.hpp"

namespace driftless::language {

namespace {

// The subscripts of the k-th element.
std::vector<Step> steps_to(const Shape& shape, std::size_t k) {
  std::vector<Step> steps(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[d]);
    steps[d].index = static_cast<std::int64_t>(k % size) + 1;
    k /= size;
  }
  return steps;
}

// The modifiers of an array of parts, for one of them: a modifier without
// `each` has a value for every part. Only the first `own` belong to the
// component; those of its type do not refer to the array.
Modifiers for_element(Modifiers modifiers, std::size_t own, const std::vector<Step>& steps) {
  for (std::size_t k = 0; k < own; ++k) {
    Modifier& modifier = modifiers[k];
    modifier.from_component = true;
    if (modifier.syntax->each)
      modifier.steps.clear();
    else
      modifier.steps.insert(modifier.steps.end(), steps.begin(), steps.end());
  }
  return modifiers;
}

bool contains_itself(const Instance& instance, const Class& part, int& depth) {
  for (const Instance* around = &instance; around; around = around->parent, ++depth)
    if (around->of == &part && depth > 20) return true;
  return depth > 200;
}

}  // namespace

void make_parts(const Environment& at, Component& component) {
  Elaboration& all = at.all;
  const ResolvedType& type = component.type;
  const SourceRange range = component.syntax->range;
  if (int depth = 0; contains_itself(*component.instance, *type.part, depth)) {
    at.error(Code::WrongExtends, range, fmt::format("{} contains itself, without an end", type.part->path));
    all.contains_itself = true;
    return;
  }
  if (type.part->syntax->partial) {
    at.error(Code::WrongExtends, range,
             fmt::format("'{}' cannot be a component of {}, which is partial", component.name(), type.part->path))
        .note("a class that extends it and is not partial can be used", type.part->syntax->name.range);
    return;
  }
  Value value;
  const bool open_size = std::ranges::any_of(type.dimensions, [](const Dimension& size) { return !*size.size; });
  if (open_size && component.given) value = evaluate_given(at, component.given);
  const auto shape = resolve_shape(at, type.dimensions, component.given ? &value : nullptr, component.name(), range);
  if (!shape) return;
  component.shape = *shape;
  const auto size = static_cast<std::size_t>(count(*shape));
  const std::string name = component.name();
  component.parts.reserve(size);
  for (std::size_t k = 0; k < size && all.spend(range); ++k) {
    const std::vector<Step> steps = steps_to(*shape, k);
    InstancePlace place{element_name(name, *shape, k), component.instance, &component, component.prefixes,
                        component.given};
    if (place.value) place.value.steps.insert(place.value.steps.end(), steps.begin(), steps.end());
    auto part =
        make_instance(all,
                      {type.part, type.part_around, for_element(type.part_modifiers, component.modifiers.size(), steps),
                       type.part_inherited},
                      std::move(place));
    if (!part) return;
    component.parts.push_back(std::move(part));
  }
}

}  // namespace driftless::language
