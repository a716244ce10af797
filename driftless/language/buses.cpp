#include "driftless/language/buses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/connections/expandable.hpp"
#include "driftless/language/connect_ends.hpp"

namespace driftless::language {

namespace {

using connections::Causality;
using connections::Side;

// The result of following a reference: a bus and, unless it is the bus itself, the name of a member.
struct BusEnd {
  Instance* bus = nullptr;  // null if it is no part of a bus
  const ast::Identifier* member = nullptr;
  bool absent = false;
  bool failed = false;  // reported
  Shape element = {};   // the subscripts behind a member that the bus does not declare
};

class BusFinder {
 public:
  BusFinder(const Environment& at, const ast::Reference& reference) : at_(at), reference_(reference) {}

  // One end for each element if the reference contains arrays; none if it does not lead to a bus.
  std::vector<BusEnd> find() {
    std::vector<Instance*> insides{at_.scope.instance};
    for (std::size_t k = 0; k < reference_.parts.size(); ++k) {
      std::vector<Instance*> next;
      std::vector<BusEnd> ends;
      for (Instance* inside : insides)
        if (const auto end = follow(*inside, k, next)) ends.push_back(*end);
      if (!ends.empty()) return all_lead_somewhere(ends) ? ends : std::vector<BusEnd>();
      insides = std::move(next);
    }
    std::vector<BusEnd> ends;
    for (Instance* inside : insides)
      if (is_expandable(*inside)) ends.push_back({inside});
    return ends;
  }

 private:
  static bool all_lead_somewhere(const std::vector<BusEnd>& ends) {
    return std::ranges::all_of(ends, [](const BusEnd& end) { return end.bus || end.absent || end.failed; });
  }

  // The end to which the k-th name leads; nothing if it continues in the instances that are added to `next`.
  std::optional<BusEnd> follow(Instance& inside, std::size_t k, std::vector<Instance*>& next) {
    const ast::ReferencePart& part = reference_.parts[k];
    Component* component = find_in(inside, part.name.text).component;
    if (!component) return k > 0 && is_expandable(inside) ? member(inside, k, false) : BusEnd();
    find_type(at_.all, *component);
    if (!component->is_part()) return is_expandable(inside) ? member(inside, k, true) : BusEnd();
    resolve(at_.all, *component);
    if (component->removed) return BusEnd{nullptr, nullptr, true};
    const auto chosen = chosen_parts(at_, *component, part);
    if (!chosen || chosen->parts.empty()) return BusEnd();
    if (is_expandable(inside) && !is_expandable(*chosen->parts.front())) return member(inside, k, true);
    next.insert(next.end(), chosen->parts.begin(), chosen->parts.end());
    return std::nullopt;
  }

  BusEnd member(Instance& bus, std::size_t k, bool declared) {
    const ast::ReferencePart& part = reference_.parts[k];
    if (k + 1 != reference_.parts.size()) {
      at_.all.not_supported(
          reference_.range,
          fmt::format("a member of '{}', which the expandable connector {} does not declare as another one",
                      part.name.text, bus.path));
      return {.failed = true};
    }
    BusEnd end{&bus, &part.name};
    if (!declared)
      for (const ast::Subscript& subscript : part.subscripts) {
        const auto place = element_number(subscript, part.name.range);
        if (!place) return {.failed = true};
        end.element.push_back(*place);
      }
    return end;
  }

  std::optional<std::int64_t> element_number(const ast::Subscript& subscript, SourceRange range) {
    if (!subscript || subscript->as<ast::Range>()) {
      at_.all.not_supported(range, "a part of an array that the expandable connector does not declare");
      return std::nullopt;
    }
    const auto place = evaluate_integer(at_.with(Purpose::Subscript), *subscript);
    if (!place || *place >= 1) return place;
    at_.error(Code::SubscriptOutOfBounds, subscript->range,
              fmt::format("the elements of an array are counted from 1, but this is {}", *place));
    return std::nullopt;
  }

  const Environment& at_;
  const ast::Reference& reference_;
};

class Expansion {
 public:
  Expansion(Elaboration& all, const Flat& flat) : all_(all), flat_(flat) {}

