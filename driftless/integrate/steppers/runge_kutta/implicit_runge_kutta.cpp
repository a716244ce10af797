#include "driftless/integrate/steppers/runge_kutta/implicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/acceleration_solve.hpp"
#include "driftless/integrate/solve/imposed_constraints.hpp"
#include "driftless/integrate/steppers/one_step_on_grid.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_equations.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"
#include "driftless/integrate/system/known_states.hpp"

namespace driftless {
namespace {

enum class EndPoint { AsTheMethodHasIt, Projected };

class ImplicitRungeKutta final : public OneStepOnGrid {
 public:
  ImplicitRungeKutta(const Tableau& tableau, EndPoint end_point, Problem& problem, const State& start,
                     const StepSettings& settings)
      : OneStepOnGrid(start, settings),
        tableau_(tableau),
        end_point_(end_point),
        problem_(problem),
        known_states_(problem),
        equations_(problem, tableau),
        newton_(equations_),
        on_rows_(problem),
        imposed_(problem),
        highest_(problem.system()),
        polynomial_(tableau.c, problem.size()),
        new_y_(y_.size()),
        new_yp_(y_.size()),
        z_(equations_.stages().size()),
        weights_(equations_.stages().size()),
        row_scale_(equations_.stages().size()),
        column_scale_(equations_.stages().size()),
        inner_(polynomial_.inner_nodes().size() * y_.size()) {
    known_states_.update();
    decide_recovery();
  }

  StepReport step() override {
    const double h = next_size();
    equations_.begin(time(), h, y_, yp_);
    guess(h);
    set_weights();
    scale(h);
    const newton::Report solved = newton_.solve_exactly(z_, weights_);
    if (!solved.converged()) return explain(solved);
    if (!end_of_step(h)) return {Outcome::StepTooSmall, "the end point of a step cannot be completed"};
    for (std::size_t k = 0; k < polynomial_.inner_nodes().size(); ++k)
      equations_.stages().value(z_, stage_of_node(k), std::span(inner_).subspan(k * y_.size(), y_.size()));
    polynomial_.set(time(), h, y_, inner_, new_y_);
    std::swap(y_, new_y_);
    std::swap(yp_, new_yp_);
    arrive(h);
    return {};
  }

  int last_order() const override { return tableau_.order; }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    polynomial_.value(t, y);
    polynomial_.slope(t, yp);
  }
  void store(Segment& segment) override { polynomial_.store(segment); }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    polynomial_.replace_end(y);
    return OneStep::replace(y, yp);
  }

  void continue_with_new_states() override {
    take_states();
    scaled_for_ = 0.0;
    on_rows_.states_changed();
    problem_.system().set_rates(time(), y_, yp_);  // of slots that have become states
    decide_recovery();
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    OneStep::replace(y, yp);
    polynomial_.clear();
    continue_with_new_states();
  }

  ConditionNumbers condition() const override { return newton_.matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    statistics.steps += n_;
    newton_.add_to(statistics);
  }

  void archive(Archive& archive) override {
    archive.section("implicit Runge-Kutta");
    archive(problem_);
    archive.expect(tableau_.stages, "number of stages");
    archive_point(archive);
    known_states_.archive(archive, [this] { take_states(); });
    archive(newton_, on_rows_, imposed_, highest_, polynomial_, grid_, rows_determine_, n_, scaled_for_);
  }

 private:
  void take_states() {
    known_states_.update();
    equations_.states_changed();
    newton_.pattern_changed();
  }

  // Do the rows determine all components without a derivative when the others are held?
  void decide_recovery() {
    new_y_ = y_, new_yp_ = yp_;
    rows_determine_ = on_rows_(time(), new_y_, new_yp_);
  }

  // The unknown stage at inner node k of the polynomial: nodes at the ends are left out there.
  int stage_of_node(std::size_t k) const {
    int i = 0;
    while (equations_.stages().node(i) != polynomial_.inner_nodes()[k]) ++i;
    return i;
  }

  // The polynomial of the last step; at first the tangent.
  void guess(double h) {
    const std::size_t n = y_.size();
    for (int i = 0; i < equations_.stages().count(); ++i) {
      const std::span<double> z = std::span(z_).subspan(i * n, n);
      const double ahead = equations_.stages().node(i) * h;
      if (polynomial_.empty()) {
        for (std::size_t k = 0; k < n; ++k) z[k] = problem_.is_state(static_cast<int>(k)) ? ahead * yp_[k] : 0.0;
      } else {
        polynomial_.value(time() + ahead, z);
        for (std::size_t k = 0; k < n; ++k) z[k] -= y_[k];
      }
    }
  }

  // Every step begins with a new matrix.
  void scale(double h) {
    if (h == scaled_for_) return newton_.refresh();
    equations_.scales(h, row_scale_, column_scale_);
    newton_.scale(row_scale_, column_scale_);
    scaled_for_ = h;
  }

