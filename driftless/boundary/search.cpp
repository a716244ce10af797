#include "driftless/boundary/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless::boundary {
namespace {

constexpr int most_meshes = 30;
constexpr int most_doublings = 4;      // of a mesh on which Newton's iteration fails
constexpr double aim = 0.3;            // of the tolerance, for the next mesh
constexpr double most_growth = 4.0;    // of the number of intervals, from one mesh to the next
constexpr double newton_share = 1e-3;  // of the tolerance
constexpr double even_share = 0.1;     // of the monitor function that is uniform, so that no interval becomes very long

std::vector<double> even(double start, double stop, int intervals) {
  std::vector<double> mesh;
  for (int k = 0; k <= intervals; ++k) mesh.push_back(k == intervals ? stop : start + (stop - start) * k / intervals);
  return mesh;
}

std::vector<double> halved(const std::vector<double>& mesh) {
  std::vector<double> result{mesh.front()};
  for (std::size_t k = 0; k + 1 < mesh.size(); ++k) {
    result.push_back(std::midpoint(mesh[k], mesh[k + 1]));
    result.push_back(mesh[k + 1]);
  }
  return result;
}

class Search {
 public:
  Search(Collocation& collocation, const SearchSettings& settings)
      : collocation_(collocation), settings_(settings), power_(collocation.tableau().stages + 2.0) {}

  Found run(const GuessAt& guess) {
    std::vector<double> mesh = even(settings_.start, settings_.stop, settings_.first_intervals);
    if (!solve_patiently(mesh, guess)) return std::move(found_);
    if (settings_.constant) {
      found_.within_tolerance = true;
      return std::move(found_);
    }
    double allowed = settings_.tolerance;  // of the defects: smaller if the total error turned out larger
    while (found_.meshes < most_meshes) {
      const std::vector<double> defects = found_.trajectory->defects();
      const double largest = std::ranges::max(defects);
      if (largest <= allowed) {
        if (!check() || found_.within_tolerance) return std::move(found_);
        // A larger defect on shorter intervals means that something was missed before, such as a short pulse: from now
        // on no interval becomes longer. Otherwise the defect of the coarser mesh caused this error.
        if (found_.defect > largest)
          keeps_points_ = true;
        else
          allowed = std::min(allowed, aim * largest * settings_.tolerance / found_.error);
        continue;
      }
      const std::shared_ptr<Trajectory> last = found_.trajectory;
      const std::vector<double>& points = last->approximation().mesh;
      const auto better = keeps_points_ ? subdivided(points, defects, aim * allowed)
                                        : equidistributed(points, defects, power_, needed(defects, aim * allowed));
      if (better.size() > static_cast<std::size_t>(settings_.most_intervals)) return give_up(largest);
      if (!solve_patiently(better, [last](double t) { return last->interpolated(t); })) return std::move(found_);
    }
    return give_up(found_.error);
  }

 private:
  std::size_t needed(const std::vector<double>& defects, double wanted) const {
    double sum = 0.0;
    for (const double d : defects) sum += std::pow(d / wanted, 1.0 / power_);
    const auto n = static_cast<double>(defects.size());
    return static_cast<std::size_t>(std::ceil(std::clamp(sum, 0.7 * n, most_growth * n)));
  }

  std::vector<double> subdivided(const std::vector<double>& mesh, const std::vector<double>& defects,
                                 double wanted) const {
    std::vector<double> result{mesh.front()};
    for (std::size_t k = 0; k < defects.size(); ++k) {
      const double parts = std::ceil(std::clamp(std::pow(defects[k] / wanted, 1.0 / power_), 1.0, most_growth));
      for (double i = 1.0; i < parts; ++i) result.push_back(mesh[k] + (mesh[k + 1] - mesh[k]) * i / parts);
      result.push_back(mesh[k + 1]);
    }
    return result;
  }

  Found give_up(double error) {
    found_.within_tolerance = false;
    found_.error = error;
    found_.reason =
        fmt::format("the tolerance {:g} was not reached with {} mesh intervals: the estimated error is {:.1e}",
                    settings_.tolerance, found_.trajectory->approximation().intervals(), error);
    return std::move(found_);
  }

