#include "driftless/formulate/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "driftless/formulate/assignment.hpp"

namespace driftless {
namespace {

constexpr double same = 1e-8;  // relative: two numbers closer than this count as equal

bool agree(double a, double b) { return std::abs(a - b) <= same * std::max(std::abs(a), std::abs(b)); }

// The constant ratio of two entries, if there is one at all points where they do not vanish.
std::optional<double> ratio(const Samples& a, const Samples& b) {
  if (a.size() != b.size()) return {};
  std::optional<double> constant;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0.0 && b[k] == 0.0) continue;
    const double now = a[k] / b[k];
    if (!std::isfinite(now) || now == 0.0 || (constant && !agree(*constant, now))) return {};
    constant = now;
  }
  return constant;
}

class PairingUp {
 public:
  PairingUp(const SampledMatrix& mass, const SampledMatrix& pulls, const SampledMatrix& gradients)
      : mass_(mass), pulls_(pulls), gradients_(gradients), n_(mass.size()) {}

  std::variant<Pairing, Unpaired> operator()() {
    pair_equations();
    pair_multipliers();
    for (std::size_t k = 0; k < gradients_.size(); ++k)
      if (result_.multiplier_of[k] < 0) return Unpaired{.constraint = static_cast<int>(k)};
    find_factors();
    if (const auto failure = first_failure()) return *failure;
    return result_;
  }

 private:
  const Samples& mass(std::size_t i, std::size_t j) const { return mass_[result_.equation_of[i]][j]; }
  const Samples& pull(std::size_t i, std::size_t k) const {
    return pulls_[result_.equation_of[i]][result_.multiplier_of[k]];
  }

  // A symmetric positive definite matrix is permuted to its diagonal by the assignment with the largest product,
  // independent of the order and the factors of its rows.
  void pair_equations() {
    result_.equation_of.assign(n_, -1);
    std::vector<std::size_t> equations;  // not decided by a single entry
    for (std::size_t e = 0; e < n_; ++e) {
      const int j = only_entry(mass_[e]);
      if (j >= 0 && result_.equation_of[j] < 0)
        result_.equation_of[j] = static_cast<int>(e);
      else
        equations.push_back(e);
    }
    std::vector<std::size_t> coordinates;
    for (std::size_t i = 0; i < n_; ++i)
      if (result_.equation_of[i] < 0) coordinates.push_back(i);
    std::vector cost(coordinates.size(), std::vector<double>(equations.size()));
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      for (std::size_t j = 0; j < equations.size(); ++j) {
        const Samples& entry = mass_[equations[j]][coordinates[i]];
        cost[i][j] = vanishes(entry) ? without_mass(equations[j], coordinates[i]) : -std::log(std::abs(entry.back()));
      }
    const std::vector<int> chosen = cheapest_assignment(cost);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      result_.equation_of[coordinates[i]] = static_cast<int>(equations[chosen[i]]);
  }

