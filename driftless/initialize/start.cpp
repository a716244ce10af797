#include "driftless/initialize/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

// A smaller move is a rounding error.
double least_move(const InitialUnknown& unknown) { return 1e-9 * std::abs(unknown.guess) + 1e-13 * unknown.nominal; }

std::vector<std::vector<int>> all_rows(const InitialProblem& problem) {
  std::vector<int> rows(problem.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  return {rows};
}

class PlannedStart {
 public:
  PlannedStart(const Model& numbers, const InitialProblem& problem, double t, const StartPlan& plan)
      : problem_(problem),
        plan_(plan),
        rows_(numbers, problem, t, plan.parts),
        search_(rows_, problem),
        open_(problem.unknowns.size()) {
    for (std::size_t k = 0; k < open_.size(); ++k) open_[k] = plan_.row_of[k] < 0;
  }

  FoundStart find() {
    FoundStart found;
    found.solved = true;
    for (int b = 0; b < blocks() && found.solved; ++b) {
      const Attempt attempt = solve_block(b);
      found.evaluated = attempt.evaluated;
      found.solved = attempt.evaluated && attempt.solved;
      found.missed = attempt.missed;
      if (!found.solved) found.suspects = with_ancestors(plan_.blocks[b].rows);
    }
    if (found.solved && !plan_.surplus.empty()) {
      const Attempt attempt = search_.judge(std::vector{blocks()});
      found.evaluated = attempt.evaluated;
      found.solved = attempt.evaluated && attempt.solved;
      found.missed = attempt.missed;
      if (!found.solved) found.suspects = with_ancestors(violated_surplus());
    }
    if (found.solved) restore_starts();
    found.values = rows_.values();
    found.released = released_;
    found.trials = search_.trials();
    found.trials.add(trials_);
    return found;
  }

 private:
  int blocks() const { return static_cast<int>(plan_.blocks.size()); }

  Attempt solve_block(int b) {
    const std::vector<int>& cols = plan_.blocks[b].cols;
    const Attempt plain = search_.solve_with_effort(std::vector{b}, cols);
    if (plain.evaluated && plain.solved && plain.regular) {
      search_.prefer_nearer(std::vector{b}, cols);
      return plain;
    }
    std::vector<int> held;
    for (const int row : plan_.blocks[b].rows)
      for (const auto& [col, derivative] : problem_.gradients[row])
        if (open_[col]) held.push_back(col);
    std::ranges::sort(held);
    held.erase(std::unique(held.begin(), held.end()), held.end());
    if (held.empty()) return plain;

    // Recomputes everything up to here that depends on released unknowns.
    std::vector<int> parts = affected_by(held, b), together = held;
    for (const int part : parts)
      together.insert(together.end(), plan_.blocks[part].cols.begin(), plan_.blocks[part].cols.end());
    std::vector<double> before;
    for (const int col : together) before.push_back(rows_.value(col));
    for (const int col : together) rows_.value(col) = problem_.unknowns[col].guess;
    const Attempt released = search_.solve_nearest(parts, together);
    trials_.record(Strategy::Release, released.solved, released.missed);
    if (!released.evaluated || !released.solved) {
      for (std::size_t k = 0; k < together.size(); ++k) rows_.value(together[k]) = before[k];
      return plain;
    }
    for (const int col : held) {
      open_[col] = false;
      released_.push_back(col);
    }
    return released;
  }

  std::vector<int> affected_by(std::vector<int> cols, int last) {
    if (users_.empty()) {
      users_.resize(problem_.unknowns.size());
      for (int b = 0; b < blocks(); ++b)
        for (const int row : plan_.blocks[b].rows)
          for (const auto& [col, derivative] : problem_.gradients[row])
            if (users_[col].empty() || users_[col].back() != b) users_[col].push_back(b);
    }
    std::vector<int> parts{last};
    std::vector<bool> seen(plan_.blocks.size(), false);
    while (!cols.empty()) {
      const int col = cols.back();
      cols.pop_back();
      for (const int b : users_[col]) {
        if (b >= last || seen[b]) continue;
        seen[b] = true;
        parts.push_back(b);
        cols.insert(cols.end(), plan_.blocks[b].cols.begin(), plan_.blocks[b].cols.end());
      }
    }
    std::ranges::sort(parts);
    return parts;
  }

  std::vector<int> violated_surplus() {
    std::vector<double> size(problem_.rows.size(), 0.0);
    for (const InitialRows::Entry& entry : rows_.jacobian(blocks()))
      size[entry.row] +=
          std::abs(entry.value) * (std::abs(rows_.value(entry.col)) + problem_.unknowns[entry.col].nominal);
    const std::span<const double> residual = rows_.residual(blocks());
    for (std::size_t k = 0; k < residual.size(); ++k)
      size[plan_.surplus[k]] += rows_.sizes_without_unknowns(blocks())[k];
    std::vector<int> violated;
    for (std::size_t k = 0; k < residual.size(); ++k)
      if (!(std::abs(residual[k]) <= 1e-10 * size[plan_.surplus[k]])) violated.push_back(plan_.surplus[k]);
    return violated;
  }

  // These rows, and all rows from which their unknowns are computed.
  std::vector<int> with_ancestors(std::vector<int> rows) const {
    std::vector<int> block_of(problem_.unknowns.size(), -1);
    for (int b = 0; b < blocks(); ++b)
      for (const int col : plan_.blocks[b].cols) block_of[col] = b;
    std::vector<bool> seen(plan_.blocks.size(), false);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const auto& [col, derivative] : problem_.gradients[rows[k]])
        if (const int b = block_of[col]; b >= 0 && !seen[b]) {
          seen[b] = true;
          rows.insert(rows.end(), plan_.blocks[b].rows.begin(), plan_.blocks[b].rows.end());
        }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

  // Starts that were reproduced up to rounding are set to their exact values if the rows still hold.
  void restore_starts() {
    const std::vector<double> found = rows_.values();
    std::vector<double> written = found;
    for (std::size_t k = 0; k < found.size(); ++k)
      if (const InitialUnknown& unknown = problem_.unknowns[k];
          unknown.is_wish() && std::abs(found[k] - unknown.guess) <= least_move(unknown))
        written[k] = unknown.guess;
    if (written == found) return;
    std::vector<int> parts(rows_.parts());
    std::iota(parts.begin(), parts.end(), 0);
    const double before = search_.judge(parts).missed;
    rows_.set_values(written);
    if (const Attempt attempt = search_.judge(parts); !attempt.solved || attempt.missed > 1e-15 + 2.0 * before)
      rows_.set_values(found);
  }

  const InitialProblem& problem_;
  const StartPlan& plan_;
  InitialRows rows_;
  Search search_;
  std::vector<bool> open_;
  std::vector<int> released_;
  Trials trials_;
  std::vector<std::vector<int>> users_;  // blocks in which an unknown occurs
};

// Sets the guesses; default ones, or all, are moved a little, because at 0 many slopes are zero that are not elsewhere.
void set_point(const InitialProblem& problem, int which, InitialRows& rows) {
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) {
    const InitialUnknown& unknown = problem.unknowns[k];
    const bool moves = which == 2 || (which == 1 && !unknown.given);
    rows.value(static_cast<int>(k)) =
        unknown.guess + (moves ? 0.1 * unknown.nominal * (1.0 + 0.37 * std::sin(1.0 + static_cast<double>(k))) : 0.0);
  }
}

}  // namespace