  bool run() {
    for (Instance* instance : flat_.instances)
      if (is_expandable(*instance)) add(*instance);
    if (instances_.empty()) return false;
    walk_connections(
        all_, flat_,
        {[&](const Environment& at, const ast::Connect& connect, SourceRange range) { note(at, connect, range); }, {}});
    input_.connectors = static_cast<int>(instances_.size());
    result_ = connections::expand(input_);
    report_mistakes();
    if (!result_.endless.empty()) return true;
    for (const connections::Nested& nested : invented_) create(nested);
    for (const connections::Nested& nested : result_.created) create(nested);
    for (const connections::Member& member : result_.members) add_member(member);
    for (const auto& [place, elements] : arrays_)
      add_array(*instances_[static_cast<std::size_t>(place.first)], place.second, elements);
    remove_unused();
    return true;
  }

 private:
  // The other end of a connect equation with a member.
  struct Origin {
    Component* component;
    bool is_element;  // one element of an array
    SourceRange range;
    std::string member;
    Shape element;  // of the member, if it is one of an array that no bus declares
  };

  int name_number(const std::string& text) {
    const auto [place, fresh] = number_of_name_.try_emplace(text, static_cast<int>(names_.size()));
    if (fresh) names_.push_back(text);
    return place->second;
  }

  int add(Instance& instance) {
    const int number = static_cast<int>(instances_.size());
    number_.emplace(&instance, number);
    instances_.push_back(&instance);
    if (instance.parent && is_expandable(*instance.parent))
      input_.nested.push_back({number_.at(instance.parent), name_number(own_name(instance)), number});
    return number;
  }

  // With the subscripts of an element: "c[2]" of bus.c[2].
  static std::string own_name(const Instance& instance) {
    const std::string& around = instance.parent->path;
    return around.empty() ? instance.path : instance.path.substr(around.size() + 1);
  }

  // bus.sub in connect(bus.sub, other), where `other` is a bus and bus.sub is not declared.
  int invent(Instance& bus, const ast::Identifier& name) {
    const int outer = number_.at(&bus), text = name_number(name.text);
    for (const connections::Nested& known : invented_)
      if (known.outer == outer && known.name == text) return known.inner;
    const int number = static_cast<int>(instances_.size());
    instances_.push_back(nullptr);
    invented_.push_back({outer, text, number});
    input_.nested.push_back(invented_.back());
    return number;
  }

  void note(const Environment& at, const ast::Connect& connect, SourceRange range) {
    const std::vector<BusEnd> a = BusFinder(at, connect.from).find(), b = BusFinder(at, connect.to).find();
    const auto is_useless = [](const BusEnd& end) { return end.absent || end.failed; };
    if (std::ranges::any_of(a, is_useless) || std::ranges::any_of(b, is_useless)) return;
    if (!a.empty() && !b.empty()) {
      for (std::size_t k = 0; k < a.size() && a.size() == b.size(); ++k) note_wholes(a[k], b[k], range);
      return;
    }
    const std::vector<BusEnd>& of_bus = a.empty() ? b : a;
    if (of_bus.empty() || !of_bus.front().member) return;
    const auto ends = find_ends(at, a.empty() ? connect.from : connect.to);
    if (!ends || ends->absent || ends->list.empty()) return;
    if (of_bus.size() == 1) {
      note_use(of_bus.front(), ends->list.front(), *ends, range);
    } else if (ends->list.size() == of_bus.size()) {
      for (std::size_t k = 0; k < of_bus.size(); ++k) note_use(of_bus[k], ends->list[k], *ends, range);
    }
  }

  void note_wholes(const BusEnd& a, const BusEnd& b, SourceRange range) {
    if (a.member && b.member) {
      const bool muted = std::exchange(all_.muted, false);
      all_.not_supported(range, "a connection of members of two expandable connectors");
      all_.muted = muted;
      return;
    }
    const int first = a.member ? invent(*a.bus, *a.member) : number_.at(a.bus);
    input_.wholes.push_back({first, b.member ? invent(*b.bus, *b.member) : number_.at(b.bus)});
  }

