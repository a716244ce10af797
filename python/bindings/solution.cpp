// The solution of a run. Trajectories are views of the memory of the solution, which they keep alive.
#include "python/bindings/bindings.hpp"

#include "driftless/archive/archive.hpp"
#include "driftless/diagnostics/spelling.hpp"
#include "driftless/report/report.hpp"
#include "driftless/solution/event_table.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_csv.hpp"
#include "driftless/solution/write_json.hpp"
#include "driftless/solution/write_mat.hpp"

namespace driftless::python {
namespace {

using Held = std::shared_ptr<HeldSolution>;

// Every `stride`-th number, read-only; `owner` lives as long as the view.
py::array view(const double* first, std::size_t count, std::size_t stride, const py::object& owner) {
  py::array_t<double> result({static_cast<py::ssize_t>(count)}, {static_cast<py::ssize_t>(stride * sizeof(double))},
                             first, owner);
  py::detail::array_proxy(result.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return result;
}

py::object column(const py::object& self, const std::string& name) {
  const Solution& s = self.cast<Held>()->solution;
  if (name == "time") return view(s.times.data(), s.times.size(), 1, self);
  const auto found = s.find(name);
  if (!found) {
    std::vector<std::string_view> known;
    for (const Column& one : s.columns) known.push_back(one.name);
    throw py::key_error(s.model + " has no variable or parameter '" + name + "'" + did_you_mean(name, known));
  }
  if (s.columns[*found].is_parameter) return py::float_(s.columns[*found].parameter_value);
  return view(s.values.data() + *found, s.times.size(), s.series(), self);
}

// All series at these times: an array of times x series.
py::array_t<double> at(const Held& held, const py::array_t<double, py::array::c_style | py::array::forcecast>& times) {
  const Solution& s = held->solution;
  const std::size_t count = static_cast<std::size_t>(times.size()), width = s.series();
  py::array_t<double> result({static_cast<py::ssize_t>(count), static_cast<py::ssize_t>(width)});
  const double* t = times.data();
  double* to = result.mutable_data();
  const py::gil_scoped_release release;
  const std::lock_guard lock(held->dense);
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> row = s.at(t[k]);
    std::copy(row.begin(), row.end(), to + k * width);
  }
  return result;
}

py::dict statistics_of(const Solution& s) {
  const Statistics& n = s.statistics;
  py::dict result;
  result["steps"] = n.steps;
  result["rejected_steps"] = n.rejected_steps;
  result["convergence_failures"] = n.convergence_failures;
  result["residual_evaluations"] = n.residual_evaluations;
  result["newton_iterations"] = n.newton_iterations;
  result["jacobian_evaluations"] = n.jacobian_evaluations;
  result["factorizations"] = n.factorizations;
  result["projections"] = n.projections;
  result["pivots"] = n.pivots;
  result["events"] = n.events;
  result["event_iterations"] = n.event_iterations;
  result["smallest_step"] = n.smallest_step;
  result["largest_step"] = n.largest_step;
  result["mean_order"] = n.mean_order;
  result["evaluation"] = to_string(n.evaluation);
  py::dict seconds;
  seconds["analyze"] = n.seconds.analyze;
  seconds["compile"] = n.seconds.compile;
  seconds["initialize"] = n.seconds.initialize;
  seconds["integrate"] = n.seconds.integrate;
  result["seconds"] = seconds;
  return result;
}

py::list certificate_of(const Solution& s) {
  py::list list;
  for (const CertificateEntry& e : s.certificate)
    list.append(py::make_tuple(e.constraint, e.line, e.level, e.text, e.max_residual, e.at_time, e.max_relative,
                               e.imposed, e.kept(s.bound)));
  return list;
}

py::list changes(const std::vector<ChangeOfValue>& values) {
  py::list list;
  for (const ChangeOfValue& change : values) list.append(py::make_tuple(change.name, change.from, change.to));
  return list;
}

py::list events_of(const Solution& s) {
  py::list list;
  for (const Event& event : s.events) {
    py::list impulses;
    for (const Impulse& impulse : event.impulses)
      impulses.append(py::make_tuple(impulse.name, impulse.size, impulse.unit));
    list.append(
        py::make_tuple(event.time, event.causes, changes(event.discrete), changes(event.jumps), impulses, event.mode));
  }
  return list;
}

py::array_t<double> event_time_slopes(const HeldSolution& held) {
  const std::size_t width = held.event_times.empty() ? 0 : held.event_times.front().slopes.size();
  py::array_t<double> result({static_cast<py::ssize_t>(held.event_times.size()), static_cast<py::ssize_t>(width)});
  double* to = result.mutable_data();
  for (const EventTimeSensitivity& event : held.event_times)
    to = std::copy(event.slopes.begin(), event.slopes.end(), to);
  return result;
}

py::list columns_of(const Solution& s) {
  py::list list;
  for (const Column& c : s.columns)
    list.append(py::make_tuple(c.name, c.unit, c.description, c.is_derivative, c.is_parameter));
  return list;
}

void write(const Held& held, const std::string& path) {
  const Solution& s = held->solution;
  std::optional<std::string> problem;
  {
    const py::gil_scoped_release release;
    if (path.ends_with(".csv"))
      problem = write_csv(s, path);
    else if (path.ends_with(".mat"))
      problem = write_mat(s, path);
    else if (path.ends_with(".json"))
      problem = write_file(path, to_json(s));
    else
      problem = "files of solutions end in .csv, .mat or .json, and '" + path + "' does not";
  }
  raise_if_not_written(problem);
}

// A page about a run of the model.
void report(const Held& held, const std::string& path, const std::vector<std::string>& names,
            const std::shared_ptr<Model>& model, const DeclaredAnimation* animation) {
  std::optional<std::string> problem;
  {
    const py::gil_scoped_release release;
    ReportOptions options{.shown = names};
    if (animation) options.animation = animation->shapes;
    problem = write_file(path, html_report(model, held->solution, std::move(options)));
  }
  raise_if_not_written(problem);
}

// Everything but dense output, which needs the equations.
py::bytes bytes_of(const HeldSolution& held) {
  Solution copy = held.solution;
  copy.segments.clear();
  Archive archive;
  copy.archive(archive);
  std::vector<EventTimeSensitivity> event_times = held.event_times;
  std::size_t count = event_times.size();
  archive(count);
  for (EventTimeSensitivity& one : event_times) archive(one.time, one.causes, one.slopes);
  return py::bytes(reinterpret_cast<const char*>(archive.bytes().data()), archive.bytes().size());
}

Held solution_of(const py::bytes& state) {
  const std::string bytes = state;
  Archive archive(std::as_bytes(std::span(bytes.data(), bytes.size())));
  const auto held = std::make_shared<HeldSolution>();
  held->solution.archive(archive);
  std::size_t count = 0;
  archive(count);
  for (std::size_t k = 0; k < count; ++k) {
    EventTimeSensitivity& one = held->event_times.emplace_back();
    archive(one.time, one.causes, one.slopes);
  }
  return held;
}

template <class T>
auto member(T Solution::*place) {
  return [place](const HeldSolution& held) { return held.solution.*place; };
}

}  // namespace

void raise_if_not_written(const std::optional<std::string>& problem) {
  if (!problem) return;
  PyErr_SetString(PyExc_OSError, problem->c_str());
  throw py::error_already_set();
}

void bind_solution(py::module_& m) {
  py::class_<HeldSolution, Held>(m, "Solution")
      .def_property_readonly("model", member(&Solution::model))
      .def_property_readonly("outcome", [](const HeldSolution& h) { return to_code(h.solution.outcome); })
      .def_property_readonly("outcome_text", [](const HeldSolution& h) { return to_string(h.solution.outcome); })
      .def_property_readonly("code",
                             [](const HeldSolution& h) -> std::optional<std::string> {
                               if (!h.solution.code) return {};
                               return to_string(*h.solution.code);
                             })
      .def_property_readonly("message", member(&Solution::message))
      .def_property_readonly("details", member(&Solution::details))
      .def_property_readonly("notes", member(&Solution::remarks))
      .def_property_readonly("start", member(&Solution::start))
      .def_property_readonly("stop", member(&Solution::stop))
      .def_property_readonly("reached", member(&Solution::reached))
      .def_property_readonly("tolerance", member(&Solution::tolerance))
      .def_property_readonly("method", member(&Solution::method))
      .def_property_readonly("formulation", member(&Solution::formulation))
      .def_property_readonly("largest_residual", [](const HeldSolution& h) { return h.solution.largest_residual(); })
      .def_property_readonly("is_dense", [](const HeldSolution& h) { return bool(h.solution.observer); })
      .def_property_readonly("statistics", [](const HeldSolution& h) { return statistics_of(h.solution); })
      .def_property_readonly("certificate", [](const HeldSolution& h) { return certificate_of(h.solution); })
      .def_property_readonly("events", [](const HeldSolution& h) { return events_of(h.solution); })
      .def_property_readonly("event_time_slopes", &event_time_slopes)
      .def_property_readonly("columns", [](const HeldSolution& h) { return columns_of(h.solution); })
      .def("column", &column)
      .def("values",
           [](const py::object& self) {
             const Solution& s = self.cast<Held>()->solution;
             const auto rows = static_cast<py::ssize_t>(s.times.size());
             const py::array flat = view(s.values.data(), s.values.size(), 1, self);
             return flat.attr("reshape")(rows, static_cast<py::ssize_t>(s.series()));
           })
      .def("find", [](const HeldSolution& h, const std::string& name) { return h.solution.find(name); })
      .def("at", &at)
      .def("summary", [](const HeldSolution& h, int width) { return summary(h.solution, {.width = width}); })
      .def("event_table", [](const HeldSolution& h) { return event_table(h.solution); })
      .def("report", &report)
      .def("write", &write)
      .def(py::pickle(&bytes_of, &solution_of));
}

}  // namespace driftless::python
