#include "driftless/integrate/run/singular_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/run/bracket.hpp"

namespace driftless {
namespace {

constexpr double is_small = 0.01;  // of a determinant, by the largest
constexpr double vanishes = 23.0;  // of logarithms of determinants: a factor 1e10
constexpr double located = 1e-6;   // of a step: what is singular there is nearly singular so near
constexpr int most_secants = 60;
constexpr double golden = 0.381966;  // of golden section
constexpr int looks_for_smallest = 60, looks_for_a_minimum = 6;
constexpr double is_a_minimum = 1.0, falls_far = 2.3;  // of logarithms: by so much less than at the ends
constexpr double full_rank = 1e-4;                     // the smallest singular value of rows whose size is about 1
constexpr std::size_t most_names = 4;

}  // namespace

SingularPoints::SingularPoints(Problem& problem) : problem_(problem) {}

void SingularPoints::analyse() {
  analysed_ = true;
  known_ = false;
  blocks_.reset();
  watched_.clear();
  System& system = problem_.system();
  if (!slopes_) slopes_ = ConstraintSlopes::of(system);
  DependentUnknowns dependent = dependent_unknowns(problem_);
  unknowns_ = dependent.unknowns.all();
  if (std::ssize(unknowns_) != system.rows() || unknowns_.empty()) return;
  assembly_ = linear::assemble(system.rows(), dependent.coordinates);
  blocks_.emplace(assembly_.pattern);
  values_.assign(assembly_.pattern.rows.size(), 0.0);
  jacobian_.resize(system.jacobian_entries().size());
  y_.resize(system.size());
  yp_.resize(system.size());
  watch_blocks(dependent.entries, dependent.coordinates);
  before_.assign(watched_.size(), {});
  here_ = inside_ = before_;
  oldest_.assign(watched_.size(), {});
}

// A block with constant coefficients stays what it is.
void SingularPoints::watch_blocks(const std::vector<int>& entries, const std::vector<linear::Coordinate>& coordinates) {
  struct Place {
    int block = -1, line = -1;
  };
  std::vector<Place> of_row(unknowns_.size()), of_column(unknowns_.size());
  const auto& blocks = blocks_->blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (auto [lines, places] : {std::pair{&blocks[b].rows, &of_row}, std::pair{&blocks[b].columns, &of_column}}) {
      std::vector<int> ascending = *lines;
      std::ranges::sort(ascending);
      for (std::size_t k = 0; k < ascending.size(); ++k)
        (*places)[ascending[k]] = {static_cast<int>(b), static_cast<int>(k)};
    }
  std::vector<std::vector<std::size_t>> inside(blocks.size());
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (const int b = of_row[coordinates[k].row].block; b >= 0 && b == of_column[coordinates[k].col].block)
      inside[b].push_back(k);
  by_slopes_ = slopes_->kernel != nullptr;
  using Matrix = std::vector<std::array<std::uint32_t, 3>>;  // row, column and expression of each entry
  std::vector<std::pair<bool, Matrix>> known;
  std::vector<bool> is_needed(entries.size(), false);
  const auto& expressions = problem_.system().compiled().jacobian_expressions();
  const std::vector<bool> is_candidate = candidates();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].rows.size() > linear::DiagonalBlocks::largest) continue;
    if (std::ranges::none_of(inside[b], [&](std::size_t k) { return entry_varies(entries[k]); })) continue;
    Matrix matrix;
    for (const std::size_t k : inside[b])
      matrix.push_back({static_cast<std::uint32_t>(of_row[coordinates[k].row].line),
                        static_cast<std::uint32_t>(of_column[coordinates[k].col].line),
                        index(expressions[entries[k]])});
    std::ranges::sort(matrix);
    const bool of_candidates = std::ranges::all_of(
        blocks[b].columns, [&](int c) { return !unknowns_[c].rate && is_candidate[unknowns_[c].slot]; });
    std::pair whole{of_candidates, std::move(matrix)};
    if (std::ranges::find(known, whole) != known.end()) continue;
    known.push_back(std::move(whole));
    watched_.push_back(b);
    for (const std::size_t k : inside[b]) {
      is_needed[k] = true;
      by_slopes_ = by_slopes_ && slopes_->value_of_entry[entries[k]] >= 0;
    }
  }
  sources_.clear();
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (is_needed[k])
      sources_.push_back({by_slopes_ ? slopes_->value_of_entry[entries[k]] : entries[k], assembly_.position[k]});
  evaluated_.resize(by_slopes_ ? slopes_->kernel->outputs() : jacobian_.size());
}

// The blocks follow from the states, and are found again.
void SingularPoints::archive(Archive& archive) {
  bool analysed = analysed_;
  archive(analysed);
  if (archive.is_reading()) analysed ? analyse() : states_changed();
  archive(known_, before_, largest_, oldest_, older_);
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
  return !watched_.empty();
}

