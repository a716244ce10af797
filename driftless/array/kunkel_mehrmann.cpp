#include "driftless/array/kunkel_mehrmann.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/sparse_rank.hpp"

namespace driftless {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

// x are all derivatives below the highest, or the variable itself if it has no derivative in the model.
bool is_x(const DerivativeArray& array, Quantity q) { return q.order < std::max(1, array.highest_order(q.variable)); }

// Components of x whose time derivative is a component of x, too.
std::vector<Quantity> kinematics_of(const DerivativeArray& array) {
  std::vector<Quantity> kinematics;
  for (const Quantity q : array.unknowns())
    if (is_x(array, q) && q.order + 1 < array.highest_order(q.variable)) kinematics.push_back(q);
  return kinematics;
}

class StrangenessAnalysis {
 public:
  StrangenessAnalysis(const DerivativeArray& array, const Matrix& jacobian)
      : array_(array), rows_(static_cast<int>(array.rows().size())), matrix_(jacobian.topRows(rows_)) {
    for (const Quantity q : array.unknowns()) (is_x(array, q) ? x_ : w_) += 1;
  }

  std::optional<StrangenessFree> run() {
    if (w_ == 0) return {};  // no derivative occurs, and none of the equations is differentiated
    const linear::Equilibration scale = linear::equilibrate(matrix_);
    if (rank(linear::in_units(matrix_, scale)) < rows_) return {};
    const int r = rank(linear::in_units(without_x(), scale));
    found_.constraints = rows_ - r;
    found_.degrees_of_freedom = x_ - found_.constraints;
    if (found_.degrees_of_freedom < 0) return {};
    const Matrix with_slopes = with_differential_equations();
    if (rank(linear::in_units(with_slopes, linear::equilibrate(with_slopes))) < x_ + r) return {};
    found_.open = w_ - r;
    return std::move(found_);
  }

 private:
  int rank(const Matrix& matrix) {
    const linear::RevealedRank revealed = linear::revealed_rank(matrix);
    found_.clear = found_.clear && revealed.is_clear();
    found_.smallest_kept = std::min(found_.smallest_kept, revealed.smallest_kept);
    found_.largest_dropped = std::max(found_.largest_dropped, revealed.largest_dropped);
    return revealed.rank;
  }

  Matrix without_x() const {
    Matrix m = matrix_;
    m.prune([&](int, int col, double) { return !is_x(array_, array_.unknowns()[col]); });
    return m;
  }

  // The rows of the array followed by the slopes of E by the rates, in the columns of the quantities whose rates they
  // are.
  Matrix with_differential_equations() const {
    const int n = static_cast<int>(array_.model().equations.size());
    const std::vector<Quantity> kinematics = kinematics_of(array_);
    std::vector<Eigen::Triplet<double>> entries;
    for (int col = 0; col < matrix_.outerSize(); ++col) {
      const Quantity q = array_.unknowns()[col];
      const bool is_rate = q.order > 0 && q.order == array_.highest_order(q.variable);
      for (Matrix::InnerIterator it(matrix_, col); it; ++it) {
        entries.emplace_back(static_cast<int>(it.row()), col, it.value());
        if (is_rate && it.row() < n)
          entries.emplace_back(rows_ + static_cast<int>(it.row()), array_.unknown_of({q.variable, q.order - 1}),
                               it.value());
      }
    }
    int row = rows_ + n;
    for (const Quantity q : kinematics) entries.emplace_back(row++, array_.unknown_of(q), 1.0);
    Matrix result(row, matrix_.cols());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  const DerivativeArray& array_;
  int rows_, x_ = 0, w_ = 0;
  Matrix matrix_;
  StrangenessFree found_;
};

// Keeps the integral of a defect out of Newton's test and of error tests.
constexpr double no_weight = 1e10;

// Makes the unknowns w variables of their own, after those of the model: the k-th of x_j is the k-th derivative of a
// variable that represents the first. After these follows one variable for each equation that may be a differential
// one.
class FormBuilder {
 public:
  explicit FormBuilder(const DerivativeArray& array) : array_(array), pool_(*array.model().pool) {
    auto model = std::make_shared<Model>(array.model());
    const std::size_t variables = model->variables.size();
    for (std::size_t j = 0; j < variables; ++j) {
      Variable own = model->variables[j];
      own.name =
          fmt::format("{} of the derivative array", derivative_name(own.name, first_order(VarId{static_cast<int>(j)})));
      model->variables.push_back(auxiliary(std::move(own)));
    }
    for (std::size_t i = 0; i < array.model().equations.size(); ++i)
      if (const Equation& equation = array.model().equations[i]; contains_rate(equation.residual))
        candidates_.push_back(EqnId{static_cast<int>(i)});
    for (const EqnId candidate : candidates_) {
      Variable defect;
      defect.name = fmt::format("defect of {}", (*model)[candidate].label);
      defect.nominal = no_weight;
      model->variables.push_back(auxiliary(std::move(defect)));
    }
    form_.reduced.addresses.resize(model->variables.size());
    form_.reduced.offsets.c.assign(array.model().equations.size(), array.differentiations());
    form_.reduced.offsets.d.assign(model->variables.size(), 0);
    form_.reduced.model = std::move(model);
    form_.reduced.implicit = true;
    form_.reduced.completes_points = false;
  }

