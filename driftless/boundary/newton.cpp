#include "driftless/boundary/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless::boundary {
namespace {

constexpr int most_iterations = 60;
constexpr double smallest_damping = 1e-5;
constexpr double rounding = 1e-13;  // of a correction: the attainable limit
constexpr double weakly_determined = 1e-7;
constexpr double stalled = 100.0;  // times the accuracy: corrections below it that no longer shrink are rounding errors

// The root mean square and the maximum, in units of the sizes.
struct Norms {
  double mean = 0.0, largest = 0.0;
};

template <class Use>
void for_each(const Values& values, Use use) {
  for (const Eigen::VectorXd& u : values.ends) use(u);
  for (const Eigen::VectorXd& u : values.stages) use(u);
}

Norms norms_of(const Values& change, const Eigen::VectorXd& sizes) {
  Norms norms;
  double sum = 0.0, count = 0.0;
  for_each(change, [&](const Eigen::VectorXd& u) {
    const Eigen::VectorXd scaled = u.cwiseQuotient(sizes);
    sum += scaled.squaredNorm();
    count += static_cast<double>(u.size());
    norms.largest = std::max(norms.largest, scaled.cwiseAbs().maxCoeff());
  });
  norms.mean = std::sqrt(sum / count);
  if (!std::isfinite(norms.mean)) norms.mean = norms.largest = HUGE_VAL;
  return norms;
}

// a + factor * b
Values sum(const Values& a, double factor, const Values& b) {
  Values result = a;
  for (std::size_t k = 0; k < a.ends.size(); ++k) result.ends[k] += factor * b.ends[k];
  for (std::size_t k = 0; k < a.stages.size(); ++k) result.stages[k] += factor * b.stages[k];
  return result;
}

std::string why(Collocation::Linearized failure, double t) {
  switch (failure) {
    case Collocation::Linearized::Undefined: return fmt::format("an equation has no value at t = {:.6g}", t);
    case Collocation::Linearized::NoStates:
      return fmt::format("the equations are singular at t = {:.6g}: they do not determine what the states leave open",
                         t);
    case Collocation::Linearized::Singular:
      return "the linearized problem is singular: the conditions at both ends do not determine one solution near here";
    case Collocation::Linearized::Regular: break;
  }
  return {};
}

class Iteration {
 public:
  Iteration(Collocation& collocation, Approximation& at, double accuracy)
      : collocation_(collocation), at_(at), accuracy_(std::max(accuracy, rounding)) {}

  NewtonReport run() {
    if (!collocation_.residuals(at_, residuals_))
      return failure(fmt::format("an equation has no value at t = {:.6g}", collocation_.failed_at()));
    for (; report_.iterations < most_iterations; ++report_.iterations) {
      sizes_ = sizes_of(collocation_.equations(), at_.values);
      const auto linearized = collocation_.linearize(at_, sizes_);
      if (linearized != Collocation::Linearized::Regular) return failure(why(linearized, collocation_.failed_at()));
      Values correction = collocation_.correction(residuals_);
      const Norms size = norms_of(correction, sizes_);
      if (!std::isfinite(size.mean)) return failure("a correction of Newton's iteration has no value");
      if (report_.iterations > 0) predict(correction, size);
      if (!go(std::move(correction), size)) return failure("Newton's iteration made no further progress");
      if (report_.converged) {
        ++report_.iterations;
        return report_;
      }
    }
    return failure(fmt::format("Newton's iteration did not converge in {} iterations", most_iterations));
  }

 private:
  NewtonReport failure(std::string reason) {
    report_.reason = std::move(reason);
    if (collocation_.residuals(at_, residuals_)) report_.details.push_back(collocation_.worst(at_, residuals_));
    if (const double conditioning = collocation_.conditioning(); conditioning < weakly_determined)
      report_.details.push_back(fmt::format(
          "the conditions at both ends determine the solution only weakly, if at all: the linearized problem "
          "has the reciprocal condition number {:.0e}",
          conditioning));
    return report_;
  }

  void predict(const Values& correction, const Norms& size) {
    const double change = norms_of(sum(simplified_, -1.0, correction), sizes_).mean;
    const double factor = change > 0.0 ? last_.mean * simplified_size_.mean / (change * size.mean) : HUGE_VAL;
    damping_ = std::clamp(factor * damping_, 10 * smallest_damping, 1.0);
  }

  // One damped correction; false if none is small enough to be an improvement.
  bool go(Values correction, const Norms& size) {
    const Values before = at_.values;
    while (damping_ >= smallest_damping) {
      at_.values = sum(before, damping_, correction);
      if (!collocation_.residuals(at_, residuals_)) {
        damping_ *= 0.5;
        continue;
      }
      simplified_ = collocation_.correction(residuals_);
      simplified_size_ = norms_of(simplified_, sizes_);
      const bool is_full = damping_ == 1.0;
      const bool is_rounding =
          simplified_size_.largest <= stalled * accuracy_ && simplified_size_.mean > 0.25 * size.mean;
      if (is_full && (simplified_size_.largest <= accuracy_ || is_rounding)) {
        if (!is_rounding) at_.values = sum(at_.values, 1.0, simplified_);
        report_.converged = true;
        return true;
      }
      if (simplified_size_.mean <= (1.0 - 0.25 * damping_) * size.mean) {
        last_ = size;
        return true;
      }
      const double miss = norms_of(sum(simplified_, damping_ - 1.0, correction), sizes_).mean;
      damping_ = std::min(0.5 * damping_, 0.5 * size.mean * damping_ * damping_ / miss);
    }
    at_.values = before;
    return false;
  }

  Collocation& collocation_;
  Approximation& at_;
  double accuracy_, damping_ = 1.0;
  Eigen::VectorXd sizes_;
  Residuals residuals_;
  Values simplified_;
  Norms last_, simplified_size_;
  NewtonReport report_;
};

}  // namespace

Eigen::VectorXd sizes_of(const PointEquations& equations, const Values& values) {
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(equations.unknowns());
  for (const Eigen::VectorXd& u : values.ends) sizes = sizes.cwiseMax(u.cwiseAbs());
  for (Eigen::Index j = 0; j < sizes.size(); ++j) sizes[j] += equations.nominal(j);
  return sizes;
}

NewtonReport iterate(Collocation& collocation, Approximation& at, double accuracy) {
  return Iteration(collocation, at, accuracy).run();
}

}  // namespace driftless::boundary
