#include "driftless/language/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "driftless/language/instantiate.hpp"

namespace driftless::language {

namespace {

const RecordLayout* layout_of(Elaboration& all, const std::vector<std::pair<std::string, Value>>& members,
                              const Class* operators) {
  RecordLayout layout;
  layout.operators = operators;
  for (const auto& [name, value] : members) {
    layout.members.push_back(
        {name, value.type(), value.shape(), value.enumeration(), value.layout(), layout.size, value.size()});
    layout.size += value.size();
  }
  for (const RecordLayout& known : all.record_layouts)
    if (known.members == layout.members && known.operators == operators) return &known;
  return &all.record_layouts.emplace_back(std::move(layout));
}

}  // namespace

bool is_record_class(const Class& candidate) {
  const ast::ClassKind kind = candidate.syntax->kind;
  return kind == ast::ClassKind::Record || kind == ast::ClassKind::OperatorRecord;
}

const Class* operators_of(const Class& of) { return of.syntax->kind == ast::ClassKind::OperatorRecord ? &of : nullptr; }

Value make_record(Elaboration& all, const std::vector<std::pair<std::string, Value>>& members, const Class* operators) {
  std::vector<NodeId> elements;
  for (const auto& [name, value] : members) {
    if (!value.valid()) return {};
    elements.insert(elements.end(), value.elements().begin(), value.elements().end());
  }
  return Value::record(layout_of(all, members, operators), {}, std::move(elements));
}

Value record_value(const Environment& at, Instance& record, SourceRange range) {
  std::vector<std::pair<std::string, Value>> members;
  for (Component& component : record.components) {
    Value value = whole_value(at, component, range);
    if (!value.valid()) return {};
    members.emplace_back(component.identifier(), std::move(value));
  }
  return make_record(at.all, members, operators_of(*record.of));
}

namespace {

// An instance of the record without values of the model, used for its members, their sizes and defaults.
std::unique_ptr<Instance> prototype(Elaboration& all, const ResolvedType& type) {
  return make_instance(all, {type.part, type.part_around, type.part_modifiers, type.part_inherited}, {});
}

Value unassigned_member(const Environment& at, Component& component) {
  find_type(at.all, component);
  if (component.is_part()) return unassigned_record(at, component);
  const ResolvedType& type = component.type;
  if (type.type == Type::Invalid) return {};
  const Value open(type.type, Shape(type.dimensions.size(), 0),
                   std::vector<NodeId>(type.dimensions.empty() ? 1 : 0, unassigned));
  const auto shape = resolve_shape(at, type.dimensions, &open, component.identifier(), component.syntax->range);
  if (!shape) return {};
  return Value(type.type, *shape, std::vector<NodeId>(static_cast<std::size_t>(count(*shape)), unassigned))
      .of_enumeration(type.enumeration);
}

}  // namespace

Value unassigned_record(const Environment& at, const Component& component) {
  const auto record = prototype(at.all, component.type);
  if (!record) return {};
  if (!is_record_class(*record->of)) {
    at.error(Code::NotAType, component.syntax->range,
             fmt::format("'{}' is of the {} {}: a variable of a function can "
                         "be a record, but no {}",
                         component.identifier(), ast::to_string(record->of->syntax->kind), record->of->path,
                         ast::to_string(record->of->syntax->kind)));
    return {};
  }
  Locals nothing;
  std::vector<std::pair<std::string, Value>> members;
  for (Component& member : record->components) {
    Value value = unassigned_member({at.all, *member.scope, nothing}, member);
    if (!value.valid()) return {};
    members.emplace_back(member.identifier(), std::move(value));
  }
  const RecordLayout* layout = layout_of(at.all, members, operators_of(*record->of));
  const Value open =
      Value::record(layout, Shape(component.type.dimensions.size(), 0),
                    std::vector<NodeId>(component.type.dimensions.empty() ? layout->size : 0, unassigned));
  const auto shape =
      resolve_shape(at, component.type.dimensions, &open, component.identifier(), component.syntax->range);
  if (!shape) return {};
  const auto size = static_cast<std::size_t>(count(*shape)) * layout->size;
  return Value::record(layout, *shape, std::vector<NodeId>(size, unassigned));
}

bool is_real_element(const RecordLayout& layout, std::size_t k) {
  const RecordLayout* inside = &layout;
  while (inside && inside->size > 0) {
    k %= inside->size;
    const auto member = std::ranges::find_if(
        inside->members, [&](const RecordMember& each) { return k >= each.first && k < each.first + each.size; });
    if (member == inside->members.end()) return false;
    if (!member->layout) return member->type == Type::Real;
    k -= member->first;
    inside = member->layout;
  }
  return false;
}

Value with_undefined_members(Pool& pool, Value record) {
  if (std::ranges::find(record.elements(), unassigned) == record.elements().end()) return record;
  const NodeId undefined = pool.constant(std::numeric_limits<double>::quiet_NaN());
  const std::span<NodeId> elements = record.change();
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (elements[k] == unassigned && is_real_element(*record.layout(), k)) elements[k] = undefined;
  return record;
}

namespace {

// The default of a member in the class of the record if it needs no other member; otherwise invalid.
Value value_of_class(Elaboration& all, const Component& member) {
  Locals nothing;
  const bool muted = std::exchange(all.muted, true);
  Value value = evaluate_given({all, *member.scope, nothing, Purpose::ConstantValue}, member.given);
  all.muted = muted;
  return value;
}

}  // namespace

Value with_declared_members(const Environment& at, const Component& component, Value value) {
  const auto record = value.rank() == 0 ? prototype(at.all, component.type) : nullptr;
  if (!record) return value;
  for (const Component& member : record->components) {
    if (!member.given) continue;
    const RecordMember* place = value.layout()->find(member.identifier());
    if (!place || place->layout) continue;
    const bool is_here = member.given.scope->instance == at.scope.instance;
    const Value declared = is_here ? evaluate_given(at, member.given) : value_of_class(at.all, member);
    if (!is_here && !declared.valid()) continue;
    const Value given = convert(at, declared, place->type, member.given.syntax->range,
                                fmt::format("the member '{}'", place->name), place->enumeration);
    if (!given.valid()) return {};
    if (given.size() != place->size) continue;
    const std::span<NodeId> elements = value.change();
    std::ranges::copy(given.elements(), elements.begin() + static_cast<std::ptrdiff_t>(place->first));
  }
  return value;
}

namespace {

// Sizes of `wanted` that are 0 may mean `:`.
bool shapes_fit(const Shape& given, const Shape& wanted) {
  if (given.size() != wanted.size()) return false;
  for (std::size_t d = 0; d < given.size(); ++d)
    if (wanted[d] != 0 && wanted[d] != given[d]) return false;
  return true;
}

}  // namespace

Value as_record(const Environment& at, const Value& value, const Value& wanted, SourceRange range,
                std::string_view what) {
  if (!value.valid()) return {};
  const auto refuse = [&](const std::string& why) {
    at.error(Code::TypesDiffer, range, fmt::format("{} {}", what, why));
    return Value();
  };
  if (!value.is_record()) return refuse(fmt::format("must be a record, but this is {}", to_string(value.type())));
  if (value.layout() == wanted.layout()) return value;
  for (const RecordMember& member : value.layout()->members)
    if (!wanted.layout()->find(member.name))
      return refuse(fmt::format("has the member '{}', for which there is no place", member.name));
  std::vector<std::pair<std::string, Value>> members;
  if (value.rank() > 0) return refuse("is an array of records with other members");
  for (const RecordMember& member : wanted.layout()->members) {
    Value given = value.member(member.name);
    if (!given.valid()) return refuse(fmt::format("needs the member '{}'", member.name));
    if (!shapes_fit(given.shape(), member.shape))
      return refuse(fmt::format("has the member '{}' of shape {}, but here it has the shape {}", member.name,
                                to_string(member.shape), to_string(given.shape())));
    if (member.layout)
      given = as_record(at, given, wanted.member(member.name), range, what);
    else
      given = convert(at, given, member.type, range, fmt::format("the member '{}'", member.name), member.enumeration);
    if (!given.valid()) return {};
    members.emplace_back(member.name, std::move(given));
  }
  return make_record(at.all, members, wanted.layout()->operators);
}

namespace {

// Matches the arguments of a constructor with members; nothing, with an error, if one has no match.
std::optional<std::vector<const ast::Expression*>> match_members(const Environment& at, const Instance& record,
                                                                 const ast::Call& call, SourceRange range) {
  std::vector<const ast::Expression*> given(record.components.size(), nullptr);
  std::size_t next = 0;
  for (const ast::CallArgument& argument : call.arguments) {
    std::size_t place = next;
    if (!argument.name.empty()) {
      const auto found = std::ranges::find(record.components, argument.name.text, &Component::identifier);
      place = static_cast<std::size_t>(found - record.components.begin());
      if (place == given.size()) {
        at.error(Code::UnknownArgument, argument.name.range,
                 fmt::format("the record {} has no member '{}'", record.of->path, argument.name.text));
        return std::nullopt;
      }
    } else {
      const auto has_own_value = [&](const Component& member) {
        return member.kind == Component::Kind::Constant && member.given;
      };
      while (place < given.size() && has_own_value(record.components[place])) ++place;
      next = place + 1;
    }
    if (place >= given.size() || given[place]) {
      at.error(Code::WrongNumberOfArguments, range,
               fmt::format("the record {} has {} members, but more values are given", record.of->path, given.size()))
          .note("declared here", record.of->syntax->name.range);
      return std::nullopt;
    }
    given[place] = &argument.value;
  }
  return given;
}

// A member that is a record itself, and has no value, is made of the defaults of its own members.
Value value_of_defaults(const Environment& at, const Component& member, const Value& wanted, SourceRange range) {
  static const ast::Call nothing_given;
  const auto record = prototype(at.all, member.type);
  const Value one = record ? construct_record(at, *record, nothing_given, range) : Value();
  if (!one.valid()) return {};
  std::vector<NodeId> elements;
  for (std::int64_t k = 0; k < count(wanted.shape()); ++k)
    elements.insert(elements.end(), one.elements().begin(), one.elements().end());
  return one.like(wanted.shape(), std::move(elements));
}

}  // namespace

Value construct_record(const Environment& at, Instance& record, const ast::Call& call, SourceRange range) {
  const auto given = match_members(at, record, call, range);
  if (!given) return {};
  Locals members;  // defaults may use the members before them
  std::vector<std::pair<std::string, Value>> made;
  for (std::size_t k = 0; k < given->size(); ++k) {
    Component& component = record.components[k];
    const Environment inside{at.all, *component.scope, members, at.purpose};
    Value wanted = unassigned_member(inside, component);
    if (!wanted.valid()) return {};
    const bool is_given = (*given)[k] != nullptr, has_default = component.given || component.is_part();
    if (!is_given && !has_default) {
      at.error(Code::WrongNumberOfArguments, range,
               fmt::format("the record {} needs a value for its member '{}'", record.of->path, component.identifier()))
          .note("declared here", component.syntax->range);
      return {};
    }
    Value value = is_given          ? evaluate(at, *(*given)[k])
                  : component.given ? evaluate_given(inside, component.given)
                                    : value_of_defaults(inside, component, wanted, range);
    const SourceRange where = is_given ? (*given)[k]->range : component.given ? component.given.syntax->range : range;
    const std::string what = fmt::format("'{}' of {}", component.identifier(), record.of->path);
    value = wanted.is_record() ? as_record(at, value, wanted, where, what)
                               : convert(at, value, wanted.type(), where, what, wanted.enumeration());
    if (!value.valid()) return {};
    if (!shapes_fit(value.shape(), wanted.shape())) {
      at.error(Code::ShapesDiffer, where,
               fmt::format("{} is {}, but this is {}", what, to_string(wanted.shape()), to_string(value.shape())));
      return {};
    }
    members.push_back({component.syntax->name.text, Local::Kind::Protected, value});
    made.emplace_back(component.identifier(), std::move(value));
  }
  return make_record(at.all, made, operators_of(*record.of));
}

std::optional<MemberPlaces> member_places(const Environment& at, const Value& variable, const ast::Reference& target) {
  // The numbers of the elements are selected as the elements themselves would
  // be.
  std::vector<NodeId> numbers(variable.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = NodeId{static_cast<std::uint32_t>(k)};
  Value places = variable.like(variable.shape(), std::move(numbers));
  for (std::size_t k = 0; k < target.parts.size(); ++k) {
    const ast::ReferencePart& part = target.parts[k];
    if (k > 0) {
      places = places.member(part.name.text);
      if (!places.valid()) {
        at.error(Code::UnknownName, part.name.range,
                 fmt::format("'{}' has no member '{}'", target.parts[k - 1].name.text, part.name.text));
        return std::nullopt;
      }
    }
    if (part.subscripts.empty()) continue;
    const auto selected = slice(at, places.shape(), part.subscripts, part.name.text, part.name.range);
    if (!selected) return std::nullopt;
    if (!selected->conditions.empty()) {
      at.all.not_supported(target.range,
                           "a member of a record at a subscript "
                           "that is known only during the run");
      return std::nullopt;
    }
    places = selected_records(places, *selected);
  }
  MemberPlaces found{places, {}};
  for (const NodeId number : places.elements()) found.offsets.push_back(index(number));
  return found;
}

}  // namespace driftless::language