void SingularPoints::evaluate(const System::Point& at, std::vector<linear::Determinant>& found) {
  if (by_slopes_)
    problem_.system().evaluate(*slopes_->kernel, at, evaluated_);
  else
    problem_.system().jacobian(at, evaluated_);
  for (const Source& source : sources_) values_[source.position] = 0.0;
  for (const Source& source : sources_) values_[source.position] += evaluated_[source.entry];
  for (std::size_t k = 0; k < watched_.size(); ++k) found[k] = blocks_->determinant(watched_[k], values_);
}

bool SingularPoints::evaluate(double t, const Path& path) {
  if (!path(t, y_, yp_)) return false;
  evaluate({t, y_, yp_}, inside_);
  return true;
}

void SingularPoints::differentiate(const System::Point& at) { problem_.system().jacobian(at, jacobian_); }

std::optional<SingularPoints::Found> SingularPoints::examine(const System::Point& begin, const System::Point& end,
                                                             const Path& path, const Path& solved) {
  if (!exist()) return {};
  const double a = begin.t, b = end.t;
  if (!known_) {
    evaluate(begin, before_);
    largest_.clear();
    for (const linear::Determinant& each : before_) largest_.push_back(each.size);
    older_ = a;
  }
  known_ = true;
  evaluate(end, here_);
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    if (here_[k].sign == 0) here_[k].sign = before_[k].sign;  // nearly singular: the next one tells
    if (before_[k].sign == 0 || here_[k].sign == before_[k].sign) continue;
    differentiate(end);
    const Eigen::VectorXd sizes = slopes_by_candidates(watched_[k]).rowwise().norm();
    std::ranges::copy(end.y, y_.begin());
    std::ranges::copy(end.yp, yp_.begin());
    const double t = locate(k, a, b, path);
    differentiate({t, y_, yp_});
    const Found found{t, describe(watched_[k]), is_only_chart(watched_[k], sizes)};
    if (!found.only_chart) return found;
  }
  auto touched = solved ? find_touched(a, b, solved) : std::nullopt;
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    largest_[k] = larger(largest_[k], here_[k].size);
    oldest_[k] = before_[k].size;
  }
  older_ = a;
  std::swap(before_, here_);
  return touched;
}

// Where the determinant changes its sign. The last evaluation is there.
double SingularPoints::locate(std::size_t watched, double a, double b, const Path& path) {
  const linear::Determinant &before = before_[watched], &here = here_[watched], &inside = inside_[watched];
  const linear::Magnitude unit = larger(before.size, here.size);
  Bracket bracket{a, b, ratio(before.size, unit), -ratio(here.size, unit)};
  for (int i = 0; i < most_secants && bracket.behind - bracket.before > located * (b - a); ++i) {
    const std::optional<double> t = bracket.next(i % 3 == 2);
    if (!t) break;
    if (!evaluate(*t, path) || inside.sign == 0) return *t;
    const double g = (inside.sign == before.sign ? 1.0 : -1.0) * ratio(inside.size, unit);
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
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    const linear::Determinant &before = before_[k], &here = here_[k], &inside = inside_[k];
    if (before.sign == 0 || here.sign != before.sign) continue;
    const bool falls_to_zero =
        older_ < a && (ratio(oldest_[k], before.size) - 1.0) * (b - a) > a - older_;  // by a straight line
    const bool is_small_here = ratio(before.size, largest_[k]) < is_small || ratio(here.size, largest_[k]) < is_small;
    if ((!falls_to_zero && !is_small_here) || problem_.system().guard()) continue;
    const auto [smaller_end, ends] = std::minmax({before.size.log(), here.size.log()});
    bool unsolved = false;
    const auto value_at = [&](double t) {
      if (evaluate(t, path)) return inside.sign == before.sign ? inside.size.log() : -HUGE_VAL;
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
    path(b, y_, yp_);
    differentiate({b, y_, yp_});
    const Eigen::VectorXd sizes = slopes_by_candidates(watched_[k]).rowwise().norm();
    path(t, y_, yp_);
    differentiate({t, y_, yp_});
    const Found found{t, describe(watched_[k]), is_only_chart(watched_[k], sizes)};
    if (!found.only_chart) return found;
  }
  return {};
}

std::vector<bool> SingularPoints::candidates() const {
  std::vector<bool> candidate(problem_.reduced().slots.size(), false);
  for (const Kinematic& k : problem_.reduced().kinematics) candidate[k.slot] = true;
  return candidate;
}

// The rows of a block, as functions of all candidates of their stage, where the Jacobian was evaluated last.
Eigen::MatrixXd SingularPoints::slopes_by_candidates(std::size_t block) const {
  const Reduced& r = problem_.reduced();
  const System& system = problem_.system();
  const std::vector<int>& rows = blocks_->blocks()[block].rows;
  std::vector<int> place(system.rows(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<int>(i);
  const std::vector<bool> candidate = candidates();
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
