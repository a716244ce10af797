#include "driftless/integrate/checks/singular_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/crossings/bracket.hpp"
#include "driftless/integrate/system/steep_function.hpp"
#include "driftless/linear/parts.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless {
namespace {

constexpr double located = 1e-6;  // of a step: a matrix singular at a point is nearly singular within this distance
constexpr double jumps = 1e-4;    // at least this part of the larger end, from one side to the other
constexpr int most_secants = 60;
constexpr double full_rank = 1e-4;  // the smallest singular value of rows whose size is about 1
constexpr std::size_t most_names = 4;

}  // namespace

SingularPoints::SingularPoints(Problem& problem) : problem_(problem) {}

void SingularPoints::analyse() {
  analysed_ = true;
  known_ = false;
  if (!slopes_) take_apart();
  watched_.clear();
  if (!slopes_->exist) fixed_ = blocks_of(whole());
  for (Watched& block : fixed_) watched_.push_back(&block);
  if (slopes_->exist) watch_choices();
  before_.assign(watched_.size(), {});
  here_ = inside_ = before_;
  oldest_.assign(watched_.size(), {});
}

// Finds the blocks that do not depend on the states.
void SingularPoints::take_apart() {
  System& system = problem_.system();
  const Reduced& r = problem_.reduced();
  slopes_ = ConstraintSlopes::of(system);
  jacobian_.resize(system.jacobian_entries().size());
  y_.resize(system.size());
  yp_.resize(system.size());
  evaluated_.resize(slopes_->exist ? (slopes_->kernel ? slopes_->kernel->outputs() : 0) : jacobian_.size());
  if (!slopes_->exist) return;
  FixedRows fixed(system);
  fixed_ =
      blocks_of({std::move(fixed.rows), fixed.unknowns.all(), std::move(fixed.entries), std::move(fixed.coordinates)});
  find_corners();
  std::vector<std::vector<int>> of_row(r.rows.size());
  const auto& all = system.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e)
    if (all[e].row < system.rows() && !all[e].rate) of_row[all[e].row].push_back(static_cast<int>(e));
  std::vector<int> column_of(r.slots.size(), -1);
  const auto has_same_matrix = [&](const OfChoice& a, const OfChoice& b) {
    const auto same = [](const linear::Coordinate& p, const linear::Coordinate& q) {
      return p.row == q.row && p.col == q.col;
    };
    const auto value = [&](int entry) { return slopes_->value_of_entry[entry]; };
    return std::ranges::equal(a.coordinates, b.coordinates, same) &&
           std::ranges::equal(a.entries, b.entries, {}, value, value);
  };
  for (const Choice& choice : r.choices) {
    OfChoice of{.choice = &choice, .entries = {}, .coordinates = {}, .dependent = {}, .watched = {}};
    for (std::size_t j = 0; j < choice.kinematics.size(); ++j)
      column_of[r.kinematics[choice.kinematics[j]].slot] = static_cast<int>(j);
    for (std::size_t i = 0; i < choice.rows.size(); ++i)
      for (const int e : of_row[choice.rows[i]])
        if (const int column = column_of[all[e].slot]; column >= 0) {
          of.entries.push_back(e);
          of.coordinates.push_back({static_cast<int>(i), column});
        }
    for (const int k : choice.kinematics) column_of[r.kinematics[k].slot] = -1;
    if (std::ranges::none_of(of.entries, [&](int e) { return entry_varies(e); })) continue;
    const auto twin = std::ranges::find_if(
        choices_, [&](const OfChoice& other) { return other.twin < 0 && has_same_matrix(other, of); });
    if (twin != choices_.end()) of.twin = static_cast<int>(twin - choices_.begin());
    choices_.push_back(std::move(of));
  }
}