  StrangenessFreeForm build(const StrangenessFree& choice) {
    for (const Quantity q : array_.unknowns())
      if (is_x(array_, q)) add_x(q);
    for (const Quantity q : array_.unknowns())
      if (!is_x(array_, q)) add_w(q);
    Reduced& reduced = form_.reduced;
    for (const DerivedEquation& row : array_.rows()) {
      const NodeId residual = own_(row.residual);
      reduced.rows.push_back({residual, row.equation, row.level, 0});
      reduced.constraints.push_back({row.equation, row.level, row.level == 0 ? row.residual : residual});
    }
    const Model& model = array_.model();
    for (std::size_t k = 0; k < model.replaced.size(); ++k)  // replaced equations follow, and are checked
      reduced.constraints.push_back(
          {EqnId{static_cast<int>(model.equations.size() + k)}, 0, model.replaced[k].residual});
    for (std::size_t k = 0; k < candidates_.size(); ++k) add_defect(k);
    for (const Quantity q : kinematics_of(array_)) {
      const int slot = reduced.addresses[index(q.variable)][q.order].index;
      reduced.equation_choice.equations.push_back(add_candidate(slot, pool_.variable(q.variable, q.order + 1)));
    }
    reduced.equation_choice.number = choice.degrees_of_freedom;
    reduced.equation_choice.held = choice.open;
    for (const InvariantOfModel& invariant : array_.model().invariants)
      reduced.invariants.push_back({invariant.value, invariant.name});
    return std::move(form_);
  }

 private:
  int first_order(VarId variable) const { return std::max(1, array_.highest_order(variable)); }
  Quantity own_of(Quantity q) const {
    return {VarId{static_cast<int>(array_.model().variables.size()) + index(q.variable)},
            q.order - first_order(q.variable)};
  }

  static Variable auxiliary(Variable variable) {
    variable.auxiliary = true;
    variable.start.reset();
    variable.fixed = false;
    return variable;
  }

  // Does it contain a derivative of x that is no component of x?
  bool contains_rate(NodeId residual) const {
    return std::ranges::any_of(variables_of(pool_, residual), [&](NodeId leaf) {
      const Quantity q{VarId{static_cast<int>(pool_[leaf].a)}, static_cast<int>(pool_[leaf].b)};
      return !is_x(array_, q);
    });
  }

  void add_slot(Quantity q, std::optional<Quantity> value, std::optional<Quantity> rate, bool tested = false) {
    Reduced& reduced = form_.reduced;
    reduced.addresses[index(q.variable)].push_back({Place::Slot, static_cast<int>(reduced.slots.size())});
    const double nominal = value ? array_.model()[value->variable].nominal : no_weight;
    reduced.slots.push_back({.quantity = q, .nominal = nominal, .tested = tested});
    reduced.offsets.d[index(q.variable)] = std::max(reduced.offsets.d[index(q.variable)], q.order);
    form_.value_of_slot.push_back(value);
    form_.rate_of_slot.push_back(rate);
  }

  int add_candidate(int slot, NodeId rate) {
    form_.reduced.kinematics.push_back({slot, rate});
    return static_cast<int>(form_.reduced.kinematics.size()) - 1;
  }
  int last_slot() const { return static_cast<int>(form_.reduced.slots.size()) - 1; }

  // Adds the integral of a defect; its rate is the residual of the equation with the rates of x.
  void add_defect(std::size_t number) {
    Reduced& reduced = form_.reduced;
    const VarId variable{static_cast<int>(2 * array_.model().variables.size() + number)};
    add_slot({variable, 0}, {}, {});
    add_rate({variable, 1});
    reduced.equation_choice.equations.push_back(add_candidate(last_slot(), pool_.zero()));
    reduced.equation_choice.rows.push_back(static_cast<int>(reduced.rows.size()));
    const EqnId equation = candidates_[number];
    const NodeId residual = (*reduced.model)[equation].residual;
    reduced.rows.push_back({pool_.sub(residual, pool_.variable(variable, 1)), equation, 0, 0});
  }

  void add_rate(Quantity above) {
    form_.reduced.addresses[index(above.variable)].push_back({Place::Rate, last_slot()});
    form_.reduced.offsets.d[index(above.variable)] = above.order;
  }

  // The highest derivative of the model is the rate of the slot below it.
  void add_x(Quantity q) {
    const Quantity above{q.variable, q.order + 1};
    const bool differentiated = above.order <= array_.highest_order(q.variable);
    add_slot(q, q, above, differentiated);
    form_.reduced.equation_choice.differential.push_back(last_slot());
    form_.reduced.quantities.push_back(q);
    if (!differentiated || above.order < array_.highest_order(q.variable)) return;
    add_rate(above);
    form_.reduced.quantities.push_back(above);
  }
  void add_w(Quantity q) {
    add_slot(own_of(q), q, {});
    form_.reduced.equation_choice.derivatives.push_back(add_candidate(last_slot(), pool_.zero()));
  }

  const DerivativeArray& array_;
  Pool& pool_;
  StrangenessFreeForm form_;
  std::vector<EqnId> candidates_;  // for differential equations
  Substitution own_{pool_, [this](NodeId leaf) -> std::optional<NodeId> {
                      if (pool_[leaf].op != Op::Variable) return {};
                      const Quantity q{VarId{static_cast<int>(pool_[leaf].a)}, static_cast<int>(pool_[leaf].b)};
                      if (is_x(array_, q)) return {};
                      const Quantity own = own_of(q);
                      return pool_.variable(own.variable, own.order);
                    }};
};

}  // namespace

std::optional<StrangenessFree> strangeness_free(const DerivativeArray& array,
                                                const Eigen::SparseMatrix<double>& jacobian) {
  return StrangenessAnalysis(array, jacobian).run();
}

StrangenessFreeForm strangeness_free_form(const DerivativeArray& array, const StrangenessFree& choice) {
  return FormBuilder(array).build(choice);
}

}  // namespace driftless
