#include "driftless/state_space/write_state_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/mat_matrices.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_columns = 8, most_rows = 16, most_modes = 12, most_names = 3;

std::string number(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

// Parts of the size of rounding errors are zero.
std::string number(const std::complex<double>& value, double zero) {
  const double re = std::abs(value.real()) <= zero ? 0.0 : value.real();
  const double im = std::abs(value.imag()) <= zero ? 0.0 : std::abs(value.imag());
  return im == 0.0 ? number(re) : fmt::format("{} +- {}i", number(re), number(im));
}

// The states with the largest participation, up to a total of nine tenths.
std::string names_of(const LinearMode& mode, const std::vector<std::string>& states) {
  std::vector<std::size_t> order(states.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return mode.participation[a] > mode.participation[b] + 1e-9; });
  std::string text;
  double sum = 0.0;
  for (std::size_t k = 0; k < order.size() && k < most_names && sum < 0.9; ++k) {
    const double part = mode.participation[order[k]];
    if (k > 0 && !(part > 0.005)) break;
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", states[order[k]],
                        part < 0.01 ? fmt::format("{:.1g}", 100.0 * part) : fmt::format("{:.0f}", 100.0 * part));
    sum += part;
  }
  return printable(text);
}

std::string modes_text(const StateSpace& system) {
  if (!system.has_modes) return fmt::format("modes      not computed: {} states\n", system.states.size());
  if (system.modes.empty()) return "modes      none: nothing can move\n";
  const double zero = system.rounding();
  std::string text = fmt::format("modes      {:24} {:>10} {:>10} {:>13}   {}\n", "eigenvalue", "damping", "frequency",
                                 "time constant", "states");
  std::size_t shown = 0;
  for (const LinearMode& mode : system.modes) {
    if (mode.eigenvalue.imag() < -zero) continue;
    if (++shown > most_modes) continue;
    const bool decays = std::abs(mode.eigenvalue.real()) > zero, turns = std::abs(mode.eigenvalue.imag()) > zero;
    text += fmt::format("           {:24} {:>10} {:>10} {:>13}   {}\n", number(mode.eigenvalue, zero),
                        !turns   ? "-"
                        : decays ? fmt::format("{:.4g}", mode.damping())
                                 : "0",
                        turns ? fmt::format("{:.4g}", mode.frequency()) : "-",
                        decays ? fmt::format("{:.4g}", mode.time_constant()) : "-", names_of(mode, system.states));
  }
  if (shown > most_modes) text += fmt::format("           ... and {} more (--json has all)\n", shown - most_modes);
  return text;
}

std::string matrix_text(const char* name, const Matrix& matrix, const std::vector<std::string>& rows,
                        const std::vector<std::string>& columns, bool of_rates) {
  if (matrix.rows == 0 || matrix.columns == 0) return {};
  if (matrix.rows > most_rows || matrix.columns > most_columns)
    return fmt::format("{:10} {} rows, {} columns (--output writes it)\n", name, matrix.rows, matrix.columns);
  std::size_t width = 0;
  const auto row_name = [&](std::size_t i) { return printable(of_rates ? "d/dt " + rows[i] : rows[i]); };
  for (std::size_t i = 0; i < matrix.rows; ++i) width = std::max(width, row_name(i).size());
  std::string text = fmt::format("{:10} {:{}}", name, "", width);
  for (const std::string& column : columns) text += fmt::format(" {:>13}", printable(column));
  text += '\n';
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    text += fmt::format("           {:{}}", row_name(i), width);
    for (std::size_t j = 0; j < matrix.columns; ++j) text += fmt::format(" {:>13}", number(matrix(i, j)));
    text += '\n';
  }
  return text;
}

Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < matrix.rows; ++i)
    rows.push_back(std::vector<double>(matrix.values.begin() + static_cast<std::ptrdiff_t>(i * matrix.columns),
                                       matrix.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * matrix.columns)));
  return rows;
}

Json json_of(const LinearMode& mode) {
  Json json;
  json["eigenvalue"] = {mode.eigenvalue.real(), mode.eigenvalue.imag()};
  json["damping"] = mode.damping();
  json["frequency"] = mode.frequency();
  if (mode.eigenvalue.real() == 0.0)
    json["time_constant"] = nullptr;
  else
    json["time_constant"] = mode.time_constant();
  json["participation"] = mode.participation;
  return json;
}

