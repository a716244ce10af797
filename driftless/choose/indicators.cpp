#include "driftless/choose/indicators.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <unsupported/Eigen/MatrixFunctions>

#include "driftless/choose/linearization.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/shape.hpp"
#include "driftless/integrate/states/stability_matrices.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/eigenvalues.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless::choose {
namespace {

using Eigen::MatrixXd;

constexpr int points = 9;               // of the trial run at which the matrices are formed
constexpr int largest_for_growth = 40;  // differential slots
constexpr int largest_for_modes = 150;  // the same for the eigenvalues at the start
constexpr double turn_per_step = 0.05;  // of the constraints, in the propagation of perturbations
constexpr int most_steps = 2000;

struct Extremes {
  double largest = 0.0, smallest = 0.0;
};

Extremes extreme_singular_values(const MatrixXd& a) {
  if (a.size() == 0) return {};
  const Eigen::VectorXd values = linear::singular_values(a);
  return {values(0), values(values.size() - 1)};
}

double reciprocal(double x) { return x > 0.0 ? 1.0 / x : std::numeric_limits<double>::infinity(); }

// |A^k|^(1/k) for k = 2^8, by squaring.
double spectral_radius(MatrixXd a) {
  double logarithm = 0.0, weight = 1.0;
  for (int k = 0; k < 8; ++k) {
    const double size = a.norm();
    if (!(size > 0.0)) return 0.0;
    logarithm += weight * std::log(size);
    a /= size;
    a = MatrixXd(a * a);
    weight /= 2.0;
  }
  const double size = a.norm();
  return size > 0.0 ? std::exp(logarithm + weight * std::log(size)) : 0.0;
}

// Orthonormal columns that span the vectors a^T x = 0.
MatrixXd complement(const MatrixXd& a) {
  const Eigen::Index n = a.rows(), k = a.cols();
  return linear::Qr(a).q().rightCols(n - k);
}

// The largest norm of any transition between two nodes of a subdivision of the trial run, of perturbations that lie in
// the tangent space of the constraints.
class Growth {
 public:
  Growth(Linearization& linearization, const Trial& trial, double turning_rate)
      : linearization_(linearization), trial_(trial), length_(trial.end() - trial.begin()) {
    const double wanted = std::ceil(length_ * turning_rate / turn_per_step);
    steps_ = nodes * static_cast<int>(std::clamp(wanted / nodes, 5.0, static_cast<double>(most_steps) / nodes));
  }

  std::optional<double> operator()() {
    if (!evaluate(trial_.begin())) return {};
    MatrixXd tangent = complement(linearization_.levels().transpose());
    std::vector<MatrixXd> transitions;  // from every earlier node to the present time
    double largest = 1.0;
    for (int k = 0; k < steps_; ++k) {
      if (k % (steps_ / nodes) == 0) transitions.push_back(MatrixXd::Identity(tangent.cols(), tangent.cols()));
      if (!evaluate(trial_.begin() + length_ * (k + 0.5) / steps_)) return {};
      const MatrixXd flow = (length_ / steps_ * linearization_.jacobian()).exp();
      if (!evaluate(trial_.begin() + length_ * (k + 1) / steps_)) return {};
      MatrixXd next = complement(linearization_.levels().transpose());
      const MatrixXd step = next.transpose() * flow * tangent;
      for (MatrixXd& transition : transitions) {
        transition = MatrixXd(step * transition);
        largest = std::max(largest, linear::norm2(transition));
      }
      tangent = std::move(next);
    }
    return largest;
  }

 private:
  static constexpr int nodes = 20;

  bool evaluate(double t) {
    const Trial::Point point = trial_.at(t);
    return linearization_.evaluate({t, point.y, point.yp});
  }

