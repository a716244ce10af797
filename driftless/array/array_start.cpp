#include "driftless/array/array_start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

constexpr double reach_of_default = 1e2, reach_of_highest = 1e4;
constexpr double dependent = 1e-12;     // pivots of rows that depend on others, relative to the largest
constexpr double solved = 1e-13;        // a smaller correction, relative to the unknowns, changes nothing
constexpr double nearly_solved = 1e-8;  // only rounding errors prevent a smaller correction
constexpr double nearest = 1e-11;       // a smaller tangential step does not get noticeably closer
constexpr int most_steps = 200, most_halvings = 30, most_approaches = 200, most_guesses = 8;
constexpr std::size_t steps_of_progress = 10;  // within which the rows must be met better by the factor
constexpr double progress = 0.5;
constexpr int decompositions_of_any = 40, rows_decomposed = 30'000;  // in all, for one start
constexpr double noticeable = 1e-9;                                  // of a start that was moved, relative to its size
constexpr double neighbourhood = 1e-3;  // how far away a neighbour is looked for, relative to the size of the unknowns
constexpr std::size_t most_lines = 4;

using Matrix = Eigen::SparseMatrix<double>;

// Which unknowns are held: none, as for a point nearby; fixed ones; all with a given start.
enum class Kept { Nothing, Fixed, Starts };