bool FoundStart::is_held(int unknown) const {
  return plan->row_of[unknown] < 0 && std::ranges::find(released, unknown) == released.end();
}

std::vector<int> moved_starts(const InitialProblem& problem, const std::vector<double>& values) {
  std::vector<int> moved;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (const InitialUnknown& unknown = problem.unknowns[k];
        unknown.is_wish() && std::abs(values[k] - unknown.guess) > least_move(unknown))
      moved.push_back(static_cast<int>(k));
  return moved;
}

FoundStart find_start(const Model& numbers, const InitialProblem& problem, double t) {
  InitialRows rows(numbers, problem, t, all_rows(problem));
  StartPlanner plan_at(problem);
  FoundStart best;
  std::size_t fewest = 0;
  double shortest = 0.0;
  Trials trials;
  std::vector<int> suspects;  // of the first plan: its starts are those of the user
  std::vector<std::shared_ptr<const StartPlan>> tried;
  for (const int which : {0, 1, 2}) {
    set_point(problem, which, rows);
    const std::shared_ptr<const StartPlan> plan = plan_at(rows.jacobian(0));
    if (std::ranges::any_of(tried, [&](const auto& other) { return other->row_of == plan->row_of; })) continue;
    tried.push_back(plan);
    FoundStart next = PlannedStart(numbers, problem, t, *plan).find();
    next.plan = plan;
    trials.add(next.trials);
    std::size_t moved = 0;
    double way = 0.0;
    for (const int k : next.solved ? moved_starts(problem, next.values) : std::vector<int>()) {
      ++moved;
      way += std::abs(next.values[k] - problem.unknowns[k].guess) / problem.unknowns[k].nominal;
    }
    if (suspects.empty()) suspects = next.suspects;
    const bool better = moved < fewest || (moved == fewest && way < 0.9 * shortest);
    if (best.values.empty() || (next.solved && (!best.solved || better)) ||
        (!best.solved && next.evaluated && !best.evaluated)) {
      best = std::move(next);
      fewest = moved;
      shortest = way;
    }
    if (best.solved && fewest == 0) break;
  }
  if (!best.solved) {
    // All rows for all unknowns: the whole start changes as little as possible.
    set_point(problem, 0, rows);
    std::vector<int> all(problem.unknowns.size());
    std::iota(all.begin(), all.end(), 0);
    Search search(rows, problem);
    const Attempt attempt = search.solve_nearest(std::vector{0}, all);
    trials.record(Strategy::Together, attempt.solved, attempt.missed);
    if (attempt.evaluated && (attempt.solved || (best.evaluated && attempt.missed < best.missed))) {
      best.evaluated = true;
      best.solved = attempt.solved;
      best.missed = attempt.missed;
      best.values = rows.values();
      best.released.clear();
      for (std::size_t k = 0; k < all.size(); ++k)
        if (best.plan->row_of[k] < 0 && best.values[k] != problem.unknowns[k].guess)
          best.released.push_back(static_cast<int>(k));
    }
  }
  best.trials = trials;
  if (!best.solved) best.suspects = std::move(suspects);
  return best;
}

}  // namespace driftless
