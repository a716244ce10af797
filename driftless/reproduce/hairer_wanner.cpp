// E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.2: drift of the index-1 form and the
// effect of projections (Figures 2.1 and 2.2), and projection onto the energy of a Hamiltonian system (Figure 2.3). The
// figures have no printed numbers; the recomputed ones come from codes written after the text.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/reproduce/experiment.hpp"
#include "driftless/reproduce/measures.hpp"

namespace driftless::reproduce {
namespace {

// ---- Figures 2.1 and 2.2: the pendulum from rest at (1, 0), DOPRI5 with Atol = Rtol = 1e-6

constexpr int per_unit = 10;  // output points per time unit

Setup pendulum(const std::string& projection) {
  return {.model = "pendulum",
          .parameters = {{"vy0", 0.0}},
          .formulation = "index1",
          .method = "dopri5",
          .projection = projection,
          .tolerance = 1e-6,
          .stop = 100.0,
          .intervals = 100 * per_unit};
}

// The same motion in its angle, at a sharp tolerance.
Setup exact_pendulum() {
  return {.model = "pendulum_angle",
          .parameters = {{"omega0", 0.0}},
          .method = "dopri5",
          .tolerance = 1e-13,
          .stop = 100.0,
          .intervals = 100 * per_unit};
}

std::vector<double> position_residual(const Swing& s) {
  std::vector<double> g;
  for (std::size_t k = 0; k < s.size(); ++k) g.push_back(s.x[k] * s.x[k] + s.y[k] * s.y[k] - 1.0);
  return g;
}
std::vector<double> velocity_residual(const Swing& s) {
  std::vector<double> gu;
  for (std::size_t k = 0; k < s.size(); ++k) gu.push_back(s.x[k] * s.u[k] + s.y[k] * s.v[k]);
  return gu;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

std::vector<double> sizes(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

double at(const std::vector<double>& values, double t) {
  return values[static_cast<std::size_t>(std::lround(t * per_unit))];
}

struct Drift {
  double t, g, gu;
};
constexpr std::array<Drift, 10> drifts{{{10.1, 5.92e-5, 6.7e-6},
                                        {20.2, 2.75e-4, 1.51e-5},
                                        {30.1, 6.49e-4, 2.33e-5},
                                        {40.1, 1.19e-3, 3.07e-5},
                                        {50.0, 1.88e-3, 3.89e-5},
                                        {60.1, 2.74e-3, 4.77e-5},
                                        {70.0, 3.75e-3, 5.43e-5},
                                        {80.1, 4.95e-3, 6.39e-5},
                                        {90.1, 6.30e-3, 7.28e-5},
                                        {100.0, 7.80e-3, 7.85e-5}}};

Statement within(const std::string& text, double low, double value, double high) {
  return {fmt::format("{} between {:g} and {:g}", text, low, high), low <= value && value <= high,
          fmt::format("{:.3g}", value)};
}

Report figure_1(Runner& runner) {
  TablePlan plan{.title = "Figure 2.1: residuals without projection", .label_heads = {"t"}};
  const auto measured = [](auto residual, double t) {
    return [=](const Solution& s) { return at(residual(cartesian(s)), t); };
  };
  Table table{plan.title, {"t"}, {"g = x² + y² - 1", "Gu = xu + yv"}, {}, {}};
  for (const Drift& d : drifts) {
    plan.columns = {{"g", measured(position_residual, d.t), Within{0.1}},
                    {"Gu", measured(velocity_residual, d.t), Within{0.15}}};
    plan.rows = {{{fmt::format("{}", d.t)}, pendulum("none"), {{"", d.g}, {"", d.gu}}}};
    table.rows.push_back(measure(plan, runner).rows[0]);
  }
  const TablePlan work{.title = "Work",
                       .label_heads = {"projection"},
                       .columns = {{"steps", steps, Within{0.01}}, {"rejected", error_test_failures, Within{0.15}}},
                       .rows = {{{"none"}, pendulum("none"), {{"", 533}, {"", 28}}},
                                {{"position"}, pendulum("position"), {{"", 533}, {"", 28}}},
                                {{"velocity"}, pendulum("velocity"), {{"", 533}, {"", 28}}},
                                {{"both"}, pendulum("both"), {{"", 533}, {"", 28}}}},
                       .notes = {}};
  Report report{.text =
                    "The index-1 form of the pendulum from rest at (1, 0) by DOPRI5, Atol = Rtol = 1e-6, without "
                    "projection: the velocity residual grows linearly, the position residual quadratically.",
                .tables = {table, measure(work, runner)},
                .commands = {command(pendulum("none"))}};
  const Solution& solution = runner.run(pendulum("none"));
  if (!reached_end(solution.outcome)) return report;
  const Swing s = cartesian(solution);
  report.statements = {within("g grows like t^p, p", 1.8, growth(s.t, position_residual(s), 20.0), 2.2),
                       within("Gu grows like t^p, p", 0.8, growth(s.t, velocity_residual(s), 20.0), 1.2)};
  report.figures.push_back(
      {.name = "hw2.1",
       .title = "Drift of the index-1 form, DOPRI5, tolerance 1e-6",
       .columns = 2,
       .panels = {{.title = "|x² + y² - 1|", .abscissa = "t", .curves = {{"g", s.t, sizes(position_residual(s))}}},
                  {.title = "|xu + yv|", .abscissa = "t", .curves = {{"Gu", s.t, sizes(velocity_residual(s))}}}}});
  return report;
}

// |(x, y, u, v) - exact| at every output point.
std::vector<double> global_error(const Swing& s, const Swing& exact) {
  std::vector<double> error;
  for (std::size_t k = 0; k < s.size(); ++k)
    error.push_back(std::hypot(std::hypot(s.x[k] - exact.x[k], s.y[k] - exact.y[k]),
                               std::hypot(s.u[k] - exact.u[k], s.v[k] - exact.v[k])));
  return error;
}

double largest_between(const std::vector<double>& values, int begin, int end) {
  return *std::max_element(values.begin() + begin * per_unit, values.begin() + end * per_unit + 1);
}

Report figure_2(Runner& runner) {
  const Solution& angle = runner.run(exact_pendulum());
  Report report{.text =
                    "The same run with the end of every step projected onto the positions, the velocities, or both. "
                    "Projecting the positions alone does not help, projecting the velocities is as good as both.",
                .commands = {command(pendulum("velocity"))}};
  if (!reached_end(angle.outcome)) {
    report.statements.push_back({"the accurate run in the angle succeeds", false, angle.message});
    return report;
  }
  const Swing exact = from_angle(angle);
  const auto window = [exact](int begin, int end) {
    return [=](const Solution& s) { return largest_between(global_error(cartesian(s), exact), begin, end); };
  };
  const auto energy = [](const Solution& s) {
    const Swing swing = cartesian(s);
    return swing.energy(swing.size() - 1) - swing.energy(0);
  };
  const TablePlan plan{
      .title = "Figure 2.2: largest global errors in three windows, energy and residuals",
      .label_heads = {"projection"},
      .columns = {{"[0, 10]", window(0, 10), Within{0.15}},
                  {"[40, 50]", window(40, 50), Within{0.15}},
                  {"[90, 100]", window(90, 100), Within{0.15}},
                  {"energy at 100", energy, Within{0.15}},
                  {"max |g|", [](const Solution& s) { return largest(position_residual(cartesian(s))); }, Within{0.15}},
                  {"max |Gu|", [](const Solution& s) { return largest(velocity_residual(cartesian(s))); },
                   Within{0.15}}},
      .rows =
          {{{"none"},
            pendulum("none"),
            {{"", 8.0e-5}, {"", 6.2e-3}, {"", 5.3e-2}, {"", -5.5e-3}, {"", 7.8e-3}, {"", 7.9e-5}}},
           {{"position"},
            pendulum("position"),
            {{"", 5.3e-5}, {"", 8.5e-3}, {"", 6.4e-2}, {"", -3.7e-3}, {"", 2e-16, "", Below{1e-14}}, {"", 7.9e-5}}},
           {{"velocity"},
            pendulum("velocity"),
            {{"", 2.3e-5}, {"", 7.3e-4}, {"", 2.85e-3}, {"", -9.1e-5}, {"", 1.5e-5}, {"", 2e-16, "", Below{1e-14}}}},
           {{"both"},
            pendulum("both"),
            {{"", 2.2e-5},
             {"", 6.9e-4},
             {"", 2.69e-3},
             {"", -1.0e-4},
             {"", 4e-16, "", Below{1e-14}},
             {"", 2e-16, "", Below{1e-14}}}}},
      .notes = {}};
  report.tables.push_back(measure(plan, runner));

  std::vector<double> late;
  Panel panel{.title = "global error", .abscissa = "t", .ordinate = Scale::Logarithmic};
  for (const RowPlan& row : plan.rows) {
    const Solution& solution = runner.run(row.setup);
    if (!reached_end(solution.outcome)) return report;
    std::vector<double> error = global_error(cartesian(solution), exact);
    late.push_back(largest_between(error, 90, 100));
    panel.curves.push_back(
        {row.labels[0] == "none" ? "no projection" : row.labels[0], solution.times, std::move(error)});
    panel.curves.back().x.erase(panel.curves.back().x.begin());  // the start is exact
    panel.curves.back().y.erase(panel.curves.back().y.begin());
  }
  report.statements = {within("error with position projection / without any", 0.9, late[1] / late[0], 10.0),
                       within("error with velocity projection / without any", 0.0, late[2] / late[0], 0.1),
                       within("error with velocity projection / with both", 0.8, late[2] / late[3], 1.2)};
  report.figures.push_back(
      {.name = "hw2.2", .title = "What projections do to the global error", .panels = {std::move(panel)}});
  return report;
}

// ---- Figure 2.3: the perturbed Kepler problem, h = 0.01, projected onto its energy

constexpr int kepler_steps = 10'000, last_quarter = 7'500;

Setup kepler(const std::string& method, const std::string& projection) {
  return {.model = "kepler_energy",
          .method = method,
          .projection = projection,
          .step = 0.01,
          .stop = 100.0,
          .intervals = kepler_steps};
}

double inner_radius(const Solution& s) {
  const std::vector<double> r = s.column("r");
  return *std::min_element(r.begin() + last_quarter, r.end());
}
double outer_radius(const Solution& s) {
  const std::vector<double> r = s.column("r");
  return *std::max_element(r.begin() + last_quarter, r.end());
}

std::vector<double> energy_errors(const Solution& s) {
  const std::vector<double> p1 = s.column("p1"), p2 = s.column("p2"), r = s.column("r");
  std::vector<double> errors;
  for (std::size_t k = 0; k < r.size(); ++k)
    errors.push_back((p1[k] * p1[k] + p2[k] * p2[k]) / 2 - 1.0 / r[k] - 0.005 / (r[k] * r[k] * r[k]) + 0.578125);
  return errors;
}
double final_energy_error(const Solution& s) { return energy_errors(s).back(); }
double largest_energy_error(const Solution& s) { return largest(energy_errors(s)); }
double momentum_error(const Solution& s) {
  return std::abs(s.final("q1") * s.final("p2") - s.final("q2") * s.final("p1") - 0.8);
}

double annulus(const Solution& s) {
  return reached_end(s.outcome) ? outer_radius(s) - inner_radius(s) : std::numeric_limits<double>::quiet_NaN();
}

Report figure_3(Runner& runner) {
  constexpr Below rounding{1e-12};
  const TablePlan plan{
      .title = "Figure 2.3: the orbit over the last quarter of [0, 100], h = 0.01",
      .label_heads = {"method"},
      .columns = {{"smallest r", inner_radius, Within{0.01}},
                  {"largest r", outer_radius, Within{0.01}},
                  {"energy error at 100", final_energy_error, Within{0.1}},
                  {"largest energy error", largest_energy_error, Within{0.05}},
                  {"momentum error at 100", momentum_error, Within{0.05}}},
      .rows = {{{"explicit Euler"},
                kepler("explicit-euler", "none"),
                {{"", 5.65}, {"", 8.46}, {"", 4.7e-1}, {"", 4.7e-1}, {"", 2.7e-1}}},
               {{"explicit Euler, projected"},
                kepler("explicit-euler", "invariants"),
                {{"", 0.545}, {"", 1.168}, {"", 0.0, "", rounding}, {"", 1e-15, "", rounding}, {"", 8.8e-2}}},
               {{"symplectic Euler"},
                kepler("symplectic-euler", "none"),
                {{"", 0.400}, {"", 1.316}, {"", -6e-4}, {"", 1.4e-2}, {"", 1e-14, "", rounding}}},
               {{"symplectic Euler, projected"},
                kepler("symplectic-euler", "invariants"),
                {{"", 0.566}, {"", 1.146}, {"", 0.0, "", rounding}, {"", 1e-15, "", rounding}, {"", 9.7e-2}}}},
      .notes = {}};
  Report report{
      .text =
          "Projecting a method that is not symplectic onto the energy keeps it near the orbit, but the annulus "
          "shrinks; projecting the symplectic method destroys what it keeps.",
      .tables = {measure(plan, runner)},
      .commands = {command(kepler("symplectic-euler", "none"))}};

  constexpr double exact = 0.9133;
  const auto width = [&](const char* method, const char* projection) {
    return annulus(runner.run(kepler(method, projection)));
  };
  report.statements = {within("explicit Euler spirals out: its smallest radius beyond the exact largest,", 1.3133,
                              reached_end(runner.run(kepler("explicit-euler", "none")).outcome)
                                  ? inner_radius(runner.run(kepler("explicit-euler", "none")))
                                  : 0.0,
                              1e3),
                       within("width of the annulus, explicit Euler projected, exact 0.913,", 0.0,
                              width("explicit-euler", "invariants"), 0.7),
                       within("width of the annulus, symplectic Euler, exact 0.913,", 0.99 * exact,
                              width("symplectic-euler", "none"), 1.01 * exact),
                       within("width of the annulus, symplectic Euler projected, exact 0.913,", 0.0,
                              width("symplectic-euler", "invariants"), 0.7),
                       within("width of the annulus, symplectic Euler projected on output only, exact 0.913,",
                              0.97 * exact, width("symplectic-euler", "invariants:output"), 1.03 * exact)};

  Figure figure{.name = "hw2.3", .title = "The perturbed Kepler problem, h = 0.01, t from 0 to 100", .columns = 2};
  for (const RowPlan& row : plan.rows) {
    const Solution& solution = runner.run(row.setup);
    if (!reached_end(solution.outcome)) return report;
    figure.panels.push_back({.title = row.labels[0],
                             .orbit = true,
                             .curves = {{row.labels[0], solution.column("q1"), solution.column("q2")}}});
  }
  report.figures.push_back(std::move(figure));
  return report;
}

}  // namespace

std::vector<Experiment> hairer_wanner() {
  return {
      {"hw2.1", "Hairer & Wanner, Figure VII.2.1: drift of the index-1 form", figure_1},
      {"hw2.2", "Hairer & Wanner, Figure VII.2.2: projections against drift", figure_2},
      {"hw2.3", "Hairer & Wanner, Figure VII.2.3: projecting onto the energy", figure_3},
  };
}

}  // namespace driftless::reproduce