void SingularPoints::watch_choices() {
  const Reduced& r = problem_.reduced();
  std::vector<int> dependent;
  for (OfChoice& of : choices_) {
    dependent.clear();
    for (std::size_t j = 0; j < of.choice->kinematics.size(); ++j)
      if (!problem_.is_whole_state(r.kinematics[of.choice->kinematics[j]].slot))
        dependent.push_back(static_cast<int>(j));
    const bool is_again = of.twin >= 0 && choices_[of.twin].dependent == dependent;
    if (dependent != of.dependent || is_again != of.is_again) {
      of.dependent = dependent;
      of.is_again = is_again;
      of.watched.clear();
      Part part{of.choice->rows, {}, {}, {}};
      std::vector<int> place(of.choice->kinematics.size(), -1);
      for (std::size_t k = 0; k < dependent.size(); ++k) {
        place[dependent[k]] = static_cast<int>(k);
        part.unknowns.push_back({r.kinematics[of.choice->kinematics[dependent[k]]].slot, false});
      }
      for (std::size_t k = 0; k < of.entries.size(); ++k)
        if (const int column = place[of.coordinates[k].col]; column >= 0) {
          part.entries.push_back(of.entries[k]);
          part.coordinates.push_back({of.coordinates[k].row, column});
        }
      if (!is_again && part.unknowns.size() == part.rows.size()) of.watched = blocks_of(part);
    }
    for (Watched& block : of.watched) watched_.push_back(&block);
  }
}

SingularPoints::Part SingularPoints::whole() const {
  const System& system = problem_.system();
  DependentUnknowns dependent = dependent_unknowns(problem_);
  if (dependent.unknowns.size() != system.rows() || dependent.equations != system.rows()) return {};
  std::vector<int> rows(static_cast<std::size_t>(system.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return {std::move(rows), dependent.unknowns.all(), std::move(dependent.entries), std::move(dependent.coordinates)};
}

// Only blocks that vary: one with constant coefficients never changes its determinant.
std::vector<SingularPoints::Watched> SingularPoints::blocks_of(const Part& part) {
  if (part.rows.empty()) return {};
  const linear::Parts blocks(linear::assemble(static_cast<int>(part.rows.size()), part.coordinates).pattern);
  if (!blocks.regular) return {};
  struct Draft {
    std::vector<int> rows, entries, sources;
    std::vector<Unknown> unknowns;
    std::vector<linear::Coordinate> coordinates;
    bool varies = false, is_steep = false;
  };
  std::vector<Draft> drafts(blocks.lines.size());
  std::vector<int> line_of_row(part.rows.size()), line_of_column(part.rows.size());
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    Draft& of_row = drafts[blocks.of_row[i]];
    line_of_row[i] = static_cast<int>(of_row.rows.size());
    of_row.rows.push_back(part.rows[i]);
    Draft& of_column = drafts[blocks.of_column[i]];
    line_of_column[i] = static_cast<int>(of_column.unknowns.size());
    of_column.unknowns.push_back(part.unknowns[i]);
  }
  for (std::size_t k = 0; k < part.entries.size(); ++k) {
    const auto [row, column] = part.coordinates[k];
    if (blocks.of_row[row] != blocks.of_column[column]) continue;
    Draft& draft = drafts[blocks.of_row[row]];
    draft.entries.push_back(part.entries[k]);
    draft.sources.push_back(slopes_->exist ? slopes_->value_of_entry[part.entries[k]] : part.entries[k]);
    draft.coordinates.push_back({line_of_row[row], line_of_column[column]});
    draft.varies = draft.varies || entry_varies(part.entries[k]);
    draft.is_steep = draft.is_steep || entry_is_steep(part.entries[k]);
  }
  std::vector<Watched> watched;
  for (Draft& draft : drafts) {
    if (!draft.varies || draft.rows.size() > ConstraintSlopes::largest_block) continue;
    const int lines = static_cast<int>(draft.rows.size());
    values_.resize(std::max(values_.size(), draft.entries.size()));
    std::optional<OneSolution> steep;
    if (draft.is_steep || !kinks_of(draft.rows, draft.unknowns).empty())
      steep.emplace(std::make_shared<const BlockEquations>(
          block_equations(problem_.system().compiled(), draft.rows, draft.unknowns, draft.entries, draft.coordinates)));
    watched.push_back({std::move(draft.rows), std::move(draft.unknowns), std::move(draft.sources),
                       linear::RepeatedDeterminant(lines, std::move(draft.coordinates)), std::move(steep)});
  }
  return watched;
}

// The blocks are not archived: they are found again from the states.
void SingularPoints::archive(Archive& archive) {
  bool analysed = analysed_;
  archive(analysed);
  if (archive.is_reading()) analysed ? analyse() : states_changed();
  archive(known_, before_, largest_, oldest_, older_, corners_before_, corners_oldest_, corners_largest_);
}

bool SingularPoints::entry_varies(int entry) {
  entry_varies_.resize(jacobian_.size());
  std::optional<bool>& known = entry_varies_[entry];
  const CompiledSystem& compiled = problem_.system().compiled();
  if (!known) known = varies(*compiled.pool(), compiled.jacobian_expressions()[entry]);
  return *known;
}

bool SingularPoints::entry_is_steep(int entry) const {
  const CompiledSystem& compiled = problem_.system().compiled();
  const Pool& pool = *compiled.pool();
  return any_node(pool, compiled.jacobian_expressions()[entry],
                  [&](NodeId id) { return is_steep_function(pool[id].op); });
}

bool SingularPoints::exist() {
  if (!analysed_) analyse();
  return !watched_.empty();
}

void SingularPoints::evaluate(const System::Point& at, std::vector<linear::Determinant>& found) {
  if (slopes_->exist)
    problem_.system().evaluate(*slopes_->kernel, at, evaluated_);
  else
    problem_.system().jacobian(at, evaluated_);
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    Watched& block = *watched_[k];
    const std::size_t entries = block.sources.size();
    for (std::size_t e = 0; e < entries; ++e) values_[e] = evaluated_[block.sources[e]];
    found[k] = block.determinant(std::span(values_).first(entries));
  }
}

