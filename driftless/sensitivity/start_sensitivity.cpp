#include "driftless/sensitivity/start_sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/problem.hpp"
#include "driftless/initialize/start.hpp"
#include "driftless/initialize/strategies.hpp"
#include "driftless/initialize/values.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/sensitivity/local_expression.hpp"

namespace driftless::sensitivity {
namespace {

constexpr double same_start = 1e-6;     // tolerance for reproducing a start
constexpr double contradiction = 1e-7;  // of the linear conditions, relative to their terms

// The linear equations: the unknowns are the sensitivities of all quantities, then those of the parameters that the
// start determines.
class StartEquationsOfSensitivities {
 public:
  StartEquationsOfSensitivities(const StartOfRun& start, const std::vector<bool>& moves, Directions& directions)
      : start_(start), model_(*start.numbers), directions_(directions), moves_(moves), array_(&start.array) {
    for (std::size_t p = 0; p < model_.parameters.size(); ++p)
      if (!model_.parameters[p].fixed) {
        unfixed_.push_back(p);
        moves_[p] = true;
      }
    if (is_known_to_the_run())
      quantities_.assign(start.quantities.begin(), start.quantities.end());
    else
      find_again();
  }

  StartSensitivity solve() {
    add_equations();
    for (std::size_t j = 0; j < model_.variables.size(); ++j)
      if (model_.variables[j].fixed)
        add_known(array_->place({VarId{static_cast<int>(j)}, 0}), directions_.starts.row(static_cast<Eigen::Index>(j)));
    for (const Equation& equation : array_->model().initial_equations) add_initial(equation);
    add_held();
    const Eigen::MatrixXd all = solution();
    StartSensitivity result;
    result.quantities.resize(start_.array.cols(), directions_.size());
    for (int col = 0; col < start_.array.cols(); ++col)
      result.quantities.row(col) = all.row(array_->place(start_.array.quantities()[static_cast<std::size_t>(col)]));
    for (std::size_t k = 0; k < unfixed_.size(); ++k)
      directions_.parameters.row(static_cast<Eigen::Index>(unfixed_[k])) =
          all.row(array_->cols() + static_cast<Eigen::Index>(k));
    for (Eigen::Index k = 0; k < directions_.size(); ++k)
      if (const Direction& direction = directions_.all[static_cast<std::size_t>(k)];
          direction.is_start && all.col(k).isZero(0.0))
        result.without_effect.push_back(direction.name);
    return result;
  }

 private:
  // Where conditions determine the start and contain no quantities but those of the run, these are all that has to be
  // known.
  bool is_known_to_the_run() const {
    const Model& model = start_.array.model();
    const auto is_quantity = [&](NodeId leaf) {
      return start_.array.place(
                 {VarId{static_cast<int>((*model.pool)[leaf].a)}, static_cast<int>((*model.pool)[leaf].b)}) >= 0;
    };
    const auto fixed = static_cast<std::size_t>(std::ranges::count_if(model_.variables, &Variable::fixed));
    return unfixed_.empty() &&
           static_cast<std::size_t>(start_.array.rows()) + fixed + model.initial_equations.size() >=
               static_cast<std::size_t>(start_.array.cols()) &&
           std::ranges::none_of(start_.quantities, [](double value) { return std::isnan(value); }) &&
           std::ranges::all_of(model.initial_equations, [&](const Equation& equation) {
             return std::ranges::all_of(variables_of(*model.pool, equation.residual), is_quantity);
           });
  }

  void find_again() {
    Reduced base = start_.base;
    base.model = growable(start_.numbers);
    reduced_ = standard_form(std::make_shared<const Reduced>(std::move(base)));
    Diagnostics diagnostics;
    problem_ = make_initial_problem(*reduced_, diagnostics);
    if (diagnostics.has_errors()) throw NotAvailable("the initial equations cannot be used");
    const int extra = extra_levels();
    if (extra > 0 || !unfixed_.empty())
      own_array_ =
          std::make_unique<VariationalArray>(reduced_->model, start_.base.offsets, moves_, extra, Backend::Interpreter);
    if (own_array_) array_ = own_array_.get();
    found_ = find_start(*reduced_->model, problem_, start_.t);
    take_quantities();
  }

  int extra_levels() const {
    int extra = 0;
    for (const InitialUnknown& unknown : problem_.unknowns)
      if (unknown.parameter < 0)
        extra = std::max(extra, unknown.quantity.order -
                                    start_.base.offsets.d[static_cast<std::size_t>(index(unknown.quantity.variable))]);
    return extra;
  }

