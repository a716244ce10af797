#include "driftless/integrate/system/system.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/integrate/system/check_slopes.hpp"
#include "driftless/integrate/system/guard.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/taylor/formulas.hpp"

namespace driftless {

System::System(std::shared_ptr<const CompiledSystem> compiled, std::shared_ptr<const Model> numbers,
               std::span<const double> parameters)
    : compiled_(std::move(compiled)),
      numbers_(std::move(numbers)),
      inputs_(compiled_->inputs()),
      all_invariants_(reduced().invariants.size()) {
  assert(parameters.empty() || parameters.size() == reduced().model->parameters.size());
  if (numbers_)
    for (std::size_t p = 0; p < numbers_->parameters.size(); ++p) inputs_[1 + p] = numbers_->parameters[p].value;
  std::ranges::copy(parameters, inputs_.begin() + 1);
}

System::System(std::shared_ptr<const Reduced> reduced, Backend backend)
    : System(std::make_shared<const CompiledSystem>(std::move(reduced), backend)) {}

System::~System() = default;

void System::set_parameters(std::span<const double> values) {
  assert(values.size() == parameters().size());
  if (std::ranges::equal(values, parameters())) return;
  std::ranges::copy(values, inputs_.begin() + 1);
  ++parameters_version_;
  if (guard_) guard_->set_parameters(values);
  check_slopes_.reset();
}

std::unique_ptr<System> System::related(Related name,
                                        const std::function<std::shared_ptr<const Reduced>()>& make) const {
  const auto compiled = compiled_->part<CompiledSystem>(
      {static_cast<int>(name)}, [&] { return std::make_shared<const CompiledSystem>(make(), backend()); });
  auto result = std::make_unique<System>(compiled, numbers_, parameters());
  result->origin_ = this;
  result->origin_version_ = parameters_version_;
  return result;
}

std::unique_ptr<System> System::base() const {
  return related(Related::Base, [this] { return reduced().base; });
}

Guard* System::guard() {
  if (!guard_is_known_) guard_ = Guard::of(*this);
  guard_is_known_ = true;
  return guard_.get();
}

void System::archive(Archive& archive) {
  bool has_guard = guard_ != nullptr;
  archive(has_guard);
  if (!has_guard) return;
  if (!guard()) throw ArchiveError("the saved run is of a model with other functions");
  archive(*guard_);
}

const taylor::Formulas& System::series() const {
  if (!series_)
    series_ = compiled_->part<taylor::Formulas>(
        {}, [this] { return std::make_shared<const taylor::Formulas>(reduced(), backend()); });
  return *series_;
}

CheckSlopes& System::check_slopes() {
  if (!check_slopes_) check_slopes_ = std::make_unique<CheckSlopes>(*this);
  return *check_slopes_;
}

void System::load(const Point& at) {
  if (origin_ && origin_version_ != origin_->parameters_version_) {
    origin_version_ = origin_->parameters_version_;
    set_parameters(origin_->parameters());
  }
  inputs_[0] = at.t;
  std::copy_n(at.y.data(), at.y.size(), inputs_.data() + y_offset());
  std::copy_n(at.yp.data(), at.yp.size(), inputs_.data() + yp_offset());
}

void System::run(const Kernel& kernel, std::span<double> out) {
  assert(out.size() >= kernel.outputs());
  if (work_.size() < kernel.work_size()) work_.resize(kernel.work_size());  // needed at its first call
  kernel(inputs_.data(), out.data(), work_.data());
}

void System::rows_and_rates(const Point& at, std::span<double> out) {
  if (guarded_) return guard_->rows_and_rates(at, out);
  load(at);
  run(CompiledSystem::Rows, out);
}

void System::set_rates(double t, std::span<const double> y, std::span<double> yp) {
  rows_and_rates_.resize(rows() + candidates());
  rows_and_rates({t, y, yp}, rows_and_rates_);
  take_rates(rows_and_rates_, yp);
}

void System::take_rates(std::span<const double> rows_and_rates, std::span<double> yp) const {
  const std::vector<Kinematic>& kinematics = reduced().kinematics;
  for (std::size_t k = 0; k < kinematics.size(); ++k) yp[kinematics[k].slot] = rows_and_rates[rows() + k];
}

void System::use_difference_quotients() {
  differences_.emplace(jacobian_entries(), reduced().slots, rows() + candidates());
}

void System::jacobian(const Point& at, std::span<double> values) {
  if (guarded_) return guard_->jacobian(at, values);
  if (differences_) {
    (*differences_)(
        at.y, at.yp,
        [&](auto y, auto yp, auto out) {
          rows_and_rates({at.t, y, yp}, out);
        },
        values);
    return;
  }
  load(at);
  run(CompiledSystem::Jacobian, values);
}

void System::invariants(const Point& at, std::span<double> out) {
  load(at);
  run(CompiledSystem::Invariants, out);
}

void System::invariants_of_model(const Point& at, std::span<double> out) {
  if (out.empty()) return;
  invariants(at, all_invariants_);
  std::size_t k = 0;
  for (std::size_t i = 0; i < all_invariants_.size(); ++i)
    if (reduced().invariants[i].of_model()) out[k++] = all_invariants_[i];
}

void System::invariant_gradient(const Point& at, std::span<double> values) {
  load(at);
  run(CompiledSystem::InvariantGradient, values);
}

void System::evaluate(const Kernel& kernel, const Point& at, std::span<double> out) {
  load(at);
  run(kernel, out);
}

void System::choices(const Point& at, std::span<double> values) {
  load(at);
  run(CompiledSystem::Choices, values);
}

void System::define(const Point& at) {
  load(at);
  const std::size_t offset = compiled_->definition_offset();
  if (offset == inputs_.size()) return;
  run(CompiledSystem::Definitions, std::span(inputs_.data() + offset, inputs_.size() - offset));
}

void System::take_quantities(std::span<double> quantities) const {
  const std::vector<std::size_t>& places = compiled_->places_of_quantities();
  for (std::size_t k = 0; k < places.size(); ++k) quantities[k] = inputs_[places[k]];
}

void System::observe(const Point& at, std::span<double> quantities) {
  define(at);
  take_quantities(quantities);
}

void System::inspect(const Point& at, std::span<double> quantities, std::span<double> residuals_and_sizes) {
  inspect(at, residuals_and_sizes);
  take_quantities(quantities);
}

void System::inspect(const Point& at, std::span<double> residuals_and_sizes) {
  define(at);
  run(CompiledSystem::Certificate, residuals_and_sizes);
}

// They exist if all inputs are finite. x - x is 0 only for finite x.
bool System::quantities_exist() const {
  if (linear::all_finite(std::span(inputs_).subspan(y_offset()))) return true;
  double sum = 0.0;
  for (const std::size_t place : compiled_->places_of_quantities()) sum += inputs_[place] - inputs_[place];
  return sum == 0.0;
}

}  // namespace driftless