  void set_weights() {
    const std::vector<Slot>& slots = problem_.reduced().slots;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const std::size_t k = i % y_.size();
      weights_[i] = std::abs(y_[k]) + slots[k].nominal;
    }
  }

  bool end_of_step(double h) {
    const int last = equations_.stages().count() - 1;
    if (tableau_.stiffly_accurate()) {
      equations_.stages().value(z_, last, new_y_);
      equations_.stages().slope(z_, last, new_yp_);
      return true;
    }
    sum_of_slopes(h);
    const double t = time() + h;
    if (end_point_ == EndPoint::Projected) return project(t);
    if (!rows_determine_) return true;
    if (!on_rows_(t, new_y_, new_yp_)) return false;
    problem_.system().set_rates(t, new_y_, new_yp_);
    return true;
  }

  bool project(double t) {
    return imposed_.project(t, new_y_, new_yp_) && (!highest_.determined() || highest_.solve(t, new_y_, new_yp_));
  }

  // y + h sum_i b_i K_i, in the form z + sum_i (b^T A^-1)_i Z_i where no derivative occurs. The slope at the end is
  // that of the stages, extrapolated.
  void sum_of_slopes(double h) {
    const std::size_t n = y_.size();
    new_y_ = y_;
    std::ranges::fill(new_yp_, 0.0);
    for (int i = 0; i < equations_.stages().count(); ++i) {
      equations_.stages().slope(z_, i, slope_);
      for (std::size_t k = 0; k < n; ++k) {
        new_y_[k] += problem_.is_state(static_cast<int>(k)) ? h * tableau_.b[i] * slope_[k]
                                                            : weights_of_values_[i] * z_[i * n + k];
        new_yp_[k] += extrapolation_[i] * slope_[k];
      }
    }
  }

  // b^T A^-1, and the weights that extrapolate the slopes of the stages to the end of the step.
  static std::vector<double> values_to_end(const Tableau& tableau) {
    if (tableau.stiffly_accurate()) return {};
    const std::vector<double> inverse = inverse_matrix(tableau);
    std::vector<double> weights(tableau.stages, 0.0);
    for (int i = 0; i < tableau.stages; ++i)
      for (int j = 0; j < tableau.stages; ++j) weights[j] += tableau.b[i] * inverse[i * tableau.stages + j];
    return weights;
  }
  static std::vector<double> slopes_to_end(const Tableau& tableau) {
    std::vector<double> weights(tableau.stages, 1.0);
    for (int i = 0; i < tableau.stages; ++i)
      for (int j = 0; j < tableau.stages; ++j)
        if (i != j) weights[i] *= (1.0 - tableau.c[j]) / (tableau.c[i] - tableau.c[j]);
    return weights;
  }

  Tableau tableau_;
  EndPoint end_point_;
  Problem& problem_;
  KnownStates known_states_;
  StageEquations equations_;
  Newton newton_;
  AlgebraicSolve on_rows_;
  ImposedConstraints imposed_;
  AccelerationSolve highest_;
  StagePolynomial polynomial_;
  std::vector<double> weights_of_values_ = values_to_end(tableau_), extrapolation_ = slopes_to_end(tableau_);
  std::vector<double> new_y_, new_yp_;
  std::vector<double> z_, weights_, row_scale_, column_scale_, inner_;
  std::vector<double> slope_ = std::vector<double>(y_.size());
  bool rows_determine_ = false;
  double scaled_for_ = 0.0;
};

}  // namespace

std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Radau& method, Problem& problem, const State& start,
                                                   const StepSettings& settings) {
  return std::make_unique<ImplicitRungeKutta>(radau_iia(method.stages), EndPoint::AsTheMethodHasIt, problem, start,
                                              settings);
}

std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Gauss& method, Problem& problem, const State& start,
                                                   const StepSettings& settings) {
  return std::make_unique<ImplicitRungeKutta>(gauss(method.stages),
                                              method.projected ? EndPoint::Projected : EndPoint::AsTheMethodHasIt,
                                              problem, start, settings);
}

std::unique_ptr<Stepper> make_implicit_runge_kutta(const method::Lobatto& method, Problem& problem, const State& start,
                                                   const StepSettings& settings) {
  const Tableau tableau =
      method.kind == method::LobattoKind::A ? lobatto_iiia(method.stages) : lobatto_iiic(method.stages);
  return std::make_unique<ImplicitRungeKutta>(tableau, EndPoint::AsTheMethodHasIt, problem, start, settings);
}

std::optional<std::string> not_applicable(const method::Gauss& method, const Problem& problem) {
  if (!method.projected) return {};
  const auto reason = not_projectable(problem);
  if (!reason) return {};
  return fmt::format("{} does not apply: {}", to_string(Method(method)), *reason);
}

}  // namespace driftless
