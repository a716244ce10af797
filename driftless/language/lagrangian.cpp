// annotation(__Driftless(lagrangian = L, coordinates = {q1, q2}, constraints = {g1, left == right},
//                        forces = {Q1, Q2}, multipliers = {lambda1, lambda2}))
//
// adds the equations d/dt ∂L/∂q' - ∂L/∂q = Q - G^T lambda and g = 0 to the model (model/mechanics.hpp). The last three
// settings may be absent. Without `multipliers` the variables lambda[1], lambda[2], ... are added.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/vendor_annotation.hpp"
#include "driftless/model/mechanics.hpp"

namespace driftless::language {

namespace {

struct WrittenConstraint {
  NodeId residual;
  std::string text;  // "x^2 + y^2 = 1"
  SourceRange range;
};

// The settings of one annotation, read and checked.
class LagrangianReader {
 public:
  LagrangianReader(const Environment& at, const std::vector<ast::Modifier>& annotation) : at_(at), all_(at.all) {
    for (const VendorSetting& setting : vendor_settings(annotation))
      if (Place* place = place_of(setting.name)) take(*place, setting);
  }

  bool present() const {
    return std::ranges::any_of(places_, [](const Place& place) { return place.range.known(); });
  }

  // Reads everything and adds the equations, or reports errors.
  void elaborate() {
    if (failed_ || !complete()) return;
    read_coordinates();
    read_lagrangian();
    read_constraints();
    read_forces();
    if (failed_) return;
    check_variables();
    check_velocities();
    read_multipliers();
    if (failed_ || all_.has_errors()) return;
    add_equations();
  }

 private:
  struct Place {
    std::string_view name;
    const ast::Expression* value = nullptr;
    SourceRange range = {};
  };

  Place* place_of(std::string_view name) {
    const auto found = std::ranges::find(places_, name, &Place::name);
    return found == places_.end() ? nullptr : &*found;
  }
  const Place& place(std::string_view name) { return *place_of(name); }

  Diagnostic& fail(SourceRange range, std::string message) {
    failed_ = true;
    return all_.error(Code::WrongLagrangian, range, std::move(message));
  }

  void take(Place& place, const VendorSetting& setting) {
    if (place.range.known()) {
      fail(setting.range, fmt::format("{} is given twice", setting.name)).note("first here", place.range);
      return;
    }
    place.range = setting.range;
    place.value = setting.modification->value.get();
    if (!place.value || !setting.modification->modifiers.empty())
      fail(setting.range,
           fmt::format("write {} = {}", setting.name, setting.name == "lagrangian" ? "expression" : "{..., ...}"));
  }

  bool complete() {
    for (const std::string_view needed : {"lagrangian", "coordinates"}) {
      if (place(needed).range.known()) continue;
      const auto given = std::ranges::find_if(places_, [](const Place& place) { return place.range.known(); });
      fail(given->range, fmt::format("{} is given without {}", given->name, needed))
          .note(needed == "lagrangian"
                    ? "write lagrangian = T - U, the kinetic energy minus the potential energy"
                    : "write coordinates = {...}, the variables whose equations of motion are meant");
    }
    return !failed_;
  }

  // The elements of a setting, none if it is absent or wrong.
  std::vector<NodeId> numbers(std::string_view name) {
    const Place& written = place(name);
    if (!written.value) return {};
    const Value value = evaluate(at_, *written.value);
    if (!value.valid() || !value.is_numeric()) {
      failed_ = true;
      if (value.valid())
        fail(written.value->range, fmt::format("{} must be numbers, but this is {}", name, to_string(value.type())));
      return {};
    }
    return {value.elements().begin(), value.elements().end()};
  }

  // The elements of a setting, which must be variables, each once.
  std::vector<NodeId> variables(std::string_view name, std::string_view what) {
    const std::vector<NodeId> list = numbers(name);
    std::vector<NodeId> seen;
    for (const NodeId node : list) {
      const Node& leaf = all_.pool[node];
      const SourceRange range = place(name).value->range;
      if (leaf.op != Op::Variable || leaf.b != 0)
        fail(range, fmt::format("{} is no variable: a {} is the name of one", shown(node), what));
      else if (std::ranges::find(seen, node) != seen.end())
        fail(range, fmt::format("the {} '{}' is listed twice", what, shown(node)));
      seen.push_back(node);
    }
    return list;
  }

  void read_coordinates() {
    coordinates_ = variables("coordinates", "coordinate");
    if (coordinates_.empty() && !failed_) fail(place("coordinates").range, "there is no coordinate in the list");
  }

  void read_lagrangian() {
    const ast::Expression& written = *place("lagrangian").value;
    const Value value = evaluate(at_, written);
    if (value.valid() && value.is_numeric() && value.is_scalar()) {
      lagrangian_ = value.scalar();
      return;
    }
    failed_ = true;
    if (!value.valid()) return;
    fail(written.range, fmt::format("a lagrangian is one number, but this is {}",
                                    value.is_numeric() ? to_string(value.shape()) : to_string(value.type())));
  }