// Rows and conditions as functions of the unknowns that are not held.
class Search {
 public:
  // `left`: so many decompositions may still be made, by all searches for a start.
  Search(const DerivativeArray& array, const Model& numbers, double t, Eigen::VectorXd guess, Kept kept, int& left)
      : array_(array), numbers_(numbers), t_(t), left_(left), guess_(std::move(guess)), u_(guess_) {
    const bool with_conditions = kept != Kept::Nothing;
    rows_ = std::ssize(array.rows()) + (with_conditions ? array.initial_equations() : 0);
    used_ = std::ssize(array.rows());
    for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
      const Quantity q = array.unknowns()[k];
      const Variable& variable = numbers[q.variable];
      nominal_.push_back(variable.nominal);
      const bool given = q.order == 0 && variable.start.has_value();
      if (with_conditions && q.order == 0 && variable.fixed) continue;
      if (kept == Kept::Starts && given) continue;
      free_.push_back(static_cast<Eigen::Index>(k));
      reach_.push_back(variable.nominal * (given                                  ? 1.0
                                           : array.part_of(q) == ArrayPart::Below ? reach_of_default
                                                                                  : reach_of_highest));
    }
  }

  const Eigen::VectorXd& values() const { return u_; }
  const Eigen::VectorXd& residual() const { return residual_; }
  bool evaluates() const { return evaluates_; }

  void take(const Search& other) { u_ = other.u_; }
  void begin_at(const Eigen::VectorXd& values) { u_ = values; }

  // Level by level, so that factors in a derivative of an equation are already known. Factors that vanish where the
  // equations hold do not vanish elsewhere, and would mislead the iteration.
  bool reach_rows_by_levels() {
    if (free_.empty()) return false;
    const Eigen::Index all = used_, of_level = std::ssize(array_.model().equations);
    bool reached = false;
    for (used_ = of_level; used_ <= all; used_ += of_level) reached = reach_rows();
    used_ = all;
    return reached;
  }

  // Iterates to a point where all rows hold; false if there is none.
  bool reach_rows() {
    std::vector<double> missed;
    for (int step = 0; step < most_steps; ++step) {
      if (!linearize() || !goes_on(missed)) return false;
      const Eigen::VectorXd correction = -least_norm(residual_.cwiseProduct(row_scale_));
      const double size = relative(correction);
      if (size <= solved) {
        move(correction, 1.0);
        return rows_hold();
      }
      if (!take_damped(correction)) return size <= nearly_solved && rows_hold();
    }
    return false;
  }

  // Steps that are cut again and again lead nowhere, and each of them costs a decomposition.
  bool goes_on(std::vector<double>& missed) const {
    missed.push_back(residual_.cwiseProduct(row_scale_).norm());
    const double last = missed.back();
    return missed.size() <= steps_of_progress || last <= nearly_solved ||
           last <= progress * missed[missed.size() - 1 - steps_of_progress];
  }

  // Nearer to the guess on the rows: along the part of the way back that is tangential to them, then to the rows again,
  // halved until that is nearer.
  void approach_guess() {
    for (int k = 0; k < most_approaches; ++k) {
      if (!linearize()) return;
      const Eigen::VectorXd back = way_back();
      const Eigen::VectorXd tangential = back - least_norm(matrix_ * back);
      if (!tangential.allFinite() || relative(tangential) <= nearest || !comes_nearer(tangential)) return;
    }
  }

 private:
  // Rows up to a level, and all conditions.
  bool is_used(Eigen::Index row) const { return row < used_ || (row >= std::ssize(array_.rows()) && row < rows_); }
  Eigen::VectorXd in_use(const Eigen::VectorXd& residual) const {
    Eigen::VectorXd result = residual.head(rows_);
    for (Eigen::Index row = used_; row < std::ssize(array_.rows()); ++row) result[row] = 0.0;
    return result;
  }

  // A row that no unknown can change requires no correction, even if it does not hold.
  bool rows_hold() const { return residual_.cwiseProduct(row_scale_).lpNorm<Eigen::Infinity>() <= nearly_solved; }

  bool linearize() {
    if (--left_ < 0) return false;
    const DerivativeArray::Values values = array_.evaluate(numbers_, t_, u_);
    residual_ = in_use(values.residual);
    evaluates_ = values.exist();
    if (!evaluates_) return false;
    row_scale_ = Eigen::VectorXd::Zero(rows_);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t j = 0; j < free_.size(); ++j)
      for (Matrix::InnerIterator it(values.jacobian, free_[j]); it; ++it) {
        if (!is_used(it.row())) continue;
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(j), it.value() * reach_[j]);
        row_scale_[it.row()] = std::max(row_scale_[it.row()], std::abs(entries.back().value()));
      }
    row_scale_ = row_scale_.unaryExpr([](double v) { return v > 0.0 ? 1.0 / v : 1.0; }).eval();
    matrix_.resize(rows_, std::ssize(free_));
    matrix_.setFromTriplets(entries.begin(), entries.end());
    matrix_ = (row_scale_.asDiagonal() * matrix_).eval();
    decomposition_.emplace(matrix_, dependent);
    return true;
  }

  Eigen::VectorXd way_back() const {
    Eigen::VectorXd back(std::ssize(free_));
    for (std::size_t j = 0; j < free_.size(); ++j)
      back[static_cast<Eigen::Index>(j)] = (guess_[free_[j]] - u_[free_[j]]) / reach_[j];
    return back;
  }

  bool comes_nearer(const Eigen::VectorXd& tangential) {
    const Eigen::VectorXd from = u_;
    const double before = way_back().norm();
    for (double part = 1.0; part > std::ldexp(1.0, -most_halvings); part *= 0.5) {
      u_ = from;
      move(tangential, part);
      if (reach_rows() && way_back().norm() < before) return true;
    }
    u_ = from;
    return false;
  }

  Eigen::VectorXd least_norm(const Eigen::VectorXd& rhs) const { return decomposition_->solve(rhs); }

  void move(const Eigen::VectorXd& correction, double part) {
    for (std::size_t j = 0; j < free_.size(); ++j)
      u_[free_[j]] += part * correction[static_cast<Eigen::Index>(j)] * reach_[j];
  }

  double relative(const Eigen::VectorXd& correction) const {
    double largest = 0.0;
    for (std::size_t j = 0; j < free_.size(); ++j)
      largest = std::max(largest, std::abs(correction[static_cast<Eigen::Index>(j)] * reach_[j]) /
                                      (std::abs(u_[free_[j]]) + nominal_[static_cast<std::size_t>(free_[j])]));
    return largest;
  }

  // The longest part of the correction, halved as often as necessary, that makes the residual smaller.
  bool take_damped(const Eigen::VectorXd& correction) {
    const Eigen::VectorXd from = u_;
    const double before = residual_.cwiseProduct(row_scale_).norm();
    for (double part = 1.0; part > std::ldexp(1.0, -most_halvings); part *= 0.5) {
      u_ = from;
      move(correction, part);
      const Eigen::VectorXd there = in_use(array_.residual(numbers_, t_, u_));
      if (there.allFinite() && there.cwiseProduct(row_scale_).norm() < (1.0 - 1e-4 * part) * before) return true;
    }
    u_ = from;
    return false;
  }

  const DerivativeArray& array_;
  const Model& numbers_;
  double t_;
  int& left_;
  Eigen::VectorXd guess_, u_, residual_, row_scale_;
  Eigen::Index rows_ = 0, used_ = 0;  // with conditions; of the array
  std::vector<Eigen::Index> free_;
  std::vector<double> reach_, nominal_;  // of the free unknowns; of all
  Matrix matrix_;                        // scaled: rows to the size 1, columns by the reach
  std::optional<linear::LeastChange> decomposition_;
  bool evaluates_ = true;
};

int decompositions_for(const DerivativeArray& array) {
  return decompositions_of_any + rows_decomposed / static_cast<int>(array.rows().size());
}

Eigen::VectorXd guesses(const DerivativeArray& array, const Model& numbers) {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(std::ssize(array.unknowns()));
  for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
    const auto [variable, order] = array.unknowns()[k];
    const Variable& v = numbers[variable];
    if (order == 0) u[static_cast<Eigen::Index>(k)] = v.start.value_or(std::clamp(0.0, v.min, v.max));
  }
  return u;
}

// Default guesses are 0, where products have zero slopes; so other, reproducible guesses of either sign are tried.
Eigen::VectorXd other_guess(const DerivativeArray& array, const Model& numbers, Eigen::VectorXd guess, int attempt) {
  double turn = attempt;
  for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
    const auto [variable, order] = array.unknowns()[k];
    turn += 2.399963;
    if (order > 0 || !numbers[variable].start)
      guess[static_cast<Eigen::Index>(k)] += std::sin(turn) * std::ldexp(numbers[variable].nominal, attempt / 2);
  }
  return guess;
}