bool SingularPoints::evaluate(double t, const Path& path) {
  if (!path(t, y_, yp_)) return false;
  evaluate({t, y_, yp_}, inside_);
  return true;
}

void SingularPoints::differentiate(const System::Point& at) { problem_.system().jacobian(at, jacobian_); }

std::optional<SingularPoints::Found> SingularPoints::examine(const System::Point& begin, const System::Point& end,
                                                             const Path& path, const Path& solved,
                                                             const MayPass& may_pass) {
  if (!exist()) return {};
  const double a = begin.t, b = end.t;
  if (!known_) {
    evaluate(begin, before_);
    largest_.clear();
    for (const linear::Determinant& each : before_) largest_.push_back(each.size);
    older_ = a;
    if (corner_kernel_) evaluate_corners(begin, corners_before_), corners_largest_.assign(corners_before_.size(), 0.0);
  }
  known_ = true;
  evaluate(end, here_);
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    if (here_[k].sign == 0) here_[k].sign = before_[k].sign;  // nearly singular: the next end decides
    if (before_[k].sign == 0 || here_[k].sign == before_[k].sign) continue;
    differentiate(end);
    const Eigen::VectorXd sizes = slopes_by_candidates(*watched_[k]).rowwise().norm();
    std::ranges::copy(end.y, y_.begin());
    std::ranges::copy(end.yp, yp_.begin());
    // In a choice of states every unknown is in the error test, and its determinants often change their signs.
    const auto [t, is_zero] = locate(k, a, b, solved && slopes_->exist && k < fixed_.size() ? solved : path);
    differentiate({t, y_, yp_});
    Found found = found_at(t, *watched_[k], sizes);
    found.is_leap = !is_zero;
    const bool passes = found.only_chart || (!found.is_leap && may_pass && may_pass(found));
    if (!passes) return found;
  }
  if (auto touched = solved ? find_touched(a, b, solved, may_pass) : std::nullopt) return touched;
  if (corner_kernel_ && solved)
    if (auto touched = find_touched_corner(end, a, solved, may_pass)) return touched;
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    largest_[k] = larger(largest_[k], here_[k].size);
    oldest_[k] = before_[k].size;
  }
  older_ = a;
  std::swap(before_, here_);
  return {};
}

