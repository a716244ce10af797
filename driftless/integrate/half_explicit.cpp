#include "driftless/integrate/half_explicit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/completion.hpp"
#include "driftless/integrate/grid.hpp"
#include "driftless/integrate/incidence.hpp"
#include "driftless/integrate/newton.hpp"
#include "driftless/integrate/one_step.hpp"
#include "driftless/integrate/step_polynomial.hpp"
#include "driftless/integrate/tableau.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {
namespace {

// Which numbers the matrix of a stage is made of. Unknown s is slot s: of X_{i+1} if it is a state, of Z_i otherwise.
struct StageShape {
  enum class From { One, Present, PresentRate, Next };
  struct Part {
    int entry;  // of the system's Jacobian; One: not used
    From from;
    double sign;
  };
  std::vector<bool> next;  // rows without z: constraints, asked at the next stage
  std::vector<Part> parts;
  std::vector<linear::Coordinate> coordinates;

  explicit StageShape(const Problem& problem) : next(problem.system().rows(), true) {
    const System& system = problem.system();
    const auto& entries = system.jacobian_entries();
    const auto is_z = [&](const System::Entry& e) { return e.rate || !problem.is_state(e.slot); };
    for (const System::Entry& e : entries)
      if (e.row < system.rows() && is_z(e)) next[e.row] = false;
    std::vector<int> equation_of(system.candidates(), -1);
    for (std::size_t k = 0; k < problem.active().size(); ++k) {
      equation_of[problem.active()[k]] = system.rows() + static_cast<int>(k);
      add({-1, From::One, 1.0}, equation_of[problem.active()[k]],
          problem.reduced().kinematics[problem.active()[k]].slot);
    }
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const System::Entry& e = entries[k];
      const bool kinematic = e.row >= system.rows();
      const int row = kinematic ? equation_of[e.row - system.rows()] : e.row;
      if (!kinematic && next[e.row])
        add({static_cast<int>(k), From::Next, 1.0}, row, e.slot);
      else if (row >= 0 && is_z(e))
        add({static_cast<int>(k), e.rate ? From::PresentRate : From::Present, kinematic ? -1.0 : 1.0}, row, e.slot);
    }
  }

 private:
  void add(const Part& part, int row, int slot) {
    parts.push_back(part);
    coordinates.push_back({row, slot});
  }
};

class HalfExplicit final : public OneStep, private Equations {
 public:
  HalfExplicit(const method::HalfExplicit& method, Problem& problem, const State& start, const StepSettings& settings)
      : OneStep(start),
        tableau_(half_explicit_tableau(method.tableau)),
        problem_(problem),
        shape_(problem),
        assembly_(linear::assemble(problem.size(), shape_.coordinates)),
        grid_(start.t, settings.stop, *settings.step),
        complete_(problem),
        newton_(*this),
        present_(start.y),
        next_(start.y),
        known_(start.y),
        stage_yp_(start.yp),
        y_new_(start.y),
        yp_new_(start.yp),
        rows_(problem.system().rows() + problem.system().candidates()),
        jacobian_(problem.system().jacobian_entries().size()),
        next_jacobian_(jacobian_.size()),
        row_scale_(problem.size(), 1.0),
        column_scale_(problem.size(), 1.0),
        slope_(tableau_.stages, std::vector<double>(start.y.size())) {
    for (int s = 0; s < problem.size(); ++s) {
      weights_.push_back(problem.reduced().slots[s].nominal);
      if (problem.is_state(s)) states_.push_back(s);
    }
  }

  StepReport step() override {
    if (steps_ == 0 && !complete_(time_, y_, yp_)) return failure({NewtonReport::End::Singular});
    const double end = grid_.time(steps_ + 1);
    y_new_ = y_;
    for (int i = 0; i < tableau_.stages; ++i)
      if (const NewtonReport report = stage(i, end); !report.converged()) return failure(report);
    yp_new_ = slope_.back();
    if (!complete_(end, y_new_, yp_new_)) return failure({NewtonReport::End::Singular});
    accept(end);
    return {};
  }