  void note_use(const BusEnd& of_bus, const End& end, const Ends& ends, SourceRange range) {
    Component* other = end.connector ? const_cast<Component*>(end.connector->as) : end.variable;
    const ast::Causality causality = other->prefixes.causality;
    const Shape& whole = end.connector ? other->shape : other->symbolic.shape();
    const std::string& member = of_bus.member->text;
    const int name =
        name_number(of_bus.element.empty() ? member : fmt::format("{}[{}]", member, fmt::join(of_bus.element, ",")));
    input_.uses.push_back({number_.at(of_bus.bus), name,
                           causality == ast::Causality::Input    ? Causality::Input
                           : causality == ast::Causality::Output ? Causality::Output
                                                                 : Causality::Acausal,
                           ends.outside ? Side::Outside : Side::Inside});
    origins_.push_back({other, ends.shape != whole, range, member, of_bus.element});
  }

  std::string member_name(const connections::Use& use) const {
    const std::string& bus = instances_[static_cast<std::size_t>(use.connector)]->path;
    return (bus.empty() ? "" : bus + ".") + names_[static_cast<std::size_t>(use.name)];
  }

  void report_mistakes() {
    for (const int k : result_.undriven) {
      const auto place = static_cast<std::size_t>(k);
      all_.error(
              Code::WrongBus, origins_[place].range,
              fmt::format("nothing gives {} a value: only inputs are connected to it", member_name(input_.uses[place])))
          .note("the expandable connectors that are connected have one member of this name");
    }
    for (const std::vector<int>& driving : result_.driven_twice) {
      const auto first = static_cast<std::size_t>(driving.front());
      std::vector<std::string> names;
      for (const int k : driving) names.push_back(origins_[static_cast<std::size_t>(k)].component->name());
      all_.error(Code::WrongBus, origins_[static_cast<std::size_t>(driving.back())].range,
                 fmt::format("{} gets values from {}", member_name(input_.uses[first]), fmt::join(names, " and ")))
          .note("the first one is connected here", origins_[first].range);
    }
    for (const int k : result_.endless) {
      const connections::Nested& nested = input_.nested[static_cast<std::size_t>(k)];
      const Instance* bus = instances_[static_cast<std::size_t>(nested.outer)];
      all_.error(Code::WrongBus, bus ? bus->as->syntax->range : SourceRange{},
                 fmt::format("the connections put the expandable connector '{}' inside of itself",
                             names_[static_cast<std::size_t>(nested.name)]));
    }
  }

  // Declares a component of the type of `model`, without its causality and its start.
  Component& declare(Instance& bus, const std::string& name, Component& model, bool is_element) {
    auto syntax = std::make_unique<ast::Component>();
    syntax->name = {name, model.syntax->name.range};
    syntax->range = model.syntax->range;
    Component& added = bus.components.emplace_back();
    added.syntax = all_.made_components.emplace_back(std::move(syntax)).get();
    added.clause = model.clause;
    added.element = model.element;
    added.scope = model.scope;
    added.instance = &bus;
    added.modifiers = model.modifiers;
    added.prefixes = model.prefixes;
    added.prefixes.causality = ast::Causality::Unspecified;
    added.kind = model.kind;
    added.has_type = true;
    added.type = model.type;
    added.type.attributes.clear();
    added.type.causality = ast::Causality::Unspecified;
    if (is_element) added.type.dimensions.clear();
    added.assigned_in_when = model.assigned_in_when;
    bus.symbols.insert_or_assign(added.syntax->name.text, Symbol{&added, nullptr});
    return added;
  }

