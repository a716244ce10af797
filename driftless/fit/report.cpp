#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/fit/fit.hpp"

namespace driftless::fit {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string to_text(const Result& result) {
  std::string text =
      fmt::format("{}   {} measurements, residual {:.6g}{}\n", result.solution.model, result.points, result.residual,
                  std::isnan(result.deviation) ? "" : fmt::format(", deviation {:.6g}", result.deviation));
  text += fmt::format("fit        {}{} iterations, {} runs: {}\n", result.converged ? "" : "not converged, ",
                      result.iterations, result.runs, result.stop);
  std::vector<std::string> explained;
  for (const auto& [name, part] : result.explained)
    if (!std::isnan(part)) explained.push_back(fmt::format("{:.4g} % of {}", 100.0 * part, name));
  if (!explained.empty()) text += fmt::format("explained  {}\n", fmt::join(explained, ", "));
  std::size_t width = 9;
  for (const Estimate& estimate : result.estimates) width = std::max(width, estimate.name.size());
  text += fmt::format("\n{:<{}}  {:>16}  {:>14}  {:>12}\n", "parameter", width, "estimate", "standard error", "guess");
  for (const Estimate& estimate : result.estimates)
    text += fmt::format("{:<{}}  {:>16.9g}  {:>14}  {:>12.6g}\n", estimate.name, width, estimate.value,
                        estimate.at_bound                     ? "at a bound"
                        : std::isnan(estimate.standard_error) ? "not known"
                                                              : fmt::format("{:.3g}", estimate.standard_error),
                        estimate.guess);
  const std::size_t n = result.estimates.size();
  if (n < 2) return text;
  text += fmt::format("\n{:<{}}", "correlation", std::max<std::size_t>(width, 11));
  for (const Estimate& estimate : result.estimates) text += fmt::format("  {:>8}", estimate.name);
  text += "\n";
  for (std::size_t i = 0; i < n; ++i) {
    text += fmt::format("{:<{}}", result.estimates[i].name, std::max<std::size_t>(width, 11));
    for (std::size_t j = 0; j < n; ++j) text += fmt::format("  {:>8.4f}", result.correlation[i * n + j]);
    text += "\n";
  }
  return text;
}

std::string to_json(const Result& result) {
  Json estimates = Json::object();
  for (const Estimate& estimate : result.estimates)
    estimates[estimate.name] = {{"value", number(estimate.value)},
                                {"standard_error", number(estimate.standard_error)},
                                {"guess", number(estimate.guess)},
                                {"at_bound", estimate.at_bound}};
  Json explained = Json::object();
  for (const auto& [name, part] : result.explained) explained[name] = number(part);
  const std::size_t n = result.estimates.size();
  Json correlation = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(number(result.correlation[i * n + j]));
    correlation.push_back(std::move(row));
  }
  const Json all = {{"model", result.solution.model},
                    {"converged", result.converged},
                    {"stop", result.stop},
                    {"estimates", estimates},
                    {"correlation", correlation},
                    {"measurements", result.points},
                    {"explained", explained},
                    {"residual", number(result.residual)},
                    {"deviation", number(result.deviation)},
                    {"iterations", result.iterations},
                    {"runs", result.runs}};
  return all.dump(2) + "\n";
}

}  // namespace driftless::fit
