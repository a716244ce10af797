#include "driftless/integrate/checks/rank_ahead.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/svd.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_constraints = 200;

}  // namespace

RankAhead::RankAhead(System& system) : system_(system), values_(system.choice_values()) {
  const Reduced& r = system.reduced();
  const auto is_of_positions = [&](int row) {
    const EqnId equation = r.rows[row].equation;
    return r.rows[row].level == 0 && index(equation) < std::ssize(r.offsets.c) && r.offsets.c[index(equation)] >= 2;
  };
  std::size_t offset = 0;
  for (std::size_t k = 0; k < r.choices.size(); ++k) {
    const Choice& choice = r.choices[k];
    if (choice.roles.empty() && choice.rows.size() <= most_constraints &&
        std::ranges::any_of(choice.rows, is_of_positions))
      choices_.push_back({&choice, &system.choice_entries()[k], offset});
    offset += system.choice_entries()[k].size();
  }
}

double RankAhead::smallest(const Constraints& constraints) const {
  const Reduced& r = system_.reduced();
  const Choice& choice = *constraints.choice;
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(std::ssize(choice.rows), std::ssize(choice.kinematics));
  for (std::size_t e = 0; e < constraints.entries->size(); ++e) {
    const auto& [row, candidate] = (*constraints.entries)[e];
    slopes(row, candidate) +=
        values_[constraints.offset + e] * r.slots[r.kinematics[choice.kinematics[candidate]].slot].nominal;
  }
  return slopes.allFinite() ? linear::singular_values(slopes)[slopes.rows() - 1] : HUGE_VAL;
}

std::optional<double> RankAhead::time_left(const System::Point& at, double probe) {
  std::vector<double> here;
  system_.choices(at, values_);
  for (const Constraints& constraints : choices_) here.push_back(smallest(constraints));
  y_.assign(at.y.begin(), at.y.end());
  for (const Kinematic& k : system_.reduced().kinematics) y_[k.slot] += probe * at.yp[k.slot];
  system_.choices({at.t + probe, y_, at.yp}, values_);
  std::optional<double> left;
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    const double fall = here[k] - smallest(choices_[k]);
    if (!(fall > 0.0) || !std::isfinite(here[k])) continue;
    const double time = probe * here[k] / fall;
    if (!left || time < *left) left = time;
  }
  return left;
}

}  // namespace driftless