  // Takes the quantities of the run, and further ones from the start found here.
  void take_quantities() {
    is_found_ = found_.solved;
    Values values;
    if (found_.solved)
      values = values_of(*reduced_, problem_, found_.values, parameters_of(*reduced_->model, problem_, found_.values),
                         start_.t);
    for (const Quantity q : array_->quantities()) {
      const int col = start_.array.place(q);
      const double known = col >= 0 ? start_.quantities[static_cast<std::size_t>(col)] : std::nan("");
      double found = std::nan("");
      const auto v = static_cast<std::size_t>(index(q.variable));
      if (v < values.size() && static_cast<std::size_t>(q.order) < values[v].size())
        found = values[v][static_cast<std::size_t>(q.order)];
      quantities_.push_back(std::isnan(known) ? found : known);
      if (col >= 0 && !array_->is_highest(array_->place(q)) &&
          !(std::abs(found - known) <= same_start * (std::abs(known) + model_[q.variable].nominal)))
        is_found_ = false;
    }
  }

  LocalPoint point() const { return {*array_, start_.t, start_.parameters, quantities_}; }

  int unfixed(int parameter) const {
    const auto found = std::ranges::find(unfixed_, static_cast<std::size_t>(parameter));
    return found == unfixed_.end() ? -1 : array_->cols() + static_cast<int>(found - unfixed_.begin());
  }

  void add_equations() {
    VariationalArray::Point at;
    array_->evaluate(start_.t, start_.parameters, quantities_, at);
    rows_ = array_->rows();
    right_.assign(static_cast<std::size_t>(rows_), Eigen::RowVectorXd::Zero(directions_.size()));
    for (std::size_t e = 0; e < at.slopes.size(); ++e)
      add_entry(array_->entries()[e].row, array_->entries()[e].col, at.slopes[e]);
    for (std::size_t e = 0; e < at.of_parameters.size(); ++e) {
      const auto& [row, parameter] = array_->parameter_entries()[e];
      if (const int col = unfixed(parameter); col >= 0)
        add_entry(row, col, at.of_parameters[e]);
      else
        right_[static_cast<std::size_t>(row)] -= at.of_parameters[e] * directions_.parameters.row(parameter);
    }
  }

  void add_entry(int row, int col, double value) {
    coordinates_.push_back({row, col});
    values_.push_back(value);
    if (!std::isfinite(value)) throw NotAvailable("a partial derivative has no value at the start");
  }

  void add_known(int col, const Eigen::RowVectorXd& moves) {
    add_entry(rows_++, col, 1.0);
    right_.push_back(moves);
  }

  void add_initial(const Equation& equation) {
    Pool& pool = *array_->model().pool;
    Eigen::RowVectorXd right = Eigen::RowVectorXd::Zero(directions_.size());
    for (const NodeId id : nodes_of(pool, equation.residual)) {
      const Node leaf = pool[id];
      if (leaf.op != Op::Variable && leaf.op != Op::Parameter) continue;
      const int p = leaf.op == Op::Parameter ? static_cast<int>(leaf.a) : -1;
      if (p >= 0 && unfixed(p) < 0 && directions_.parameters.row(p).isZero(0.0)) continue;
      const double slope = value_of(partial(pool, equation.residual, id), point());
      if (p < 0)
        add_entry(rows_, array_->place({VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b)}), slope);
      else if (unfixed(p) >= 0)
        add_entry(rows_, unfixed(p), slope);
      else
        right -= slope * directions_.parameters.row(p);
    }
    ++rows_;
    right_.push_back(right);
  }

  void add_held() {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < problem_.unknowns.size(); ++k) {
      if (!found_.plan || found_.plan->row_of[k] >= 0) continue;
      names.push_back(name_of(*reduced_, problem_.unknowns[k]));
      if (is_found_ && !found_.is_held(static_cast<int>(k))) is_found_ = false;
      add_guess(problem_.unknowns[k]);
    }
    if (!is_found_ && !names.empty())
      throw NotAvailable(
          fmt::format("the start is not determined by fixed starts and initial equations, and starts "
                      "that are not fixed had to move: fix as many starts as there are degrees of "
                      "freedom ({} were left open)",
                      fmt::join(names, ", ")));
  }