std::string csv_of(const StateSpace& system) {
  const auto quoted = [](const std::string& name) {
    return name.find_first_of(",\"") == std::string::npos ? name : '"' + name + '"';
  };
  std::string text = "row";
  for (const auto* names : {&system.states, &system.inputs})
    for (const std::string& name : *names) text += "," + quoted(name);
  const auto add = [&](const std::string& name, std::size_t i, const Matrix& left, const Matrix& right) {
    text += "\n" + quoted(name);
    for (std::size_t j = 0; j < left.columns; ++j) text += fmt::format(",{}", left(i, j));
    for (std::size_t j = 0; j < right.columns; ++j) text += fmt::format(",{}", right(i, j));
  };
  for (std::size_t i = 0; i < system.states.size(); ++i) add("d/dt " + system.states[i], i, system.A, system.B);
  for (std::size_t i = 0; i < system.outputs.size(); ++i) add(system.outputs[i], i, system.C, system.D);
  return text + "\n";
}

std::string mat_of(const StateSpace& system) {
  std::string text;
  const auto add = [&](const char* name, const Matrix& matrix) {
    append_mat_header(text, MatType::Double, matrix.rows, matrix.columns, name);
    for (std::size_t j = 0; j < matrix.columns; ++j)
      for (std::size_t i = 0; i < matrix.rows; ++i) {
        const double value = matrix(i, j);
        text += bytes_of(std::span<const double>(&value, 1));
      }
  };
  const auto add_values = [&](const char* name, const std::vector<double>& values) {
    append_mat_header(text, MatType::Double, values.size(), 1, name);
    text += bytes_of(std::span<const double>(values));
  };
  add("A", system.A), add("B", system.B), add("C", system.C), add("D", system.D);
  add_values("x", system.x), add_values("dx", system.rates), add_values("u", system.u), add_values("y", system.y);
  append_mat_rows(text, "states", system.states);
  append_mat_rows(text, "inputs", system.inputs);
  append_mat_rows(text, "outputs", system.outputs);
  Matrix eigenvalues(system.modes.size(), 2);
  for (std::size_t k = 0; k < system.modes.size(); ++k) {
    eigenvalues(k, 0) = system.modes[k].eigenvalue.real();
    eigenvalues(k, 1) = system.modes[k].eigenvalue.imag();
  }
  add("eigenvalues", eigenvalues);
  return text;
}

}  // namespace

std::string to_text(const StateSpace& system) {
  const auto list = [](const std::vector<std::string>& names) {
    if (names.empty()) return std::string("none");
    const std::vector<std::string> first(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), std::size_t{12})));
    return printable(fmt::format("{}", fmt::join(first, ", "))) +
           (names.size() > first.size() ? fmt::format(" and {} more", names.size() - first.size()) : std::string());
  };
  std::string text = fmt::format("{}   linear at time {}, {}\n", printable(system.model), system.t,
                                 system.is_at_rest() ? "at rest" : "moving");
  text += fmt::format("states     {}\ninputs     {}\noutputs    {}\n", list(system.states), list(system.inputs),
                      list(system.outputs));
  text += matrix_text("A", system.A, system.states, system.states, true);
  text += matrix_text("B", system.B, system.states, system.inputs, true);
  text += matrix_text("C", system.C, system.outputs, system.states, false);
  text += matrix_text("D", system.D, system.outputs, system.inputs, false);
  text += modes_text(system);
  if (system.has_zeros) {
    std::vector<std::string> zeros;
    double largest = 0.0;
    for (const auto& zero : system.zeros) largest = std::max(largest, std::abs(zero));
    for (const auto& zero : system.zeros)
      if (zero.imag() >= -1e-9 * largest) zeros.push_back(number(zero, 1e-9 * largest));
    text += fmt::format("zeros      {}\n", zeros.empty() ? "none" : fmt::format("{}", fmt::join(zeros, ", ")));
  }
  return text;
}

std::string to_json(const StateSpace& system) {
  Json json;
  json["model"] = system.model;
  json["outcome"] = "success";
  json["time"] = system.t;
  json["at_rest"] = system.is_at_rest();
  json["states"] = system.states;
  json["inputs"] = system.inputs;
  json["outputs"] = system.outputs;
  json["x"] = system.x;
  json["dx"] = system.rates;
  json["u"] = system.u;
  json["y"] = system.y;
  json["A"] = rows_of(system.A);
  json["B"] = rows_of(system.B);
  json["C"] = rows_of(system.C);
  json["D"] = rows_of(system.D);
  json["modes"] = system.has_modes ? Json::array() : Json();
  for (const LinearMode& mode : system.modes) json["modes"].push_back(json_of(mode));
  json["zeros"] = system.has_zeros ? Json::array() : Json();
  for (const auto& zero : system.zeros) json["zeros"].push_back({zero.real(), zero.imag()});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_state_space_file(const std::filesystem::path& path) {
  const std::string end = path.extension().string();
  return end == ".json" || end == ".mat" || end == ".csv";
}

std::optional<std::string> write_state_space(const StateSpace& system, const std::filesystem::path& path) {
  const std::string end = path.extension().string();
  return write_file(path, end == ".json" ? to_json(system) : end == ".mat" ? mat_of(system) : csv_of(system));
}

}  // namespace driftless