  int last_order() const override { return tableau_.order; }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    polynomial_.evaluate(t, y, yp);
    complete_(t, y, yp);
  }
  void store(Segment& segment) override { polynomial_.store(segment); }

  void continue_with_new_states() override {}  // only forms without a choice of states are admitted
  void restart(std::span<const double> y, std::span<const double> yp) override { replace(y, yp); }

  void add_to(Statistics& statistics) const override {
    statistics.steps += steps_;
    newton_.add_to(statistics);
  }

 private:
  // a_{i+1,j}, where the row after the last is b.
  double next_weight(int i, int j) const { return i + 1 < tableau_.stages ? tableau_.at(i + 1, j) : tableau_.b[j]; }
  double next_node(int i) const { return i + 1 < tableau_.stages ? tableau_.c[i + 1] : 1.0; }

  // y_new_ holds X_i on entry, with a guess of Z_i; X_{i+1} and Z_i on return.
  NewtonReport stage(int i, double end) {
    const double h = end - time_;
    t_present_ = time_ + tableau_.c[i] * h;
    t_next_ = i + 1 < tableau_.stages ? time_ + next_node(i) * h : end;
    factor_ = h * next_weight(i, i);
    present_ = y_new_;
    for (const int s : states_) {
      double sum = 0.0;
      for (int j = 0; j < i; ++j) sum += next_weight(i, j) * slope_[j][s];
      known_[s] = y_[s] + h * sum;
      y_new_[s] = known_[s] + factor_ * (i == 0 ? yp_ : slope_[i - 1])[s];
    }
    scale();
    const NewtonReport report = newton_.solve_exactly(y_new_, weights_);
    for (const int s : states_) slope_[i][s] = (y_new_[s] - known_[s]) / factor_;
    return report;
  }

  // X_{i+1} - known = h a f(X_i, Z_i) in units of h a Z_i: nothing depends on the step size.
  void scale() {
    for (int i = 0; i < problem_.size(); ++i)
      row_scale_[i] = i < problem_.system().rows() && shape_.next[i] ? 1.0 : factor_;
    for (int s = 0; s < problem_.size(); ++s) column_scale_[s] = problem_.is_state(s) ? 1.0 : 1.0 / factor_;
    newton_.scale(row_scale_, column_scale_);
  }

  // ---- the equations of a stage

  const linear::Pattern& pattern() const override { return assembly_.pattern; }

  void load(std::span<const double> x) {
    for (int s = 0; s < problem_.size(); ++s) {
      if (problem_.is_state(s)) {
        next_[s] = x[s];
        stage_yp_[s] = (x[s] - known_[s]) / factor_;
      } else {
        present_[s] = next_[s] = x[s];
      }
    }
  }

  bool residual(std::span<const double> x, std::span<double> out) override {
    load(x);
    if (!problem_.residual(t_present_, present_, stage_yp_, out)) return false;
    problem_.system().rows_and_rates({t_next_, next_, stage_yp_}, rows_);
    for (std::size_t i = 0; i < shape_.next.size(); ++i)
      if (shape_.next[i]) out[i] = rows_[i];
    return std::ranges::all_of(out, [](double v) { return std::isfinite(v); });
  }

  bool matrix(std::span<const double> x, std::span<double> values) override {
    load(x);
    problem_.system().jacobian({t_present_, present_, stage_yp_}, jacobian_);
    problem_.system().jacobian({t_next_, next_, stage_yp_}, next_jacobian_);
    std::ranges::fill(values, 0.0);
    for (std::size_t k = 0; k < shape_.parts.size(); ++k) {
      const StageShape::Part& part = shape_.parts[k];
      double value = 1.0 / factor_;
      if (part.from == StageShape::From::Next) value = next_jacobian_[part.entry];
      if (part.from == StageShape::From::Present) value = part.sign * jacobian_[part.entry];
      if (part.from == StageShape::From::PresentRate) value = part.sign * jacobian_[part.entry] / factor_;
      values[assembly_.position[k]] += value;
    }
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  }

  void accept(double end) {
    polynomial_.set({time_, y_, yp_}, {end, y_new_, yp_new_}, states_, {});
    ++steps_;
    last_step_ = end - time_;
    time_ = end;
    std::swap(y_, y_new_);
    std::swap(yp_, yp_new_);
  }

  static StepReport failure(const NewtonReport& report) {
    return explain(report, "the constraints do not determine the multipliers of a stage");
  }

  const Tableau tableau_;
  Problem& problem_;
  const StageShape shape_;
  const linear::Assembly assembly_;
  Grid grid_;
  Completion complete_;
  Newton newton_;
  double t_present_ = 0.0, t_next_ = 0.0, factor_ = 0.0;
  std::vector<double> present_, next_, known_, stage_yp_, y_new_, yp_new_, rows_, jacobian_, next_jacobian_, row_scale_,
      column_scale_, weights_;
  std::vector<std::vector<double>> slope_;  // f(X_i, Z_i)
  std::vector<int> states_;
  StepPolynomial polynomial_;
  long steps_ = 0;
};

}  // namespace

std::optional<std::string> not_applicable(const method::HalfExplicit& method, const Problem& problem) {
  const auto because = [&](const std::string& reason) {
    return fmt::format("{} does not apply: {}", to_string(method), reason);
  };
  const Reduced& reduced = problem.reduced();
  if (reduced.implicit || !reduced.choices.empty() || reduced.chart != Chart::Slots)
    return because("it needs a formulation without a choice of states, as index2");
  const StageShape shape(problem);
  const structure::Signature incidence = incidence_of(problem.size(), problem.size(), shape.coordinates);
  for (const structure::Row row :
       structure::dulmage_mendelsohn(incidence, structure::maximum_matching(incidence)).over_rows)
    if (const int i = index(row); i < problem.system().rows() && shape.next[i])
      return because(fmt::format("{} cannot be met by the unknowns of a stage; index2 makes it an equation of index 2",
                                 problem.name_of_equation(i)));
  return {};
}

std::unique_ptr<Stepper> make_half_explicit(const method::HalfExplicit& method, Problem& problem, const State& start,
                                            const StepSettings& settings) {
  assert(settings.step);
  return std::make_unique<HalfExplicit>(method, problem, start, settings);
}

}  // namespace driftless