  void add_guess(const InitialUnknown& unknown) {
    if (unknown.parameter >= 0)
      return add_known(unfixed(unknown.parameter), directions_.parameters.row(unknown.parameter));
    const Quantity q = unknown.quantity;
    Eigen::RowVectorXd moves = Eigen::RowVectorXd::Zero(directions_.size());
    if (q.order == 0 && unknown.given) {
      if (model_[q.variable].start)
        moves = directions_.starts.row(index(q.variable));
      else
        moves = moves_of_alias(q);
    }
    add_known(array_->place(q), moves);
  }

  // The sensitivity of the start of an alias of the variable, or of its negative.
  Eigen::RowVectorXd moves_of_alias(Quantity q) const {
    const Pool& pool = *reduced_->model->pool;
    for (const Definition& definition : reduced_->definitions) {
      if (definition.quantity.order != 0 || !model_[definition.quantity.variable].start) continue;
      const bool is_negative = pool[definition.value].op == Op::Neg;
      const Node& leaf = pool[is_negative ? pool[definition.value].operand(0) : definition.value];
      if (leaf.op == Op::Variable && static_cast<int>(leaf.a) == index(q.variable) && leaf.b == 0)
        return (is_negative ? -1.0 : 1.0) * directions_.starts.row(index(definition.quantity.variable));
    }
    return Eigen::RowVectorXd::Zero(directions_.size());
  }

  Eigen::MatrixXd solution() const {
    const int cols = array_->cols() + static_cast<int>(unfixed_.size());
    Eigen::MatrixXd right(rows_, directions_.size());
    for (Eigen::Index i = 0; i < rows_; ++i) right.row(i) = right_[static_cast<std::size_t>(i)];
    if (rows_ < cols) throw NotAvailable("the conditions of the start do not determine its sensitivities");
    if (rows_ == cols) {
      const linear::Assembly assembly = linear::assemble(cols, coordinates_);
      std::vector<double> values(assembly.pattern.rows.size(), 0.0);
      for (std::size_t e = 0; e < values_.size(); ++e)
        values[static_cast<std::size_t>(assembly.position[e])] += values_[e];
      const auto factorization = linear::make_factorization(assembly.pattern);
      if (factorization->factorize(values)) {
        for (Eigen::Index k = 0; k < right.cols(); ++k)
          factorization->solve(std::span(right.data() + k * right.rows(), static_cast<std::size_t>(rows_)));
        if (right.allFinite()) return right;
      }
    }
    return least_squares(cols, right);
  }

  // More conditions than degrees of freedom: they agree for these values, and must agree for neighbouring ones.
  Eigen::MatrixXd least_squares(int cols, const Eigen::MatrixXd& right) const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rows_, cols);
    for (std::size_t e = 0; e < values_.size(); ++e) matrix(coordinates_[e].row, coordinates_[e].col) += values_[e];
    const linear::PivotedQr qr(matrix);
    if (qr.rank() < cols) throw NotAvailable("the conditions of the start do not determine its sensitivities");
    const Eigen::MatrixXd all = qr.solve(right);
    const Eigen::MatrixXd missed = matrix * all - right;
    const Eigen::MatrixXd sizes = matrix.cwiseAbs() * all.cwiseAbs() + right.cwiseAbs();
    for (Eigen::Index k = 0; k < right.cols(); ++k)
      if ((missed.col(k).cwiseAbs() - contradiction * sizes.col(k)).maxCoeff() > 1e-300)
        throw NotAvailable(fmt::format(
            "the start has more conditions than degrees of freedom, and they agree for this value of '{}' only: leave "
            "one of them out (fixed = false)",
            directions_.all[static_cast<std::size_t>(k)].name));
    return all;
  }

  const StartOfRun& start_;
  const Model& model_;
  Directions& directions_;
  std::vector<bool> moves_;
  std::vector<std::size_t> unfixed_;
  std::shared_ptr<const Reduced> reduced_;
  InitialProblem problem_;
  FoundStart found_;
  bool is_found_ = false;    // the start of the run is the one that was found
  VariationalArray* array_;  // that of the run, if it is enough
  std::unique_ptr<VariationalArray> own_array_;
  std::vector<double> quantities_;
  int rows_ = 0;
  std::vector<linear::Coordinate> coordinates_;
  std::vector<double> values_;
  std::vector<Eigen::RowVectorXd> right_;
};

}  // namespace

StartSensitivity start_sensitivity(const StartOfRun& start, const std::vector<bool>& moves, Directions& directions) {
  return StartEquationsOfSensitivities(start, moves, directions).solve();
}

}  // namespace driftless::sensitivity
