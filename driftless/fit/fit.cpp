#include "driftless/fit/fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/fit/least_squares.hpp"
#include "driftless/linear/svd.hpp"
#include "driftless/sensitivities.hpp"
#include "driftless/solution/read_csv.hpp"

namespace driftless::fit {
namespace {

constexpr double dependent = 1e-9;  // a singular value of slopes with columns of norm 1

[[noreturn]] void refuse(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

class Fit {
 public:
  Fit(const Compiled& compiled, const Data& data, const std::vector<Unknown>& unknowns, const Options& options)
      : compiled_(compiled),
        model_(compiled.model()),
        data_(data),
        unknowns_(unknowns),
        options_(options),
        sensitivities_(compiled, checked_names(unknowns)) {
    check_unknowns();
    check_data();
  }

  Result operator()() {
    Eigen::VectorXd start(size());
    LeastSquaresProblem problem;
    problem.lower.resize(size());
    problem.upper.resize(size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const Unknown& unknown = unknowns_[static_cast<std::size_t>(k)];
      start(k) = unknown.guess.value_or(value_in_model(unknown.name));
      problem.lower(k) = unknown.lower;
      problem.upper(k) = unknown.upper;
    }
    problem.residuals = [this](const Eigen::VectorXd& x) { return residuals(x); };
    LeastSquaresResult found =
        least_squares(problem, start, {.tolerance = options_.tolerance, .most_steps = options_.most_iterations});
    if (found.stop == Stop::NoValue)
      refuse(Code::WrongFit, fmt::format("there is no run with the first values: {}", failure_), model_);
    return result(found, start, problem);
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(unknowns_.size()); }

  std::vector<std::string> checked_names(const std::vector<Unknown>& unknowns) const {
    if (unknowns.empty()) refuse(Code::WrongFit, "a fit needs at least one parameter to be found", model_);
    std::vector<std::string> names;
    for (const Unknown& unknown : unknowns) names.push_back(unknown.name);
    return names;
  }

  void check_unknowns() {
    for (const Unknown& unknown : unknowns_) {
      const auto parameter = std::ranges::find_if(model_.parameters, [&](const Parameter& p) {
        return p.role == Parameter::Role::Given && p.name == unknown.name;
      });
      is_start_.push_back(parameter == model_.parameters.end());
      if (!(unknown.lower < unknown.upper))
        refuse(Code::WrongFit,
               fmt::format("the lower bound {} of '{}' is not below its upper bound {}", unknown.lower, unknown.name,
                           unknown.upper),
               model_);
    }
  }

  double value_in_model(const std::string& name) const {
    const RunInputs& inputs = options_.inputs;
    for (const auto* list : {&inputs.parameters, &inputs.starts})
      for (const auto& [given, value] : *list)
        if (given == name) return value;
    for (const Parameter& parameter : model_.parameters)
      if (parameter.name == name) return parameter.value;
    for (const Variable& variable : model_.variables)
      if (variable.name == name) return variable.start.value_or(0.0);
    return 0.0;
  }

  void check_data() {
    if (data_.series.empty()) refuse(Code::WrongFit, "the data have no column besides time", model_);
    for (const Series& series : data_.series) {
      if (series.values.size() != data_.times.size())
        refuse(Code::WrongFit,
               fmt::format("the data have {} times, but {} values of '{}'", data_.times.size(), series.values.size(),
                           series.name),
               model_);
      if (!(series.deviation > 0.0))
        refuse(Code::WrongFit,
               fmt::format("the standard deviation {} of '{}' is not positive", series.deviation, series.name), model_);
      for (const double value : series.values) points_ += std::isnan(value) ? 0 : 1;
    }
    for (std::size_t k = 0; k < data_.times.size(); ++k)
      if (!std::isfinite(data_.times[k]) || (k > 0 && data_.times[k] < data_.times[k - 1]))
        refuse(Code::WrongFit, fmt::format("the times of the data decrease, or have no value, at place {}", k + 1),
               model_);
    if (points_ < unknowns_.size())
      refuse(Code::WrongFit,
             fmt::format("{} measurements cannot determine {} parameters: too few points", points_, unknowns_.size()),
             model_);
  }

  RunInputs inputs_at(const Eigen::VectorXd& x) const {
    RunInputs inputs = options_.inputs;
    inputs.rows = {};
    inputs.intervals = inputs.intervals.value_or(1);
    if (!inputs.stop) inputs.stop = data_.times.back();
    for (Eigen::Index k = 0; k < size(); ++k) {
      const std::string& name = unknowns_[static_cast<std::size_t>(k)].name;
      NamedValues& list = is_start_[static_cast<std::size_t>(k)] ? inputs.starts : inputs.parameters;
      std::erase_if(list, [&](const auto& one) { return one.first == name; });
      list.emplace_back(name, x(k));
    }
    return inputs;
  }

  std::optional<Residuals> residuals(const Eigen::VectorXd& x) {
    ++runs_;
    SensitiveSolution solution;
    try {
      solution = sensitivities_.run(inputs_at(x));
    } catch (const ModelError& error) {
      if (runs_ == 1) throw;
      failure_ = error.diagnostics().all().empty() ? "" : error.diagnostics().all().front().message;
      return {};
    }
    if (!reached_end(solution.outcome)) {
      failure_ = solution.message;
      return {};
    }
    Residuals found = at_data(solution);
    last_ = std::move(solution);
    return found;
  }

  Residuals at_data(const Solution& solution) {
    if (columns_.empty()) find_columns(solution);
    Residuals found{Eigen::VectorXd(static_cast<Eigen::Index>(points_)),
                    Eigen::MatrixXd(static_cast<Eigen::Index>(points_), size())};
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < data_.times.size(); ++k) {
      const std::vector<double> values = solution.at(data_.times[k]);
      for (std::size_t s = 0; s < data_.series.size(); ++s) {
        const Series& series = data_.series[s];
        if (std::isnan(series.values[k])) continue;
        found.values(row) = (values[columns_[s].value] - series.values[k]) / series.deviation;
        for (Eigen::Index p = 0; p < size(); ++p)
          found.slopes(row, p) = values[columns_[s].slopes[static_cast<std::size_t>(p)]] / series.deviation;
        ++row;
      }
    }
    return found;
  }

  void find_columns(const Solution& solution) {
    for (const double t : {data_.times.front(), data_.times.back()})
      if (!(t >= solution.start && t <= solution.reached))
        refuse(Code::WrongFit,
               fmt::format("the data have the time {}, and the run goes from {} to {}", t, solution.start,
                           solution.reached),
               model_);
    for (const Series& series : data_.series) {
      const auto value = solution.find(series.name);
      std::vector<std::string_view> known;
      for (std::size_t k = 0; k < solution.series(); ++k)
        if (!solution.columns[k].name.starts_with("d(")) known.push_back(solution.columns[k].name);
      if (!value || *value >= solution.series())
        refuse(Code::WrongFit,
               fmt::format("the data have a column '{}', which is no variable of {}{}", series.name, model_.name,
                           did_you_mean(series.name, known)),
               model_);
      ColumnsOf& columns = columns_.emplace_back();
      columns.value = *value;
      for (const Unknown& unknown : unknowns_) {
        const auto slope = solution.find(sensitivity_name(series.name, unknown.name));
        if (!slope)
          refuse(Code::WrongFit, fmt::format("'{}' has no derivatives with respect to parameters", series.name),
                 model_);
        columns.slopes.push_back(*slope);
      }
    }
  }

  Result result(const LeastSquaresResult& found, const Eigen::VectorXd& start, const LeastSquaresProblem& problem) {
    Result result;
    std::vector<Eigen::Index> free;
    for (Eigen::Index k = 0; k < size(); ++k) {
      Estimate& estimate = result.estimates.emplace_back();
      estimate.name = unknowns_[static_cast<std::size_t>(k)].name;
      estimate.value = found.x(k);
      estimate.guess = start(k);
      estimate.standard_error = std::nan("");
      estimate.at_bound = found.x(k) <= problem.lower(k) || found.x(k) >= problem.upper(k);
      if (!estimate.at_bound) free.push_back(k);
    }
    result.points = points_;
    result.explained = explained(found.at.values);
    result.residual = found.at.values.norm();
    const auto freedom = static_cast<double>(points_) - static_cast<double>(free.size());
    result.deviation = freedom > 0.0 ? result.residual / std::sqrt(freedom) : std::nan("");
    result.iterations = found.steps;
    result.converged = is_solution(found.stop);
    result.stop = to_string(found.stop);
    take_errors(found.at.slopes, free, result);
    residuals(found.x);
    result.runs = runs_;
    result.solution = std::move(last_);
    return result;
  }

  std::vector<std::pair<std::string, double>> explained(const Eigen::VectorXd& residuals) const {
    const std::size_t count = data_.series.size();
    std::vector<double> missed(count, 0.0), mean(count, 0.0), variation(count, 0.0), points(count, 0.0);
    Eigen::Index row = 0;
    const auto for_each_point = [&](auto&& f) {
      for (std::size_t k = 0; k < data_.times.size(); ++k)
        for (std::size_t s = 0; s < count; ++s)
          if (const double value = data_.series[s].values[k]; !std::isnan(value)) f(s, value);
    };
    for_each_point([&](std::size_t s, double value) {
      const double residual = residuals(row++) * data_.series[s].deviation;
      missed[s] += residual * residual;
      points[s] += 1.0;
      mean[s] += (value - mean[s]) / points[s];
    });
    for_each_point([&](std::size_t s, double value) { variation[s] += (value - mean[s]) * (value - mean[s]); });
    std::vector<std::pair<std::string, double>> result;
    for (std::size_t s = 0; s < count; ++s)
      result.emplace_back(data_.series[s].name, variation[s] > 0.0 ? 1.0 - missed[s] / variation[s] : std::nan(""));
    return result;
  }

  // Covariance of the linearized model: deviation² (JᵀJ)⁻¹.
  void take_errors(const Eigen::MatrixXd& slopes, const std::vector<Eigen::Index>& free, Result& result) const {
    const auto n = static_cast<Eigen::Index>(free.size());
    result.correlation.assign(static_cast<std::size_t>(size() * size()), 0.0);
    for (Eigen::Index k = 0; k < size(); ++k) result.correlation[static_cast<std::size_t>(k * size() + k)] = 1.0;
    if (n == 0) return;
    Eigen::MatrixXd scaled(slopes.rows(), n);
    Eigen::VectorXd norms(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index k = free[static_cast<std::size_t>(j)];
      norms(j) = slopes.col(k).norm();
      if (norms(j) == 0.0)
        refuse(Code::WrongFit,
               fmt::format("the data do not determine '{}': no measured value depends on it",
                           unknowns_[static_cast<std::size_t>(k)].name),
               model_);
      scaled.col(j) = slopes.col(k) / norms(j);
    }
    const linear::Svd svd = linear::svd(scaled);
    const Eigen::VectorXd& singular = svd.values;
    if (singular(n - 1) < dependent * singular(0)) refuse_dependent(svd.V.col(n - 1), free);
    const Eigen::MatrixXd inverse = svd.V * singular.cwiseInverse().cwiseAbs2().asDiagonal() * svd.V.transpose();
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index a = free[static_cast<std::size_t>(i)];
      result.estimates[static_cast<std::size_t>(a)].standard_error =
          result.deviation * std::sqrt(inverse(i, i)) / norms(i);
      for (Eigen::Index j = 0; j < n; ++j)
        result.correlation[static_cast<std::size_t>(a * size() + free[static_cast<std::size_t>(j)])] =
            inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j));
    }
  }

  [[noreturn]] void refuse_dependent(const Eigen::VectorXd& direction, const std::vector<Eigen::Index>& free) const {
    std::vector<std::string> names;
    for (Eigen::Index j = 0; j < direction.size(); ++j)
      if (std::abs(direction(j)) > 1e-3 * direction.cwiseAbs().maxCoeff())
        names.push_back(unknowns_[static_cast<std::size_t>(free[static_cast<std::size_t>(j)])].name);
    refuse(Code::WrongFit,
           fmt::format("the data do not determine {} apart from each other: a change of one can be made up for by the "
                       "others; fit fewer of them, or measure something else",
                       fmt::join(names, ", ")),
           model_);
  }

  struct ColumnsOf {
    std::size_t value = 0;
    std::vector<std::size_t> slopes = {};
  };

  const Compiled& compiled_;
  const Model& model_;
  const Data& data_;
  const std::vector<Unknown>& unknowns_;
  const Options& options_;
  Sensitivities sensitivities_;
  std::vector<bool> is_start_;
  std::vector<ColumnsOf> columns_;  // of the solution, by series of the data
  std::size_t points_ = 0;
  int runs_ = 0;
  std::string failure_;
  SensitiveSolution last_;
};

}  // namespace

std::variant<Data, std::string> read_data(const std::filesystem::path& path) {
  const auto read = read_csv(path);
  if (const auto* problem = std::get_if<std::string>(&read)) return *problem;
  const Solution& rows = std::get<Solution>(read);
  Data data{rows.times, {}};
  for (const Column& column : rows.columns) data.series.push_back({column.name, rows.column(column.name)});
  return data;
}

Result fit(const Compiled& compiled, const Data& data, const std::vector<Unknown>& unknowns, const Options& options) {
  return Fit(compiled, data, unknowns, options)();
}

}  // namespace driftless::fit
