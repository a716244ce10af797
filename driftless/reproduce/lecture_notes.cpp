// U. M. Ascher and L. R. Petzold, Computer Methods for Ordinary Differential Equations and Differential-Algebraic
// Equations (1998), Chapter 10: a linear index-2 problem that breaks the implicit Euler method (Example 10.1).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/reproduce/experiment.hpp"

namespace driftless::reproduce {
namespace {

constexpr std::array<double, 3> steps{0.1, 0.05, 0.01};

Setup linear(const std::string& model, const std::string& formulation, double eta, double step) {
  return {.model = model,
          .parameters = {{"eta", eta}},
          .formulation = formulation,
          .method = "backward-euler",
          .step = step,
          .intervals = static_cast<int>(std::lround(1.0 / step))};
}
Setup as_written(double eta, double step) { return linear("traps/lecture_10_1", "original", eta, step); }

// y2 = -cos t; the start is exact.
double largest_error(const Solution& solution) {
  if (!reached_end(solution.outcome)) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> y2 = solution.column("y2");
  double largest = 0.0;
  for (std::size_t k = 0; k < y2.size(); ++k) {
    const double error = std::abs(y2[k] + std::cos(solution.times[k]));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

struct Line {
  double eta;
  std::array<double, 3> errors;  // recomputed from (1 + eta) v_n = eta v_{n-1} - (q_n - q_{n-1})/h
};
// clang-format off
const std::vector<Line> lines{
    {-2.0,  {2.2e1,   5.7e3,  2.7e26}},
    {-1.1,  {7.2e7,   4.7e17, 3.8e99}},
    {-0.9,  {2.7e6,   2.3e15, 2.0e90}},
    {-0.6,  {5.0e-2,  6.1e-1, 3.0e12}},
    {-0.51, {1.64e-3, 7.7e-4, 5.3e-4}},
    {-0.5,  {1.66e-3, 4.2e-4, 1.67e-5}},
    {-0.4,  {8.8e-3,  4.3e-3, 8.5e-4}},
    {0.0,   {4.1e-2,  2.1e-2, 4.2e-3}},
    {1.0,   {1.12e-1, 6.0e-2, 1.25e-2}},
    {10.0,  {3.4e-1,  2.6e-1, 8.2e-2}},
};
// clang-format on

Table table_of(const std::string& title) {
  Table table{title, {"eta", "rho"}, {}, {}, {}};
  for (const double step : steps) table.heads.push_back(fmt::format("h = {}", step));
  return table;
}

std::string growth_factor(double eta) { return eta == -1.0 ? "-" : fmt::format("{:.3g}", eta / (1.0 + eta)); }

Report instability(Runner& runner) {
  Table written = table_of("Largest error of y2 on [0, 1], the problem as it is written");
  for (const Line& line : lines) {
    Row& row = written.rows.emplace_back(Row{{fmt::format("{}", line.eta), growth_factor(line.eta)}, {}, {}});
    for (std::size_t k = 0; k < steps.size(); ++k)
      row.cells.push_back(
          {"", line.errors[k], largest_error(runner.run(as_written(line.eta, steps[k]))), Within{0.03}, ""});
  }
  Row& singular = written.rows.emplace_back(Row{{"-1", "-"}, {}, {}});
  for (const double step : steps) {
    const Solution& solution = runner.run(as_written(-1.0, step));
    singular.cells.push_back({"singular", {}, largest_error(solution), Breaks{1e100}, ""});
    singular.failure = solution.message;
  }

  Table decoupled = table_of("The same in the variables u = y1 + eta t y2, v = y2");
  Table reduced = table_of("The same with its index reduced: nothing is left to discretize");
  for (const double eta : {-2.0, -1.0, -0.6, 1.0}) {
    const std::vector<std::string> labels{fmt::format("{}", eta), "0"};
    Row& direct = decoupled.rows.emplace_back(Row{labels, {}, {}});
    Row& exact = reduced.rows.emplace_back(Row{labels, {}, {}});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      direct.cells.push_back({"", lines[7].errors[k],
                              largest_error(runner.run(linear("lecture_10_1_decoupled", "original", eta, steps[k]))),
                              Within{0.03}, ""});
      exact.cells.push_back({"-",
                             {},
                             largest_error(runner.run(linear("lecture_10_1_decoupled", "dummy", eta, steps[k]))),
                             Below{1e-14},
                             ""});
    }
  }
  return {.text =
              "y₁ + ηt y₂ = q, y₁' + ηt y₂' + (1 + η) y₂ = 0 with q = sin t: y₂ = -q' for every η. The implicit Euler "
              "method obeys (1 + η) vₙ = η vₙ₋₁ - (qₙ - qₙ₋₁)/h, so errors grow with ρ = η/(1 + η): unstable for "
              "η < -½, undefined for η = -1.",
          .tables = {written, decoupled, reduced},
          .commands = {command(as_written(-0.6, 0.05))}};
}

// ---- condition of the iteration matrix

constexpr std::array<double, 4> fine_steps{1e-2, 3e-3, 1e-3, 3e-4};

Setup few_steps(const std::string& formulation, double step) {
  return {.model = "pendulum",
          .formulation = formulation,
          .method = "backward-euler",
          .step = step,
          .stop = 10 * step,
          .intervals = 10};
}

// The exponent p of condition ~ h^-p, by least squares of the logarithms.
double exponent(Runner& runner, const std::string& formulation, double ConditionNumbers::*kind) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const double step : fine_steps) {
    const Solution& solution = runner.run(few_steps(formulation, step));
    if (!reached_end(solution.outcome)) return std::numeric_limits<double>::quiet_NaN();
    const double a = -std::log(step), b = std::log(solution.statistics.largest_condition.*kind);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Form {
  std::string name, formulation;
  double index;
};

Report condition(Runner& runner) {
  Table table{"The exponent p in condition = O(h^-p), pendulum, h from 1e-2 to 3e-4",
              {"form"},
              {"as it is", "as it is solved"},
              {},
              {}};
  for (const auto& [name, formulation, index] :
       {Form{"index 1", "index1", 1.0}, Form{"index 2", "index2", 2.0}, Form{"stabilized index 2", "ggl", 2.0},
        Form{"index 3", "original", 3.0}})
    table.rows.push_back({{name},
                          {{"", index, exponent(runner, formulation, &ConditionNumbers::matrix), Within{0.1}, ""},
                           {"", 0.0, exponent(runner, formulation, &ConditionNumbers::scaled), Below{0.15}, ""}},
                          ""});
  return {
      .text =
          "The matrix of Newton's iteration for a problem of index p has a condition number of order h^-p; rows and "
          "unknowns scaled by powers of h, as it is solved, it stays bounded. The column 'recomputed' is the "
          "theory (Section 10.1.4).",
      .tables = {table},
      .commands = {command(few_steps("original", 1e-3))}};
}

}  // namespace

std::vector<Experiment> lecture_notes() {
  return {
      {"ln-instability", "Ascher & Petzold 1998, Example 10.1: a problem that breaks the implicit Euler method",
       instability},
      {"ln-condition", "Ascher & Petzold 1998, Section 10.1.4: condition of the iteration matrix", condition},
  };
}

}  // namespace driftless::reproduce
