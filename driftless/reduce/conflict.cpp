#include "driftless/reduce/conflict.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/reduce/list_names.hpp"
#include "driftless/reduce/nearest_point.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_in_conflict_search = 2000;
constexpr int guesses_of_search = 8;
constexpr double much_better = 0.9;            // otherwise the point found closer to the starts is kept
constexpr double is_missed = 1e-3;             // of the largest residual
constexpr std::size_t most_of_a_conflict = 8;  // names

using Found = NearestPoint::Found;

class ConflictSearch {
 public:
  ConflictSearch(const Model& model, const std::vector<EqnId>& equations) : points_(model, equations) {}

  // The best point for some equations, ascending.
  Found best(const std::vector<int>& selected) {
    Found best;
    for (int k = 0; k < guesses_of_search && !best.holds(); ++k)
      if (Found found = points_.from(points_.guess(k), selected);
          best.point.size() == 0 || found.missed < much_better * best.missed)
        best = std::move(found);
    return best;
  }

  // Precondition: no values were found for all together, and they are met best at `near`.
  void find_smallest_set(const Found& near) {
    near_ = near.point;
    std::vector<int> candidates = by_suspicion();
    while (!candidates.empty() && (set_.empty() || !is_in_conflict_with(candidates, 0))) {
      const std::size_t needed = needed_of(candidates);
      set_.push_back(candidates[needed - 1]);
      witnesses_.push_back(missed_by_others_);
      candidates.resize(needed - 1);
    }
  }
  // In the order in which they were found, from last to first.
  const std::vector<int>& set() const { return set_; }
  const std::vector<double>& witnesses() const { return witnesses_; }
  NearestPoint& points() { return points_; }

 private:
  // Equations with a residual at the nearest point come first; otherwise in the order of the text.
  std::vector<int> by_suspicion() {
    std::vector<int> all(static_cast<std::size_t>(points_.equations()));
    std::iota(all.begin(), all.end(), 0);
    const Eigen::VectorXd missed = points_.missed(all, near_).cwiseAbs();
    const double limit = is_missed * missed.maxCoeff();
    const auto others = std::ranges::stable_partition(all, [&](int i) { return missed[i] > limit; });
    suspects_ = all.size() - others.size();
    return all;
  }

  // The smallest number of first candidates that, together with the set, have no common solution; without the last of
  // these a solution is known. Precondition: with all candidates there is none, without candidates there is one.
  std::size_t needed_of(const std::vector<int>& candidates) {
    std::size_t fits = 0, fails = candidates.size();
    double missed_where_it_fits = set_.empty() ? 0.0 : missed_by_others_;
    const auto fails_with = [&](std::size_t number) {
      if (is_in_conflict_with(candidates, number)) {
        fails = number;
        return true;
      }
      fits = number, missed_where_it_fits = missed_by_others_;
      return false;
    };
    if (fails > 1 && fails <= suspects_) fails_with(fails - 1);
    for (std::size_t number = 1; number < fails && fits + 1 < fails; number *= 2)
      if (number > fits && fails_with(number)) break;
    while (fails - fits > 1) fails_with(fits + (fails - fits) / 2);
    missed_by_others_ = missed_where_it_fits;
    return fails;
  }

  // Have the set and the first `number` candidates no common solution? The nearest point of all equations is a good
  // guess: most of them hold there.
  bool is_in_conflict_with(const std::vector<int>& candidates, std::size_t number) {
    std::vector<int> selected = set_;
    selected.insert(selected.end(), candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(number));
    std::ranges::sort(selected);
    Found found = points_.from(near_, selected);
    bool exists = found.exists();  // nothing is concluded about equations without a value
    for (int k = 0; k < guesses_of_search && !found.holds(); ++k) {
      found = points_.from(points_.guess(k), selected);
      exists = exists || found.exists();
    }
    missed_by_others_ = found.missed;
    return exists && !found.holds();
  }

  NearestPoint points_;
  Eigen::VectorXd near_;
  std::size_t suspects_ = 0;
  std::vector<int> set_;
  std::vector<double> witnesses_;
  double missed_by_others_ = 0.0;  // in the last search
};

}  // namespace

std::optional<Conflict> find_conflict(const Model& model, const std::vector<EqnId>& equations) {
  if (equations.empty() || equations.size() > most_in_conflict_search) return {};
  ConflictSearch search(model, equations);
  std::vector<int> all(equations.size());
  std::iota(all.begin(), all.end(), 0);
  const Found nearest = search.best(all);
  if (!nearest.exists() || nearest.holds()) return {};
  search.find_smallest_set(nearest);
  std::vector<std::pair<int, double>> found;
  for (std::size_t k = 0; k < search.set().size(); ++k) found.emplace_back(search.set()[k], search.witnesses()[k]);
  std::ranges::sort(found);
  std::vector<int> set;
  for (const auto& [equation, witness] : found) set.push_back(equation);
  const Found left = search.best(set);
  const bool is_smallest =
      std::ranges::all_of(search.witnesses(), [](double missed) { return missed <= NearestPoint::satisfied; });
  if (!left.exists() || left.holds() || !is_smallest) return {};
  Conflict conflict;
  for (const auto& [equation, witness] : found) {
    conflict.equations.push_back(equations[static_cast<std::size_t>(equation)]);
    conflict.residuals.push_back(search.points().residual(equation, left.point));
    conflict.witnesses.push_back(witness);
  }
  conflict.point = search.points().named(set, left.point);
  return conflict;
}

std::optional<std::string> conflict_in_words(const Model& model, const std::vector<EqnId>& equations) {
  const auto conflict = find_conflict(model, equations);
  if (!conflict) return {};
  std::vector<std::string> labels, missed, point;
  for (std::size_t k = 0; k < conflict->equations.size(); ++k) {
    labels.push_back(model[conflict->equations[k]].label);
    missed.push_back(fmt::format("{:.4g} ({})", conflict->residuals[k], labels.back()));
  }
  for (const auto& [name, value] : conflict->point) point.push_back(fmt::format("{} = {:.6g}", name, value));
  if (point.size() > most_of_a_conflict) point.resize(most_of_a_conflict), point.push_back("...");
  if (labels.size() == 1)
    return fmt::format("no values were found that satisfy {}: at the nearest point, {}, it is missed by {:.4g}",
                       labels.front(), fmt::join(point, ", "), conflict->residuals.front());
  if (missed.size() > most_of_a_conflict) missed.resize(most_of_a_conflict), missed.push_back("...");
  return fmt::format(
      "no values were found that satisfy {} together, but without any one of them the others can hold: at the nearest "
      "point, {}, they are missed by {}",
      list_names(labels), fmt::join(point, ", "), fmt::join(missed, ", "));
}

}  // namespace driftless