  bool solve_patiently(std::vector<double> mesh, const GuessAt& guess) {
    std::string first_reason;
    std::vector<std::string> first_details;
    for (int k = 0; k <= most_doublings; ++k, mesh = halved(mesh)) {
      if (mesh.size() > static_cast<std::size_t>(settings_.most_intervals) || (k > 0 && settings_.constant)) break;
      if (solve(mesh, guess)) return true;
      if (k == 0) first_reason = found_.reason, first_details = found_.details;
    }
    found_.reason = first_reason, found_.details = first_details;
    found_.trajectory.reset();
    return false;
  }

  bool solve(const std::vector<double>& mesh, const GuessAt& guess) {
    ++found_.meshes;
    found_.details.clear();
    PointEquations& equations = collocation_.equations();
    Approximation at;
    at.mesh = mesh;
    std::vector<double> middles;
    std::vector<Eigen::VectorXd> points;
    for (std::size_t k = 0; k < mesh.size(); ++k) {
      at.values.ends.push_back(guess(mesh[k]));
      if (k + 1 == mesh.size()) break;
      middles.push_back(std::midpoint(mesh[k], mesh[k + 1]));
      points.push_back(guess(middles.back()));
      for (int i = 0; i < collocation_.tableau().stages; ++i)
        at.values.stages.push_back(guess(collocation_.time(at, k, i)));
    }
    auto charts = equations.charts(middles, points);
    if (!charts) {
      found_.reason = fmt::format("{} depends on other constraints at the first approximation: no states can be chosen",
                                  equations.name_of_row(equations.dependent_row()));
      found_.details = {"give the variables other starts, or a guess over the interval"};
      return false;
    }
    at.charts = std::move(*charts);
    const double accuracy = settings_.constant ? 0.0 : newton_share * settings_.tolerance;
    NewtonReport report = iterate(collocation_, at, accuracy);
    found_.newton_iterations += report.iterations;
    if (!report.converged) {
      found_.reason = fmt::format("{}, with {} mesh intervals", report.reason, mesh.size() - 1);
      found_.details = std::move(report.details);
      return false;
    }
    found_.trajectory = std::make_shared<Trajectory>(collocation_, std::move(at));
    return true;
  }

  // Once more with halved intervals: how far are the two apart? False if that cannot be computed.
  bool check() {
    const std::shared_ptr<Trajectory> coarse = found_.trajectory;
    if (!solve_patiently(halved(coarse->approximation().mesh), [coarse](double t) { return coarse->interpolated(t); }))
      return false;
    found_.error = coarse->distance_to_mesh_points_of(*found_.trajectory);
    found_.defect = std::ranges::max(found_.trajectory->defects());
    found_.within_tolerance = found_.error <= settings_.tolerance && found_.defect <= settings_.tolerance;
    return true;
  }

  Collocation& collocation_;
  SearchSettings settings_;
  double power_;
  bool keeps_points_ = false;
  Found found_;
};

}  // namespace

std::vector<double> equidistributed(const std::vector<double>& mesh, const std::vector<double>& defects, double power,
                                    std::size_t intervals) {
  const std::size_t n = defects.size();
  const double length = mesh.back() - mesh.front();
  std::vector<double> monitor(n);
  for (std::size_t k = 0; k < n; ++k) monitor[k] = std::pow(defects[k], 1.0 / power);
  const double sum = std::accumulate(monitor.begin(), monitor.end(), 0.0);
  std::vector<double> reached{0.0};
  for (std::size_t k = 0; k < n; ++k)
    reached.push_back(reached.back() + (sum > 0.0 ? (1.0 - even_share) * monitor[k] / sum : 0.0) +
                      (sum > 0.0 ? even_share : 1.0) * (mesh[k + 1] - mesh[k]) / length);
  std::vector<double> result{mesh.front()};
  std::size_t k = 0;
  for (std::size_t i = 1; i < intervals; ++i) {
    const double wanted = reached.back() * static_cast<double>(i) / static_cast<double>(intervals);
    while (reached[k + 1] < wanted) ++k;
    result.push_back(mesh[k] + (mesh[k + 1] - mesh[k]) * (wanted - reached[k]) / (reached[k + 1] - reached[k]));
  }
  result.push_back(mesh.back());
  return result;
}

Found search(Collocation& collocation, const GuessAt& guess, const SearchSettings& settings) {
  return Search(collocation, settings).run(guess);
}

}  // namespace driftless::boundary
