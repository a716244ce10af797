#include "driftless/indices/consistent_points.hpp"

#include <random>

#include <fmt/format.h>

#include "driftless/simulation.hpp"

namespace driftless {
namespace {

constexpr double later = 0.1;                       // of the experiment
constexpr double distances[] = {1e-2, 1e-4, 1e-6};  // of neighbours, in sizes of variables; the first that leads back
constexpr int neighbours = 2;
constexpr double nearly_held = 1e-3;  // how freely values of the run change, relative to those from the array
constexpr double run_tolerance = 1e-10;

class PointFinder {
 public:
  PointFinder(const Model& model, const DerivativeArrayAt& array)
      : model_(model), array_(array), sizes_(array.sizes()) {}

  std::optional<PointOfIndex> present(const Simulation& run) const {
    PointOfIndex point{run.time(), Eigen::MatrixXd::Zero(sizes_.size(), array_.orders())};
    Eigen::MatrixXd freedom = Eigen::MatrixXd::Ones(sizes_.size(), array_.orders());
    for (Eigen::Index j = 0; j < sizes_.size(); ++j)
      for (int order = 0; order < array_.orders(); ++order) {
        const auto value = value_of(run, derivative_name(model_.variables[static_cast<std::size_t>(j)].name, order));
        if (!value) break;
        point.values(j, order) = *value;
        freedom(j, order) = 0.0;
      }
    array_.project(point, freedom);  // first the higher derivatives, then all, which corrects errors of the run only
    if (!array_.project(point, (freedom.array() == 0.0).select(nearly_held, freedom))) return {};
    return point;
  }

  std::optional<NamedPoint> neighbour(const PointOfIndex& start, std::mt19937& random) const {
    for (const double distance : distances)
      if (auto point = neighbour(start, distance, random))
        return NamedPoint{fmt::format("a neighbour within {:.0e}", distance), std::move(*point)};
    return {};
  }

 private:
  std::optional<PointOfIndex> neighbour(PointOfIndex point, double distance, std::mt19937& random) const {
    std::uniform_real_distribution<double> uniform(-distance, distance);
    for (Eigen::Index j = 0; j < point.values.rows(); ++j)
      for (Eigen::Index k = 0; k < point.values.cols(); ++k)
        point.values(j, k) += uniform(random) * (sizes_(j) + std::abs(point.values(j, k)));
    if (!array_.project(point, Eigen::MatrixXd::Ones(sizes_.size(), array_.orders()))) return {};
    return point;
  }

  static std::optional<double> value_of(const Simulation& run, const std::string& name) {
    try {
      return run.value(name);
    } catch (const std::out_of_range&) {
      return {};
    }
  }

  const Model& model_;
  const DerivativeArrayAt& array_;
  const Eigen::VectorXd& sizes_;
};

}  // namespace

ConsistentPoints consistent_points(const Analysis& analysis, const DerivativeArrayAt& array) {
  ConsistentPoints result;
  const PointFinder finder(*analysis.model, array);
  Simulation run(compile(analysis, {.tolerance = run_tolerance, .dense = false}));
  if (run.outcome() != Outcome::Success) {
    result.reason = fmt::format("no consistent start was found: {}", run.message());
    return result;
  }
  const double begin = run.time(), end = run.stop();
  const auto start = finder.present(run);
  if (!start) {
    result.reason = "no point near the start satisfies the differentiated equations";
    return result;
  }
  result.points.push_back({fmt::format("the start, t = {:.6g}", begin), *start});
  if (run.advance_to(begin + later * (end - begin)) == Outcome::Success)
    if (auto point = finder.present(run))
      result.points.push_back({fmt::format("t = {:.6g}", run.time()), std::move(*point)});
  std::mt19937 random(1);
  for (int k = 0; k < neighbours; ++k)
    if (auto point = finder.neighbour(*start, random)) result.points.push_back(std::move(*point));
  return result;
}

}  // namespace driftless