  void read_constraints() {
    const ast::Expression* written = place("constraints").value;
    if (!written) return;
    const auto* list = written->as<ast::ArrayConstructor>();
    if (!list) {
      read_constraint(*written);
    } else if (list->iterators.empty()) {
      for (const ast::Expression& element : list->elements) read_constraint(element);
    } else {
      iterate(at_, list->iterators, [&] {
        read_constraint(list->elements.front());
        return !failed_ && all_.spend(written->range);
      });
    }
  }

  // An expression that is zero, or left == right; of arrays, every element.
  void read_constraint(const ast::Expression& written) {
    Value value;
    std::string text = all_.source_text(written.range) + " = 0";
    if (const ast::Expression* right = right_of_equality(written)) {
      const ast::Expression& left = *written.as<ast::Binary>()->first;
      const Value a = evaluate(at_, left), b = evaluate(at_, *right);
      if (a.valid() && b.valid()) value = apply_binary(at_, ast::BinaryOperator::Subtract, a, b, written.range);
      text = fmt::format("{} = {}", all_.source_text(left.range), all_.source_text(right->range));
    } else {
      value = evaluate(at_, written);
    }
    if (!value.valid() || !value.is_numeric()) {
      failed_ = true;
      if (value.valid()) fail(written.range, "a constraint is an expression that stays zero, or left == right");
      return;
    }
    for (const NodeId residual : value.elements()) constraints_.push_back({residual, text, written.range});
  }

  // Null if it is none.
  static const ast::Expression* right_of_equality(const ast::Expression& written) {
    const auto* chain = written.as<ast::Binary>();
    if (!chain || chain->rest.size() != 1 || chain->rest.front().op != ast::BinaryOperator::Equal) return nullptr;
    return &chain->rest.front().value;
  }

  void read_forces() {
    if (!place("forces").value) return;
    forces_ = numbers("forces");
    if (!failed_ && forces_.size() != coordinates_.size())
      fail(place("forces").range,
           fmt::format("{} for {}", counted(forces_.size(), "force"), counted(coordinates_.size(), "coordinate")))
          .note("write one for each coordinate, 0 where there is none");
  }

  void read_multipliers() {
    if (!place("multipliers").value) return;
    multipliers_ = variables("multipliers", "multiplier");
    if (failed_) return;
    const SourceRange range = place("multipliers").range;
    if (multipliers_.size() != constraints_.size())
      fail(range, fmt::format("{} for {}", counted(multipliers_.size(), "multiplier"),
                              counted(constraints_.size(), "constraint")))
          .note("write one for each constraint, or leave multipliers out: then they are called lambda[1], ...");
    for (const NodeId multiplier : multipliers_)
      if (std::ranges::find(coordinates_, multiplier) != coordinates_.end())
        fail(range, fmt::format("'{}' is a coordinate and cannot be a multiplier", shown(multiplier)));
  }

  // Coordinates and velocities only: other variables that depend on them would be differentiated as if constant.
  void check_variables() {
    check_variables(lagrangian_, place("lagrangian").value->range, "the lagrangian");
    for (const WrittenConstraint& constraint : constraints_) {
      check_variables(constraint.residual, constraint.range, "this constraint");
      if (variables_of(all_.pool, constraint.residual).empty())
        fail(constraint.range, "no coordinate occurs in this constraint");
    }
  }

  void check_variables(NodeId expression, SourceRange range, std::string_view what) {
    for (const NodeId leaf : variables_of(all_.pool, expression)) {
      const Node& node = all_.pool[leaf];
      const NodeId variable = all_.pool.variable(VarId{static_cast<std::int32_t>(node.a)});
      if (std::ranges::find(coordinates_, variable) == coordinates_.end()) {
        fail(range, fmt::format("{} contains '{}', which is not one of the coordinates", what, shown(variable)))
            .note(fmt::format("list {0} in coordinates; if an equation gives it, write the formula in place of {0}",
                              shown(variable)));
        return;
      }
      if (node.b > 1) {
        fail(range,
             fmt::format("{} contains {}: only coordinates and their first derivatives may occur", what, shown(leaf)));
        return;
      }
    }
  }

  void check_velocities() {
    if (failed_) return;
    std::vector<NodeId> massless;
    for (const NodeId q : coordinates_)
      if (!contains(lagrangian_, all_.derivative(q))) massless.push_back(q);
    const SourceRange range = place("lagrangian").value->range;
    if (massless.size() == coordinates_.size()) {
      fail(range, "the lagrangian contains no velocity: nothing would move")
          .note(fmt::format("the kinetic energy is missing: terms with der({})^2", shown(massless.front())));
      return;
    }
    for (const NodeId q : massless)
      all_.warning(Code::WrongLagrangian, range,
                   fmt::format("the lagrangian does not contain der({0}): {0} has no inertia", shown(q)))
          .note(fmt::format("its equation of motion is a balance of forces without der(der({}))", shown(q)));
  }

