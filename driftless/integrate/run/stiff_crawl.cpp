#include "driftless/integrate/run/stiff_crawl.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr long steps_between_looks = 5'000;
constexpr double hopeless = 1e6;  // steps ahead
constexpr int signs = 2;
constexpr double beyond_limit = 100.0;
constexpr int slow_looks = 4;

// h times the decay rate of the fastest mode near the boundary of the stability region: 3.3 for order 5, 6.1 for order
// 8; of series about 0.2 to 0.4 of their order (docs/choose.md).
double near_bound(const Method& method, int order) {
  if (std::holds_alternative<method::Taylor>(method)) return 0.2 * order;
  return order > 5 ? 2.0 : 1.0;
}

}  // namespace

std::optional<std::string> StiffCrawl::operator()(const Method& method, const Stepper& stepper, double stop,
                                                  long max_steps) {
  if (steps_++ == 0) mark_ = stepper.time() - stepper.last_step();
  if (steps_ % steps_between_looks != 0) return {};
  const double advance = stepper.time() - std::exchange(mark_, stepper.time());
  const double ahead = (stop - stepper.time()) / advance * steps_between_looks;
  if (!is_explicit(method) || !(ahead > hopeless)) return signs_ = slow_looks_ = 0, std::nullopt;
  slow_looks_ = ahead > beyond_limit * static_cast<double>(max_steps) ? slow_looks_ + 1 : 0;
  if (slow_looks_ == slow_looks)
    return fmt::format("at the pace of the last {} steps {:.2g} more are ahead, and {} in all are allowed",
                       slow_looks * steps_between_looks, ahead, max_steps);
  if (!fastest_) fastest_.emplace(problem_);
  fastest_->states_changed();
  const std::optional<Mode> mode = (*fastest_)(stepper.time(), stepper.y(), stepper.yp());
  const double h = advance / steps_between_looks;
  const bool bounded = mode && mode->mostly_decays() && h * mode->decay > near_bound(method, stepper.last_order());
  if (!bounded) return signs_ = 0, std::nullopt;
  if (++signs_ < signs) return {};
  return fmt::format(
      "too stiff for {}: steps of {:.2g} are bounded by a mode that decays at the rate {:.2g}, and {:.2g} more are "
      "ahead; "
      "bdf and radau are not bounded by it",
      to_string(method), h, mode->decay, ahead);
}

}  // namespace driftless
