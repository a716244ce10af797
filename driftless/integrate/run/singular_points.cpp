#include "driftless/integrate/run/singular_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/run/bracket.hpp"

namespace driftless {
namespace {

constexpr double is_small = 4.6, vanishes = 23.0;  // of logarithms of determinants: factors 100 and 1e10
constexpr double is_worse = 1.4;                   // the same: factor 4
constexpr double located = 1e-6;                   // of a step: what is singular there is nearly singular so near
constexpr int most_secants = 60;
constexpr double golden = 0.381966;  // of golden section
constexpr int looks_for_smallest = 60, looks_for_a_minimum = 6;
constexpr double is_a_minimum = 1.0, falls_far = 2.3;  // the same: by so much less than at the ends
constexpr double full_rank = 1e-4;                     // the smallest singular value of rows whose size is about 1
constexpr std::size_t most_names = 4;

}  // namespace

SingularPoints::SingularPoints(Problem& problem) : problem_(problem) {}

void SingularPoints::analyse() {
  analysed_ = true;
  known_ = false;
  blocks_.reset();
  System& system = problem_.system();
  DependentUnknowns dependent = dependent_unknowns(problem_);
  unknowns_ = dependent.unknowns.all();
  if (std::ssize(unknowns_) != system.rows() || unknowns_.empty()) return;
  entries_ = std::move(dependent.entries);
  const std::vector<linear::Coordinate>& coordinates = dependent.coordinates;
  assembly_ = linear::assemble(system.rows(), coordinates);
  blocks_.emplace(assembly_.pattern);
  values_.resize(assembly_.pattern.rows.size());
  jacobian_.resize(system.jacobian_entries().size());
  y_.resize(system.size());
  yp_.resize(system.size());
  signs_.assign(blocks_->blocks().size(), 0);
  here_ = middle_ = signs_;
  // A block with constant coefficients stays what it is.
  varies_.assign(signs_.size(), false);
  std::vector<int> block_of_row(system.rows(), -1), block_of_column(unknowns_.size(), -1);
  for (std::size_t b = 0; b < varies_.size(); ++b) {
    for (const int row : blocks_->blocks()[b].rows) block_of_row[row] = static_cast<int>(b);
    for (const int column : blocks_->blocks()[b].columns) block_of_column[column] = static_cast<int>(b);
  }
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (const int b = block_of_row[coordinates[k].row]; b >= 0 && b == block_of_column[coordinates[k].col])
      if (!varies_[b]) varies_[b] = entry_varies(entries_[k]);
}

// The blocks follow from the states, and are found again.
void SingularPoints::archive(Archive& archive) {
  bool analysed = analysed_;
  archive(analysed);
  if (archive.is_reading()) analysed ? analyse() : states_changed();
  archive(known_, signs_, log_before_, largest_, log_older_, log_since_chosen_, older_);
}

bool SingularPoints::entry_varies(int entry) {
  entry_varies_.resize(jacobian_.size());
  std::optional<bool>& known = entry_varies_[entry];
  const CompiledSystem& compiled = problem_.system().compiled();
  if (!known) known = varies(*compiled.pool(), compiled.jacobian_expressions()[entry]);
  return *known;
}

bool SingularPoints::exist() {
  if (!analysed_) analyse();
  return blocks_ && std::ranges::find(varies_, true) != varies_.end();
}

bool SingularPoints::has_shrunk() const {
  if (!known_) return false;
  for (std::size_t k = 0; k < log_before_.size(); ++k)
    if (varies_[k] && log_before_[k] < log_since_chosen_[k] - is_worse) return true;
  return false;
}

bool SingularPoints::evaluate(double t, const Path& path, std::vector<int>& signs) {
  if (!path(t, y_, yp_)) return false;
  problem_.system().jacobian({t, y_, yp_}, jacobian_);
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k) values_[assembly_.position[k]] += jacobian_[entries_[k]];
  blocks_->signs(values_, signs, log_sizes_);
  return true;
}

