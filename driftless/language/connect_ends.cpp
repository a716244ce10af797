#include "driftless/language/connect_ends.hpp"

#include <fmt/format.h>

#include "driftless/language/buses.hpp"

namespace driftless::language {

namespace {

// Finds the connectors or variables that a reference names.
class EndFinder {
 public:
  EndFinder(const Environment& at, const ast::Reference& reference, EndKind kind)
      : at_(at), reference_(reference), kind_(kind) {}

  std::optional<Ends> find() {
    const ast::Identifier& first = reference_.parts.front().name;
    Component* component = find_in(*at_.scope.instance, first.text).component;
    if (!component || reference_.global) {
      std::vector<std::string_view> names;
      for (const Component& candidate : at_.scope.instance->components) names.push_back(candidate.identifier());
      at_.error(Code::UnknownName, first.range,
                fmt::format("unknown component '{}'{}", first.text, did_you_mean(first.text, names)));
      return std::nullopt;
    }
    find_type(at_.all, *component);
    ends_.outside = is_connector(*component);
    if (!follow(*component, 0)) return std::nullopt;
    return ends_;
  }

 private:
  static bool is_connector(const Component& component) { return component.type.is_connector; }

  bool follow(Component& component, std::size_t k) {
    find_type(at_.all, component);
    resolve(at_.all, component);
    if (component.removed) return ends_.absent = true;
    const bool last = k + 1 == reference_.parts.size();
    if (!last && k > 0 && kind_ == EndKind::Connector && !is_connector(component)) {
      at_.error(Code::WrongConnection, reference_.range,
                fmt::format("'{}' lies inside of '{}', which is no connector: a model connects its own connectors and "
                            "those of its parts",
                            to_string(reference_), component.name()))
          .note("declared here", component.syntax->range);
      return false;
    }
    if (last && kind_ == EndKind::Connector && !is_connector(component) && !is_expandable(*component.instance)) {
      at_.error(Code::WrongConnection, reference_.range,
                fmt::format("'{}' is not a connector: only connectors can be connected", to_string(reference_)))
          .note("declared here", component.syntax->range);
      return false;
    }
    return component.is_part() ? follow_parts(component, k, last) : add_variable(component, k, last);
  }

  bool follow_parts(Component& component, std::size_t k, bool last) {
    const auto chosen = chosen_parts(at_, component, reference_.parts[k]);
    if (!chosen) return false;
    const Shape outer = ends_.shape;
    Shape whole;
    for (Instance* part : chosen->parts) {
      ends_.shape = outer;
      ends_.shape.insert(ends_.shape.end(), chosen->shape.begin(), chosen->shape.end());
      if (last)
        ends_.list.push_back({part});
      else if (Component* member = member_of(*part, k + 1); !member || !follow(*member, k + 1))
        return false;
    }
    return true;
  }

  Component* member_of(Instance& part, std::size_t k) {
    const ast::Identifier& name = reference_.parts[k].name;
    Component* member = find_in(part, name.text).component;
    if (member) return member;
    std::vector<std::string_view> names;
    for (const Component& candidate : part.components) names.push_back(candidate.identifier());
    at_.error(Code::UnknownName, name.range,
              fmt::format("{} has no element '{}'{}", part.path, name.text, did_you_mean(name.text, names)))
        .note(fmt::format("{} is of the class {}", part.path, part.of->path), part.of->syntax->name.range);
    return nullptr;
  }

  bool add_variable(Component& component, std::size_t k, bool last) {
    const ast::ReferencePart& part = reference_.parts[k];
    if (!last) {
      at_.error(Code::UnknownName, reference_.range,
                fmt::format("'{}' has no member '{}'", part.name.text, reference_.parts[k + 1].name.text));
      return false;
    }
    const Value& value = component.symbolic.valid() ? component.symbolic : component.numeric;
    if (!value.valid()) return false;  // reported
    const auto selected = slice(at_, value.shape(), part.subscripts, part.name.text, part.name.range);
    if (!selected) return false;
    if (!selected->conditions.empty()) {
      at_.error(Code::WrongConnection, reference_.range, "a connection must be known before the run");
      return false;
    }
    ends_.shape.insert(ends_.shape.end(), selected->shape.begin(), selected->shape.end());
    for (const std::size_t offset : selected->offsets) ends_.list.push_back({nullptr, &component, offset});
    return true;
  }

  const Environment& at_;
  const ast::Reference& reference_;
  EndKind kind_;
  Ends ends_;
};

}  // namespace

std::optional<Ends> find_ends(const Environment& at, const ast::Reference& reference, EndKind kind) {
  return EndFinder(at, reference, kind).find();
}

std::string name_of(const End& end) {
  if (end.connector) return end.connector->path;
  return element_name(end.variable->name(), end.variable->symbolic.shape(), end.element);
}

}  // namespace driftless::language