  bool contains(NodeId expression, NodeId leaf) const {
    const std::vector<NodeId> leaves = variables_of(all_.pool, expression);
    return std::ranges::find(leaves, leaf) != leaves.end();
  }

  // ---- the equations

  void add_equations() {
    if (!place("multipliers").value) add_multipliers();
    if (failed_) return;
    const std::vector<Expr> q = expressions(coordinates_);
    Lagrangian lagrangian{.kinetic = {all_.pool, lagrangian_}};
    for (const WrittenConstraint& constraint : constraints_)
      lagrangian.constraints.push_back({constraint.text, {all_.pool, constraint.residual}});
    lagrangian.force = expressions(forces_);
    const EquationsOfMotion motion = equations_of(lagrangian, {all_.pool, all_.pool.time()}, q);
    const std::vector<EquationSides> balance = balance_of_forces(motion, q, expressions(multipliers_));
    for (std::size_t i = 0; i < q.size(); ++i) add_motion(coordinates_[i], balance[i]);
    if (failed_) return;
    for (const WrittenConstraint& constraint : constraints_) {
      EquationSite site = all_.site(constraint.range);
      site.text = constraint.text;
      all_.add_equation(all_.model.equations, site, {}, constraint.residual);
    }
    if (motion.energy) add_energy(motion.energy->node_in(all_.pool));
  }

  void add_motion(NodeId coordinate, const EquationSides& sides) {
    if (sides.left.is_zero() && sides.right.is_zero()) {
      fail(place("coordinates").value->range,
           fmt::format("the equation of motion of '{}' is 0 = 0: nothing determines it", shown(coordinate)))
          .note(fmt::format("{0} occurs neither in the lagrangian nor in a constraint; remove it from coordinates, or "
                            "add its kinetic energy",
                            shown(coordinate)));
      return;
    }
    const NodeId left = sides.left.node_in(all_.pool), right = sides.right.node_in(all_.pool);
    EquationSite site = all_.site(place("lagrangian").range);
    site.text = fmt::format("{} = {}", shown(left), shown(right));
    all_.add_equation(all_.model.equations, site, fmt::format("[{}]", shown(coordinate)), all_.pool.sub(left, right));
  }

  void add_multipliers() {
    for (std::size_t k = 0; k < constraints_.size(); ++k) {
      const std::string name = fmt::format("lambda[{}]", k + 1);
      if (taken("lambda") || taken(name)) {
        fail(constraints_[k].range,
             fmt::format("the multiplier of this constraint would be called {}, but lambda is declared", name))
            .note("write multipliers = {...} with declared variables, one for each constraint");
        return;
      }
      all_.model.variables.push_back({.name = name,
                                      .range = constraints_[k].range,
                                      .unit = {},
                                      .description = "multiplier of " + constraints_[k].text,
                                      .start = {}});
      const auto id = static_cast<std::int32_t>(all_.model.variables.size()) - 1;
      multipliers_.push_back(all_.pool.variable(VarId{id}));
    }
  }

  // Adds the energy as an invariant if the author has not declared one.
  void add_energy(NodeId value) {
    if (!taken("energy")) all_.model.invariants.push_back({"energy", value, place("lagrangian").range});
  }

  bool taken(const std::string& name) const {
    const auto in = [&](const auto& list) {
      return std::ranges::any_of(list, [&](auto& x) { return x.name == name; });
    };
    return in(all_.model.variables) || in(all_.model.parameters) || in(all_.model.invariants);
  }

  std::vector<Expr> expressions(const std::vector<NodeId>& nodes) const {
    std::vector<Expr> list;
    for (const NodeId node : nodes) list.push_back({all_.pool, node});
    return list;
  }

  std::string shown(NodeId node) const { return driftless::to_string(all_.pool, node, names_of(all_.model)); }

  static std::string counted(std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  }

  const Environment& at_;
  Elaboration& all_;
  bool failed_ = false;
  std::vector<Place> places_ = {{"lagrangian"}, {"coordinates"}, {"constraints"}, {"forces"}, {"multipliers"}};
  std::vector<NodeId> coordinates_, forces_, multipliers_;
  NodeId lagrangian_{};
  std::vector<WrittenConstraint> constraints_;
};

}  // namespace

void elaborate_lagrangian(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  const Environment at{all, model, locals, Purpose::Equation};
  LagrangianReader reader(at, annotation);
  if (reader.present()) reader.elaborate();
}

}  // namespace driftless::language