std::optional<SingularPoints::Found> SingularPoints::examine(double a, double b, const Path& path, const Path& solved) {
  if (!exist()) return {};
  log_sizes_.resize(signs_.size());
  if (!known_) {
    if (!evaluate(a, path, signs_)) return {};
    log_before_ = largest_ = log_since_chosen_ = log_sizes_;
    older_ = a;
  }
  known_ = true;
  if (!evaluate(b, path, here_)) return {};
  log_here_ = log_sizes_;
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    if (here_[k] == 0) here_[k] = signs_[k];  // nearly singular: the next one tells
    if (!varies_[k] || signs_[k] == 0 || here_[k] == signs_[k]) continue;
    evaluate(b, path, middle_);
    const Eigen::VectorXd sizes = slopes_by_candidates(k).rowwise().norm();
    const double t = locate(k, a, b, path);
    const Found found{t, describe(k), is_only_chart(k, sizes)};
    if (!found.only_chart) return found;
  }
  auto touched = solved ? find_touched(a, b, solved) : std::nullopt;
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    largest_[k] = std::max(largest_[k], log_here_[k]);
    log_since_chosen_[k] = std::max(log_since_chosen_[k], log_here_[k]);
  }
  signs_ = here_;
  log_older_ = log_before_, older_ = a;
  log_before_ = log_here_;
  return touched;
}

// Where the determinant changes its sign. The last evaluation is there.
double SingularPoints::locate(std::size_t block, double a, double b, const Path& path) {
  const double unit = std::max(log_before_[block], log_here_[block]);
  Bracket bracket{a, b, std::exp(log_before_[block] - unit), -std::exp(log_here_[block] - unit)};
  for (int i = 0; i < most_secants && bracket.behind - bracket.before > located * (b - a); ++i) {
    const std::optional<double> t = bracket.next(i % 3 == 2);
    if (!t) break;
    if (!evaluate(*t, path, middle_) || middle_[block] == 0) return *t;
    const double g = (middle_[block] == signs_[block] ? 1.0 : -1.0) * std::exp(log_sizes_[block] - unit);
    if (std::abs(g) < located) return *t;
    bracket.take(*t, g);
  }
  return bracket.behind;
}

// A determinant may come to 0 and go back, as that of y^2 = x^2 does where y = |x| is followed. Steps become short
// before such a point. Where a determinant is small beside what it was, or would be 0 before the end of the step if it
// went on as in the step before, its smallest value is looked for. With exponentials determinants change by orders
// anyway.
std::optional<SingularPoints::Found> SingularPoints::find_touched(double a, double b, const Path& path) {
  if (problem_.system().guard()) return {};
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    if (!varies_[k] || signs_[k] == 0 || here_[k] != signs_[k]) continue;
    const auto [smaller_end, ends] = std::minmax(log_before_[k], log_here_[k]);
    const bool falls_to_zero =
        older_ < a && std::expm1(log_older_[k] - log_before_[k]) * (b - a) > a - older_;  // by a straight line
    if (!falls_to_zero && !(smaller_end < largest_[k] - is_small)) continue;
    bool unsolved = false;
    const auto value_at = [&](double t) {
      if (evaluate(t, path, middle_)) return middle_[k] == signs_[k] ? log_sizes_[k] : -HUGE_VAL;
      unsolved = true;
      return HUGE_VAL;
    };
    double left = a, right = b;
    double t1 = std::lerp(left, right, golden), t2 = std::lerp(right, left, golden);
    double g1 = value_at(t1), g2 = value_at(t2);
    for (int i = 0; i < looks_for_smallest && !unsolved && std::min(g1, g2) > ends - vanishes; ++i) {
      if (i == looks_for_a_minimum && std::min(g1, g2) > smaller_end - is_a_minimum) break;  // it is at an end
      if (g1 < g2) {
        right = t2, t2 = t1, g2 = g1;
        g1 = value_at(t1 = std::lerp(left, right, golden));
      } else {
        left = t1, t1 = t2, g1 = g2;
        g2 = value_at(t2 = std::lerp(right, left, golden));
      }
    }
    // At the singular point itself the equations may not be solved, but the determinant falls far before it.
    if (std::min(g1, g2) > ends - vanishes && !(unsolved && std::min(g1, g2) < smaller_end - falls_far)) continue;
    const double t = g1 < g2 ? t1 : t2;
    evaluate(b, path, middle_);
    const Eigen::VectorXd sizes = slopes_by_candidates(k).rowwise().norm();
    evaluate(t, path, middle_);
    const Found found{t, describe(k), is_only_chart(k, sizes)};
    if (!found.only_chart) return found;
  }
  return {};
}

