// Parameters from measurements.
#include "python/bindings/bindings.hpp"

#include "driftless/fit/fit.hpp"

namespace driftless::python {
namespace {

fit::Data data_of(const py::object& given, const py::dict& deviations) {
  fit::Data data;
  if (py::isinstance<py::str>(given)) {
    auto read = fit::read_data(given.cast<std::string>());
    if (const auto* problem = std::get_if<std::string>(&read)) throw py::value_error(*problem);
    data = std::move(std::get<fit::Data>(read));
  } else {
    for (const auto& [key, values] : given.cast<py::dict>()) {
      const auto name = key.cast<std::string>();
      if (name == "time")
        data.times = values.cast<std::vector<double>>();
      else
        data.series.push_back({name, values.cast<std::vector<double>>()});
    }
  }
  for (const auto& [key, value] : deviations) {
    const auto name = key.cast<std::string>();
    const auto series =
        std::find_if(data.series.begin(), data.series.end(), [&](const fit::Series& one) { return one.name == name; });
    if (series == data.series.end()) throw py::value_error("deviations: '" + name + "' is not among the data");
    series->deviation = value.cast<double>();
  }
  return data;
}

py::dict run_fit(const Compiled& compiled, const py::object& data, const py::dict& deviations,
                 const py::list& parameters, const py::dict& inputs, double tolerance, int most_iterations) {
  std::vector<fit::Unknown> unknowns;
  for (const py::handle one : parameters) {
    const auto [name, guess, lower, upper] = one.cast<std::tuple<std::string, std::optional<double>, double, double>>();
    unknowns.push_back({name, guess, lower, upper});
  }
  const fit::Data measured = data_of(data, deviations);
  Watch watch;
  fit::Options options{.inputs = run_inputs(inputs), .tolerance = tolerance, .most_iterations = most_iterations};
  options.inputs.progress = [&watch](double t) { return watch(t); };
  fit::Result found =
      unlocked(*compiled.model().sources, [&] { return fit::fit(compiled, measured, unknowns, options); });
  if (watch.was_interrupted()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  py::list estimates;
  for (const fit::Estimate& one : found.estimates)
    estimates.append(py::make_tuple(one.name, one.value, one.standard_error, one.guess, one.at_bound));
  const auto n = static_cast<py::ssize_t>(found.estimates.size());
  py::array_t<double> correlation({n, n});
  std::copy(found.correlation.begin(), found.correlation.end(), correlation.mutable_data());
  py::dict result;
  result["estimates"] = estimates;
  result["correlation"] = correlation;
  result["residual"] = found.residual;
  result["deviation"] = found.deviation;
  result["measurements"] = found.points;
  py::dict explained;
  for (const auto& [name, part] : found.explained) explained[py::str(name)] = part;
  result["explained"] = explained;
  result["iterations"] = found.iterations;
  result["runs"] = found.runs;
  result["converged"] = found.converged;
  result["stop"] = found.stop;
  result["text"] = fit::to_text(found);
  auto held = std::make_shared<HeldSolution>();
  held->event_times = std::move(found.solution.event_times);
  held->solution = std::move(found.solution);
  result["solution"] = held;
  return result;
}

}  // namespace

void bind_fit(py::module_& m) { m.def("fit", &run_fit); }

}  // namespace driftless::python
