#include "driftless/integrate/run/values_between.hpp"

#include "driftless/integrate/run/chord.hpp"

namespace driftless {

void ValuesBetween::keep_step() {
  step_ = {};
  if (run_.stepper->has_polynomial())
    run_.stepper->store(step_);
  else
    step_ = chord(run_.solution.reached, run_.from_y, run_.stepper->time(), run_.end_y);
}

void ValuesBetween::at(double t, const PathPoints* path, std::vector<double>& series) {
  if (!observer_) observer_ = dense_output();
  observer_->use(pivoting_.epochs());
  std::vector<double> y = run_.start.y, yp = run_.start.yp;
  if (path && t > run_.start.t) {
    path->begin_at(t, y, yp);
  } else if (t > run_.start.t) {
    if (t == step_.end)
      y = run_.end_y, yp = run_.end_yp;
    else if (t > step_.begin && t < step_.end)
      evaluate(step_, t, y, yp);
    else  // between a step that ends before a jump and the restart after it
      y = run_.from_y, yp = run_.from_yp;
  }
  series.resize(run_.solution.series());
  (*observer_)(t, y, yp, series);
}

std::shared_ptr<DenseOutput> ValuesBetween::dense_output() const {
  const IntegrateOptions& options = run_.options;
  auto dense =
      std::make_shared<DenseOutput>(run_.system, pivoting_.epochs(), options.tolerance, options.step.has_value());
  if (run_.projects()) dense->project(options.projection, run_.start);
  if (!run_.projects() && std::holds_alternative<method::HalfExplicit>(options.method)) dense->complete();
  return dense;
}

}  // namespace driftless