// The rows of a block, as functions of all candidates of their stage, where the last evaluation was.
Eigen::MatrixXd SingularPoints::slopes_by_candidates(std::size_t block) const {
  const Reduced& r = problem_.reduced();
  const System& system = problem_.system();
  const std::vector<int>& rows = blocks_->blocks()[block].rows;
  std::vector<int> place(system.rows(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<int>(i);
  std::vector<bool> candidate(r.slots.size(), false);
  for (const Kinematic& k : r.kinematics) candidate[k.slot] = true;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), system.size());
  const auto& entries = system.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row >= system.rows() || entries[e].rate || place[entries[e].row] < 0) continue;
    const Slot& slot = r.slots[entries[e].slot];
    if (candidate[entries[e].slot] && slot.stage == r.rows[entries[e].row].stage)
      matrix(place[entries[e].row], entries[e].slot) += jacobian_[e] * slot.nominal;
  }
  return matrix;
}

// Do the rows have full rank at the last point? Measured by their size at the end of the step: where they vanish, they
// have none.
bool SingularPoints::is_only_chart(std::size_t block, const Eigen::VectorXd& sizes) const {
  Eigen::MatrixXd matrix = slopes_by_candidates(block);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (!(sizes[i] > 0.0) || !matrix.row(i).allFinite()) return false;
    matrix.row(i) /= sizes[i];
  }
  if (!(matrix.jacobiSvd().singularValues()[matrix.rows() - 1] > full_rank)) return false;
  return open_unknowns_have_rank(block, matrix);
}

// In a derivative array other states cannot take the place of derivatives (states/array_choice.hpp): of those the rows
// must determine as many as the block has.
bool SingularPoints::open_unknowns_have_rank(std::size_t block, const Eigen::MatrixXd& scaled) const {
  const Reduced& r = problem_.reduced();
  std::vector<bool> is_open(r.slots.size(), false);
  for (const Choice& choice : r.choices)
    for (std::size_t j = 0; j < choice.roles.size(); ++j)
      is_open[r.kinematics[choice.kinematics[j]].slot] = choice.roles[j] != Role::State;
  Eigen::Index number = 0;
  for (const int column : blocks_->blocks()[block].columns) number += is_open[unknowns_[column].slot];
  if (number == 0) return true;
  Eigen::MatrixXd derivatives = scaled;
  for (std::size_t s = 0; s < is_open.size(); ++s)
    if (!is_open[s]) derivatives.col(static_cast<Eigen::Index>(s)).setZero();
  return derivatives.jacobiSvd().singularValues()[number - 1] > full_rank;
}

std::string SingularPoints::describe(std::size_t block) const {
  const Reduced& r = problem_.reduced();
  std::vector<std::string> names, equations;
  for (const int column : blocks_->blocks()[block].columns) {
    const Quantity q = r.slots[unknowns_[column].slot].quantity;
    names.push_back(r.name({q.variable, q.order + (unknowns_[column].rate ? 1 : 0)}));
  }
  for (const int row : blocks_->blocks()[block].rows) {
    const Equation& equation = (*r.model)[r.rows[row].equation];
    std::string text = fmt::format("{}: {}", equation.label, equation.text);
    if (r.rows[row].level > 0) text += fmt::format(" (derivative {})", r.rows[row].level);
    equations.push_back(std::move(text));
  }
  const auto shorten = [](std::vector<std::string>& list) {
    if (list.size() > most_names) list.resize(most_names), list.push_back("...");
  };
  const bool one = names.size() == 1;
  shorten(names), shorten(equations);
  return fmt::format("{} {} not determined there by {}", fmt::join(names, ", "), one ? "is" : "are",
                     fmt::join(equations, "; "));
}

}  // namespace driftless