  // -1 if there are several, or none.
  static int only_entry(const std::vector<Samples>& row) {
    int found = -1;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (vanishes(row[j])) continue;
      if (found >= 0) return -1;
      found = static_cast<int>(j);
    }
    return found;
  }

  // A coordinate without mass: its equation is one in which the same constraints exert forces.
  double without_mass(std::size_t equation, std::size_t coordinate) const {
    constexpr double much = 1e4;
    double cost = much;
    for (const auto& gradient : gradients_) {
      const Samples& entry = gradient[coordinate];
      if (!vanishes(entry) &&
          std::ranges::none_of(pulls_[equation], [&](const Samples& p) { return ratio(p, entry).has_value(); }))
        cost += much;
    }
    return cost;
  }

  // The force of a multiplier is parallel to the gradient of its constraint, up to a constant ratio for each entry.
  // Pairs with the same ratio for all entries come first.
  void pair_multipliers() {
    result_.multiplier_of.assign(gradients_.size(), -1);
    std::vector<bool> taken(gradients_.size(), false);
    for (const bool equal : {true, false})
      for (std::size_t k = 0; k < gradients_.size(); ++k)
        for (std::size_t l = 0; l < taken.size() && result_.multiplier_of[k] < 0; ++l) {
          if (taken[l] || !parallel(l, gradients_[k], equal)) continue;
          result_.multiplier_of[k] = static_cast<int>(l);
          taken[l] = true;
        }
  }

  bool parallel(std::size_t multiplier, const std::vector<Samples>& gradient, bool equal) const {
    std::optional<double> first;
    for (std::size_t i = 0; i < n_; ++i) {
      const Samples& force = pulls_[result_.equation_of[i]][multiplier];
      if (vanishes(force) && vanishes(gradient[i])) continue;
      const auto r = ratio(force, gradient[i]);
      if (!r || (equal && first && !agree(*first, *r))) return false;
      first = first.value_or(*r);
    }
    return first.has_value();
  }

  // a_i P_ik = G_ki s_k and a_i M_ij = a_j M_ji, from one coordinate of each connected part to the next. Ratios that do
  // not exist leave factors at zero, which the final check finds.
  void find_factors() {
    result_.factor.assign(n_, 0.0);
    result_.force_factor.assign(gradients_.size(), 0.0);
    for (std::size_t seed = 0; seed < n_; ++seed) {
      if (result_.factor[seed] != 0.0) continue;
      result_.factor[seed] = !vanishes(mass(seed, seed)) && mass(seed, seed).back() < 0.0 ? -1.0 : 1.0;
      for (std::deque<std::size_t> reached{seed}; !reached.empty(); reached.pop_front()) {
        reach_by_forces(reached.front(), reached);
        reach_by_masses(reached.front(), reached);
      }
    }
  }

  void reach_by_forces(std::size_t i, std::deque<std::size_t>& reached) {
    auto& [equations, multipliers, factor, force_factor] = result_;
    for (std::size_t k = 0; k < gradients_.size(); ++k) {
      if (vanishes(gradients_[k][i])) continue;
      if (force_factor[k] == 0.0) force_factor[k] = factor[i] * ratio(pull(i, k), gradients_[k][i]).value_or(0.0);
      for (std::size_t j = 0; j < n_; ++j) {
        if (factor[j] != 0.0 || vanishes(gradients_[k][j])) continue;
        factor[j] = force_factor[k] / *ratio(pull(j, k), gradients_[k][j]);
        reached.push_back(j);
      }
    }
  }

  void reach_by_masses(std::size_t i, std::deque<std::size_t>& reached) {
    for (std::size_t j = 0; j < n_; ++j) {
      if (result_.factor[j] != 0.0 || vanishes(mass(i, j))) continue;
      const auto r = ratio(mass(i, j), mass(j, i));
      if (!r) continue;
      result_.factor[j] = result_.factor[i] * *r;
      reached.push_back(j);
    }
  }

  std::optional<Unpaired> first_failure() const {
    const auto proportional = [](double a, const Samples& x, double b, const Samples& y) {
      if (x.empty() || y.empty()) return vanishes(x) && vanishes(y);
      for (std::size_t s = 0; s < x.size(); ++s)
        if (!agree(a * x[s], b * y[s])) return false;
      return true;
    };
    const auto& [equations, multipliers, factor, force_factor] = result_;
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < gradients_.size(); ++k)
        if (!proportional(factor[i], pull(i, k), force_factor[k], gradients_[k][i]))
          return Unpaired{.constraint = static_cast<int>(k)};
      for (std::size_t j = 0; j < i; ++j)
        if (!proportional(factor[i], mass(i, j), factor[j], mass(j, i))) return Unpaired{.equation = equations[i]};
    }
    return {};
  }

  const SampledMatrix &mass_, &pulls_, &gradients_;
  std::size_t n_;
  Pairing result_;
};

}  // namespace

bool vanishes(const Samples& entry) {
  return std::ranges::all_of(entry, [](double v) { return v == 0.0; });
}

std::variant<Pairing, Unpaired> pair_up(const SampledMatrix& mass, const SampledMatrix& pulls,
                                        const SampledMatrix& gradients) {
  return PairingUp(mass, pulls, gradients)();
}

}  // namespace driftless