  void create(const connections::Nested& nested) {
    const auto place = static_cast<std::size_t>(nested.inner);
    if (instances_.size() <= place) instances_.resize(place + 1, nullptr);
    Instance* outer = instances_[static_cast<std::size_t>(nested.outer)];
    const Instance* model = nullptr;
    for (std::size_t k = 0; k < instances_.size() && !model; ++k)
      if (instances_[k] && result_.set_of[k] == result_.set_of[place]) model = instances_[k];
    if (!outer || !model) return;
    Component& made = declare(*outer, names_[static_cast<std::size_t>(nested.name)], *const_cast<Component*>(model->as),
                              !model->as->shape.empty());
    resolve(all_, made);
    if (!made.parts.empty()) instances_[place] = made.parts.front().get();
  }

  void add_member(const connections::Member& member) {
    Instance* bus = instances_[static_cast<std::size_t>(member.connector)];
    if (!bus) return;
    const Origin& origin = origins_[static_cast<std::size_t>(member.origin)];
    if (Component* declared = find_in(*bus, origin.member).component) {
      take_sizes(*declared, origin);
      used_.push_back(declared);
    } else if (origin.element.empty()) {
      used_.push_back(&declare(*bus, origin.member, *origin.component, origin.is_element));
    } else {
      arrays_[{member.connector, origin.member}].push_back(&origin);
    }
  }

  // Real x[:] of a bus has the sizes of what is connected to it.
  void take_sizes(Component& declared, const Origin& origin) {
    find_type(all_, declared);
    std::vector<Dimension>& sizes = declared.type.dimensions;
    const std::vector<Dimension>& others = origin.component->type.dimensions;
    if (origin.is_element || sizes.size() != others.size()) return;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (!*sizes[d].size) sizes[d] = others[d];
  }

  // Elements that connections name, as one array, which is as large as their subscripts demand.
  void add_array(Instance& bus, const std::string& name, const std::vector<const Origin*>& elements) {
    const Origin& first = *elements.front();
    Shape shape = first.element;
    for (const Origin* one : elements) {
      if (one->element.size() != shape.size())
        return refuse_array(bus, name, *one, "its elements have different numbers of subscripts");
      for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = std::max(shape[d], one->element[d]);
    }
    if (static_cast<std::size_t>(count(shape)) != elements.size())
      return refuse_array(bus, name, first,
                          fmt::format("only {} of its {} elements are connected", elements.size(), count(shape)));
    Component& made = declare(bus, name, *first.component, true);
    for (const std::int64_t size : shape) {
      auto number = std::make_unique<ast::Expression>();
      number->node = ast::Number{static_cast<double>(size), true};
      number->range = first.range;
      made.type.dimensions.push_back({&all_.made_sizes.emplace_back(std::move(number)), made.scope});
    }
    used_.push_back(&made);
  }

  void refuse_array(const Instance& bus, const std::string& name, const Origin& origin, std::string_view why) {
    all_.error(Code::WrongBus, origin.range, fmt::format("{}.{} is no array: {}", bus.path, name, why))
        .note(fmt::format("the expandable connector does not declare '{}', so the connections say what it is", name));
  }

  void remove_unused() {
    std::ranges::sort(used_);
    for (Instance* bus : instances_) {
      if (!bus) continue;
      for (Component& component : bus->components) {
        const bool is_bus = component.is_part() && !component.parts.empty() && is_expandable(*component.parts.front());
        if (component.kind != Component::Kind::Variable || is_bus) continue;
        component.removed = component.removed || !std::ranges::binary_search(used_, &component);
      }
    }
  }

  Elaboration& all_;
  const Flat& flat_;
  connections::ExpandableConnectors input_;
  connections::Expansion result_;
  std::vector<Instance*> instances_;  // null until a bus that is not declared is created
  std::unordered_map<const Instance*, int> number_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> number_of_name_;
  std::vector<connections::Nested> invented_;
  std::vector<Origin> origins_;                                               // of the uses
  std::map<std::pair<int, std::string>, std::vector<const Origin*>> arrays_;  // by bus and member: its elements
  std::vector<Component*> used_;
};

}  // namespace

bool is_expandable(const Instance& instance) {
  return instance.of && instance.of->syntax && instance.of->syntax->kind == ast::ClassKind::ExpandableConnector;
}

bool expand_buses(Elaboration& all, const Flat& flat) { return Expansion(all, flat).run(); }

}  // namespace driftless::language