  Linearization& linearization_;
  const Trial& trial_;
  double length_;
  int steps_ = 0;
};

// Whether every equation is linear in variables and derivatives, with coefficients free of time.
bool linear_with_constant_coefficients(const Model& model) {
  Pool& pool = *model.pool;
  return std::ranges::all_of(model.equations, [&](const Equation& equation) {
    return std::ranges::all_of(gradient(pool, equation.residual), [&](const Partial& partial) {
      return !any_node(pool, partial.derivative, [&](NodeId node) {
        return pool[node].op == Op::Variable || pool[node].op == Op::Time || pool[node].op == Op::Call;
      });
    });
  });
}

bool is_smooth(const Model& model) {
  const Pool& pool = *model.pool;
  return std::ranges::none_of(model.equations, [&](const Equation& equation) {
    return any_node(pool, equation.residual, [&](NodeId node) { return pool[node].op >= Op::Abs; });
  });
}

Kind kind_by_variables(const Reduced& base) {
  bool holonomic = false, nonholonomic = false;
  for (const DerivedEquation& row : base.rows) {
    const int c = base.offsets.c[index(row.equation)];
    if (row.level != 0 || c == 0) continue;
    if (c > 2) return Kind::General;
    for (const NodeId leaf : variables_of(*base.model->pool, (*base.model)[row.equation].residual)) {
      const Node& node = (*base.model->pool)[leaf];
      const int d = base.offsets.d[node.a];
      nonholonomic = nonholonomic || (node.b == 1 && c == 1 && d == 2);
      holonomic = holonomic || (node.b == 0 && c == d);
    }
  }
  return holonomic ? Kind::Holonomic : nonholonomic ? Kind::Nonholonomic : Kind::General;
}

// The matrices by which the shape of mechanics is recognised are dense.
bool is_too_large_for_shape(const Reduced& base) { return base.slots.size() > 1000; }

// If the shape of mechanics is hidden, for instance by a multiplier that an equation gives explicitly, or is not
// searched, the variables in the constraints decide; whether the multipliers act on the constraints is checked later,
// in the matrices.
Kind kind_of_constraints(const Reduced& base) {
  if (is_too_large_for_shape(base)) return kind_by_variables(base);
  if (const auto mechanical = mechanical_shape(base))
    return std::ranges::any_of(mechanical->joints, &Mechanical::Joint::holonomic) ? Kind::Holonomic
                                                                                  : Kind::Nonholonomic;
  return kind_by_variables(base);
}

bool has_hamiltonian_form(const Reduced& base) {
  if (is_too_large_for_shape(base)) return false;
  const auto shape = mechanical_shape(base);
  return shape && shape->holonomic() && shape->constant_mass && shape->forces_of_positions && shape->autonomous;
}

// Counts the constraints that are not definitions.
void count_constraints(Indicators& indicators, const Reduced& reduced) {
  indicators.constraints = indicators.order = 0;
  for (const DerivedEquation& row : reduced.rows)
    if (const int c = reduced.offsets.c[index(row.equation)]; row.level == 0 && c > 0) {
      ++indicators.constraints;
      indicators.order = std::max(indicators.order, c);
    }
}

}  // namespace

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::ExplicitOde: return "ordinary differential equations";
    case Kind::Index1: return "index 1";
    case Kind::Implicit: return "implicit, index 1";
    case Kind::Holonomic: return "constraints in Hessenberg form";
    case Kind::Nonholonomic: return "constraints on velocities";
    case Kind::General: return "general";
  }
  return "";
}

Case Indicators::problem_case() const {
  if (!measured || constraints == 0) return Case::None;
  if (variable_stiffness > Thresholds::stiffness) return Case::StiffVariable;
  if (frozen_stiffness > Thresholds::stiffness) return Case::StiffFrozen;
  return constraint_speed > Thresholds::speed ? Case::FastConstraints : Case::Slow;
}

double largest_decay(double tolerance) {
  return Thresholds::decay * (std::max(1.0, std::pow(1e-6 / tolerance, 1.0 / 8.0)));
}

Indicators sizes_of(const Reduced& base, const structure::Structure& shape) {
  Indicators result;
  result.index = shape.structural_index;
  result.unknowns = static_cast<int>(base.slots.size());
  result.degrees_of_freedom = shape.degrees_of_freedom;
  result.invariants = static_cast<int>(base.model->invariants.size());
  result.smooth = is_smooth(*base.model);
  count_constraints(result, base);
  if (base.implicit)
    result.kind = Kind::Implicit;
  else if (result.index <= 1 && result.constraints == 0)
    result.kind = result.index == 0 ? Kind::ExplicitOde : Kind::Index1;
  return result;
}

Kind kind_of(const Reduced& levels) { return kind_of_constraints(levels); }

void add_forms(Indicators& indicators, const Reduced& levels) {
  indicators.unknowns = static_cast<int>(levels.slots.size());
  count_constraints(indicators, levels);
  if (indicators.kind == Kind::General)
    indicators.kind = indicators.constraints > 0 || indicators.index > 1 ? kind_of(levels)
                      : indicators.index == 0                            ? Kind::ExplicitOde
                                                                         : Kind::Index1;
  indicators.constant_linear = linear_with_constant_coefficients(*levels.model);
  indicators.hamiltonian = indicators.kind == Kind::Holonomic && has_hamiltonian_form(levels);
}