// Finds where the determinant changes its sign. The last evaluation is at that point, or close to it.
SingularPoints::Place SingularPoints::locate(std::size_t watched, double a, double b, const Path& path) {
  const linear::Determinant &before = before_[watched], &here = here_[watched], &inside = inside_[watched];
  const linear::Magnitude unit = larger(before.size, here.size);
  Bracket bracket{a, b, ratio(before.size, unit), -ratio(here.size, unit)};
  double last_before = bracket.g_before, last_behind = bracket.g_behind;
  for (int i = 0; i < most_secants && bracket.behind - bracket.before > located * (b - a); ++i) {
    const std::optional<double> t = bracket.next(i % 3 == 2);
    if (!t) break;
    if (!evaluate(*t, path) || inside.sign == 0) return {*t, true};
    const double g = (inside.sign == before.sign ? 1.0 : -1.0) * ratio(inside.size, unit);
    if (std::abs(g) < located) return {*t, true};
    (g > 0.0 ? last_before : last_behind) = g;
    bracket.take(*t, g);
  }
  return {bracket.behind, std::min(last_before, -last_behind) < jumps};
}

// Precondition: the Jacobian was last evaluated at t.
SingularPoints::Found SingularPoints::found_at(double t, const Watched& block, const Eigen::VectorXd& sizes) const {
  return {t, describe(block), is_only_chart(block, sizes), equations_of(block)};
}

std::vector<EqnId> SingularPoints::equations_of(const Watched& block) const {
  std::vector<EqnId> equations;
  for (const int row : block.rows) equations.push_back(problem_.reduced().rows[row].equation);
  return equations;
}

// The rows of a block, as functions of all candidates of their stage, where the Jacobian was evaluated last.
Eigen::MatrixXd SingularPoints::slopes_by_candidates(const Watched& block) const {
  const Reduced& r = problem_.reduced();
  const System& system = problem_.system();
  const std::vector<int>& rows = block.rows;
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

// Do the rows have full rank at the last point? Measured by their size at the end of the step: rows that vanish do not
// have full rank.
bool SingularPoints::is_only_chart(const Watched& block, const Eigen::VectorXd& sizes) const {
  Eigen::MatrixXd matrix = slopes_by_candidates(block);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (!(sizes[i] > 0.0) || !matrix.row(i).allFinite()) return false;
    matrix.row(i) /= sizes[i];
  }
  if (!(linear::singular_values(matrix)[matrix.rows() - 1] > full_rank)) return false;
  return open_unknowns_have_rank(block, matrix);
}

// In a derivative array other states cannot take the place of derivatives (states/array_choice.hpp): the rows must
// determine as many derivatives as the block contains.
bool SingularPoints::open_unknowns_have_rank(const Watched& block, const Eigen::MatrixXd& scaled) const {
  const Reduced& r = problem_.reduced();
  std::vector<bool> is_open(r.slots.size(), false);
  for (const Choice& choice : r.choices)
    for (std::size_t j = 0; j < choice.roles.size(); ++j)
      is_open[r.kinematics[choice.kinematics[j]].slot] = choice.roles[j] != Role::State;
  Eigen::Index number = 0;
  for (const Unknown& unknown : block.unknowns) number += is_open[unknown.slot];
  if (number == 0) return true;
  Eigen::MatrixXd derivatives = scaled;
  for (std::size_t s = 0; s < is_open.size(); ++s)
    if (!is_open[s]) derivatives.col(static_cast<Eigen::Index>(s)).setZero();
  return linear::singular_values(derivatives)[number - 1] > full_rank;
}

std::string SingularPoints::describe(const Watched& block) const {
  const Reduced& r = problem_.reduced();
  std::vector<std::string> names, equations;
  for (const auto& [slot, rate] : block.unknowns) {
    const Quantity q = r.slots[slot].quantity;
    names.push_back(r.name({q.variable, q.order + (rate ? 1 : 0)}));
  }
  for (const int row : block.rows) {
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
