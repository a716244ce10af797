// Parameters and starts of a model from measurements: weighted least squares by the method of Levenberg and Marquardt,
// with slopes from sensitivities (docs/sensitivities.md).
//
//   fit::Data data = ...;  // times, and measured columns
//   const fit::Result found = fit::fit(compile(model), data, {{"k", {}, 0.0}, {"m"}});
//   found.estimates[0].value, found.estimates[0].standard_error
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/sensitivities.hpp"

namespace driftless::fit {

struct Series {
  std::string name;            // of a variable or derivative of the model
  std::vector<double> values;  // one for each time; NaN: nothing was measured
  double deviation = 1.0;      // standard deviation of the measurements: residuals are divided by it
};

struct Data {
  std::vector<double> times;  // not decreasing
  std::vector<Series> series;
};

// A table whose first column is `time`; otherwise the error in the file.
std::variant<Data, std::string> read_data(const std::filesystem::path& path);

struct Unknown {
  std::string name;                  // of a parameter, or of a variable whose start is estimated
  std::optional<double> guess = {};  // otherwise the value of the model
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

struct Options {
  RunInputs inputs = {};     // of all runs; the stop time is the last time of the data if it is not given
  double tolerance = 1e-10;  // of the minimum, relative
  int most_iterations = 100;
};

struct Estimate {
  std::string name;
  double value = 0.0, guess = 0.0;
  double standard_error =
      0.0;  // by the linearized model; NaN at a bound, and if there are no more points than unknowns
  bool at_bound = false;
};

struct Result {
  std::vector<Estimate> estimates;
  std::vector<double> correlation;  // rows of a square matrix, in the order of the estimates
  double residual = 0.0;            // root of the sum of squared residuals, in units of the deviations
  double deviation = 0.0;           // root of the mean square, by the degrees of freedom; NaN if there are none
  std::size_t points = 0;           // measurements
  // By measured variable: 1 - (sum of its squared residuals) / (sum of squares around its mean). Negative where a
  // constant would pass the measurements better; NaN where these are all the same.
  std::vector<std::pair<std::string, double>> explained = {};
  int iterations = 0, runs = 0;
  bool converged = false;
  std::string stop;            // why the iteration ended, as text
  SensitiveSolution solution;  // the run with the estimates
};

// Throws ModelError for data that do not fit the model, for too few of them, and for unknowns that they do not
// determine, by name.
Result fit(const Compiled& compiled, const Data& data, const std::vector<Unknown>& unknowns,
           const Options& options = {});

// Text for people.
std::string to_text(const Result& result);
std::string to_json(const Result& result);

}  // namespace driftless::fit