namespace {

class Measurement {
 public:
  Measurement(Indicators& result, System& system, const Trial& trial)
      : result_(result), linearization_(system), trial_(trial), h_(trial.accuracy_step()) {
    length_ = trial.end() - trial.begin();
    shift_ = 1e-3 * std::min(h_, length_ / points);
    if (result.constraints > 0 && !EssentialForm::not_applicable(system.reduced())) form_.emplace(system);
  }

  void operator()() {
    if (linearization_.size() == 0 || (result_.constraints > 0 && !form_)) return;
    result_.accuracy_step = h_;
    for (int i = 0; i < points; ++i)
      if (!look_at(trial_.begin() + shift_ + (length_ - 2.0 * shift_) * i / (points - 1))) return;
    result_.measured = true;
    if (linearization_.size() <= largest_for_growth)
      result_.K4 = Growth(linearization_, trial_, std::max(fastest_turn_, 1.0 / length_))();
  }

 private:
  static void grow(double& bound, double value) { bound = std::max(bound, value); }

  bool look_at(double t) {
    const Trial::Point point = trial_.at(t);
    if (!linearization_.evaluate({t, point.y, point.yp})) return false;
    grow(result_.frozen_stiffness, h_ * spectral_radius(linearization_.frozen()));
    if (!form_) return true;
    form_->forget();
    const std::optional<Essential> before = essential_at(t - shift_), after = essential_at(t + shift_);
    if (!before || !after) return false;
    if (!forces_act_on_constraints(*after)) {
      result_.kind = Kind::General;
      return false;
    }
    see(*before, *after);
    return true;
  }

  std::optional<Essential> essential_at(double t) {
    const Trial::Point point = trial_.at(t);
    return form_->at(t, point.y, point.yp);
  }

  // Through the multipliers alone, at the highest level: C F = I. Otherwise the form is not Hessenberg's.
  static bool forces_act_on_constraints(const Essential& e) {
    return (e.C * e.F - MatrixXd::Identity(e.C.rows(), e.C.rows())).norm() < 1e-6;
  }

  void see(const Essential& before, const Essential& e) {
    const auto rate = [&](const MatrixXd& from, const MatrixXd& to) { return (to - from) / (e.t - before.t); };
    const Extremes C = extreme_singular_values(e.C), F = extreme_singular_values(e.F),
                   inverse = extreme_singular_values(e.CB_inverse);
    const double turn = std::max(linear::norm2(e.C_dot) * reciprocal(C.smallest),
                                 linear::norm2(rate(before.F, e.F)) * reciprocal(F.smallest));
    grow(fastest_turn_, turn);
    grow(result_.constraint_speed, h_ * turn);
    grow(result_.variable_stiffness, h_ * std::min(linear::norm2(e.FC_dot()), linear::norm2(e.RS())));
    grow(result_.heterogeneity, F.largest * C.smallest);
    grow(result_.conditioning, inverse.largest * reciprocal(inverse.smallest));
    result_.rank_margin = std::min(result_.rank_margin, C.smallest / C.largest);
    grow(result_.K1, e.K1());
    grow(result_.K2, e.K2());
    for (const MatrixXd& bounded : {e.B, e.C, e.R, MatrixXd(rate(before.B, e.B)), e.C_dot, e.R_dot})
      grow(result_.K3, linear::norm2(bounded));
  }

  Indicators& result_;
  Linearization linearization_;
  std::optional<EssentialForm> form_;
  const Trial& trial_;
  double h_, length_ = 0.0, shift_ = 0.0, fastest_turn_ = 0.0;
};

}  // namespace

void glance(Indicators& indicators, System& system, const State& start, double interval) {
  Linearization linearization(system, Linearization::Points::One);
  if (linearization.size() > largest_for_modes || !linearization.evaluate({start.t, start.y, start.yp})) return;
  const auto modes = linear::eigenvalues(linearization.jacobian());
  if (!modes) return;
  double decay = 0.0, growth = 0.0, oscillation = 0.0;
  for (const std::complex<double>& mode : *modes) {
    decay = std::max(decay, -mode.real());
    growth = std::max(growth, mode.real());
    oscillation = std::max(oscillation, std::abs(mode.imag()));
  }
  indicators.decay = interval * std::max(decay - growth, 0.0);
  indicators.oscillation = interval * oscillation;
}

void measure(Indicators& indicators, System& system, const Trial& trial) {
  if (trial.moved()) Measurement(indicators, system, trial)();
}

}  // namespace driftless::choose