std::string times(int level) {
  return level == 0   ? ""
         : level == 1 ? " (differentiated once)"
         : level == 2 ? " (differentiated twice)"
                      : fmt::format(" (differentiated {} times)", level);
}

NoConsistentStart explain(const DerivativeArray& array, const Search& search, double t) {
  const Model& model = array.model();
  const auto name = [&](Eigen::Index row) {
    if (row >= std::ssize(array.rows())) {
      const Equation& equation = model.initial_equations[static_cast<std::size_t>(row - std::ssize(array.rows()))];
      return fmt::format("initial equation {}: {}", equation.label, equation.text);
    }
    const DerivedEquation& of = array.rows()[static_cast<std::size_t>(row)];
    return fmt::format("{}: {}{}", model[of.equation].label, model[of.equation].text, times(of.level));
  };
  NoConsistentStart why;
  why.evaluation_failed = !search.evaluates();
  why.message = fmt::format("no consistent start of the derivative array was found at t = {:.9g}", t);
  const Eigen::VectorXd& residual = search.residual();
  std::vector<Eigen::Index> worst;
  for (Eigen::Index i = 0; i < residual.size(); ++i)
    if (why.evaluation_failed ? !std::isfinite(residual[i]) : std::abs(residual[i]) > 1e-10) worst.push_back(i);
  std::ranges::stable_sort(worst, std::greater<>(), [&](Eigen::Index i) { return std::abs(residual[i]); });
  for (std::size_t k = 0; k < worst.size() && k < most_lines; ++k)
    why.details.push_back(why.evaluation_failed
                              ? fmt::format("{} has no value", name(worst[k]))
                              : fmt::format("{}: residual {:.3g}", name(worst[k]), residual[worst[k]]));
  std::vector<std::string> fixed;
  for (const Variable& variable : model.variables)
    if (variable.fixed) fixed.push_back(fmt::format("{} = {}", variable.name, variable.start.value_or(0.0)));
  if (!fixed.empty() && fixed.size() <= 2 * most_lines)
    why.details.push_back(fmt::format("fixed starts: {}", fmt::join(fixed, ", ")));
  return why;
}

}  // namespace

std::variant<ArrayPoint, NoConsistentStart> find_start(const DerivativeArray& array, const Model& numbers, double t) {
  const Eigen::VectorXd guess = guesses(array, numbers);
  int left = decompositions_for(array);
  Search search(array, numbers, t, guess, Kept::Fixed, left);
  Search as_given(array, numbers, t, guess, Kept::Starts, left);
  bool found = as_given.reach_rows_by_levels();
  if (found) {
    as_given.approach_guess();
    search.take(as_given);
    left = std::max(left, decompositions_of_any);
    found = search.reach_rows();  // the last digits
  } else {
    search.take(as_given);
    if (!(found = search.reach_rows())) {
      search.begin_at(guess);
      found = search.reach_rows();
    }
    for (int attempt = 0; !found && attempt < most_guesses; ++attempt) {
      Search other(array, numbers, t, other_guess(array, numbers, guess, attempt), Kept::Fixed, left);
      if ((found = other.reach_rows())) search.take(other);
    }
    if (found) search.approach_guess();
  }
  if (!found) return explain(array, search, t);
  ArrayPoint point{t, search.values(), {}};
  std::vector<std::string> moved;
  for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
    const auto [variable, order] = array.unknowns()[k];
    const double value = point.values[static_cast<Eigen::Index>(k)], wish = guess[static_cast<Eigen::Index>(k)];
    const double size = std::abs(wish) + numbers[variable].nominal;
    if (order == 0 && numbers[variable].start && !(std::abs(value - wish) <= noticeable * size))
      moved.push_back(fmt::format("{} from {:.6g} to {:.6g}", numbers[variable].name, wish, value));
  }
  if (moved.size() > most_lines) moved.resize(most_lines), moved.push_back("...");
  if (!moved.empty())
    point.remarks.push_back(fmt::format("starts that the equations do not allow were moved as little as possible: {}",
                                        fmt::join(moved, ", ")));
  return point;
}

std::optional<ArrayPoint> find_neighbour(const DerivativeArray& array, const Model& numbers, const ArrayPoint& point,
                                         double t) {
  Eigen::VectorXd guess = point.values;
  double turn = 0.0;  // reproducible directions, all different
  for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
    double& value = guess[static_cast<Eigen::Index>(k)];
    turn += 2.399963;
    value += neighbourhood * std::sin(turn) * (std::abs(value) + numbers[array.unknowns()[k].variable].nominal);
  }
  int left = decompositions_for(array);
  Search search(array, numbers, t, guess, Kept::Nothing, left);
  if (!search.reach_rows()) return {};
  return ArrayPoint{t, search.values(), {}};
}

}  // namespace driftless
