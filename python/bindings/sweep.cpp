// Sweeps: columns of results as arrays.
#include "python/bindings/bindings.hpp"

#include <atomic>

#include "driftless/sweep/table.hpp"

namespace driftless::python {
namespace {

sweep::Plan plan_of(const py::list& vary, std::optional<std::size_t> runs, std::uint64_t seed) {
  std::vector<sweep::Variation> variations;
  for (const py::handle one : vary) {
    const auto pair = one.cast<py::tuple>();
    const auto name = pair[0].cast<std::string>();
    if (!py::isinstance<py::str>(pair[1])) {
      variations.push_back({.name = name, .values = pair[1].cast<std::vector<double>>()});
      continue;
    }
    auto parsed = sweep::parse_variation(name + "=" + pair[1].cast<std::string>());
    if (const auto* problem = std::get_if<std::string>(&parsed)) throw py::value_error(*problem);
    variations.push_back(std::move(std::get<sweep::Variation>(parsed)));
  }
  auto plan = sweep::Plan::make(std::move(variations), {.runs = runs, .seed = seed});
  if (const auto* problem = std::get_if<std::string>(&plan)) throw py::value_error(*problem);
  return std::move(std::get<sweep::Plan>(plan));
}

// Column by column, as the rows come.
struct Columns {
  std::vector<double> values, results, reached;
  std::vector<std::string> outcomes, codes, messages;

  void add(const sweep::Row& row) {
    values.insert(values.end(), row.values.begin(), row.values.end());
    results.insert(results.end(), row.results.begin(), row.results.end());
    reached.push_back(row.reached);
    outcomes.push_back(row.outcome);
    codes.push_back(row.code);
    messages.push_back(row.message);
  }
};

py::array_t<double> table_of(const std::vector<double>& numbers, std::size_t width) {
  const std::size_t rows = width == 0 ? 0 : numbers.size() / width;
  py::array_t<double> result({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(width)});
  std::copy(numbers.begin(), numbers.end(), result.mutable_data());
  return result;
}

[[noreturn]] void raise_os_error(const std::string& problem) {
  PyErr_SetString(PyExc_OSError, problem.c_str());
  throw py::error_already_set();
}

py::dict run_sweep(const Compiled& compiled, const Model& model, const py::list& vary, std::optional<std::size_t> runs,
                   std::uint64_t seed, const std::vector<std::string>& keep, unsigned threads, const py::dict& inputs,
                   const std::string& output, bool resume, const std::string& identity, const py::object& progress) {
  const sweep::Plan plan = plan_of(vary, runs, seed);
  const Sources& sources = *compiled.model().sources;
  const std::vector<sweep::Kept> kept = unlocked(sources, [&] { return sweep::kept(compiled.model(), keep); });
  std::unique_ptr<sweep::TableFile> file;
  std::string names;
  for (const sweep::Kept& one : kept) names += " " + one.text;
  if (!output.empty())
    file = std::make_unique<sweep::TableFile>(
        output, identity + " " + std::to_string(sweep::fingerprint(model)) + " " + plan.text() + " keep" + names, plan,
        kept);
  Columns columns;
  sweep::Summary summary(kept);
  const auto add = [&](const sweep::Row& row) {
    columns.add(row);
    summary.add(row);
  };
  if (file && resume) {
    auto known = file->resume();
    if (const auto* problem = std::get_if<std::string>(&known)) raise_os_error(*problem);
    for (const sweep::Row& row : std::get<0>(known)) add(row);
  }
  Watch watch(progress);
  std::atomic<std::size_t> done = summary.rows();
  sweep::Options options{.keep = keep, .inputs = run_inputs(inputs), .threads = threads, .first = summary.rows()};
  options.goes_on = [&] { return watch.ask(static_cast<double>(done)); };
  unlocked(sources, [&] {
    return sweep::run(compiled, plan, options, [&](const sweep::Row& row) {
      add(row);
      ++done;
      return !file || file->write(row);
    });
  });
  const bool interrupted = watch.was_interrupted();
  if (file) {
    std::optional<std::string> problem;
    if (summary.rows() == plan.runs()) problem = file->commit();
    file->flush();
    if (!problem && !file->problem().empty()) problem = file->problem();
    if (problem) raise_os_error(*problem);
  }
  std::vector<std::string> varied, texts;
  for (const sweep::Variation& variation : plan.variations()) varied.push_back(variation.name);
  for (const sweep::Kept& one : kept) texts.push_back(one.text);
  py::dict result;
  result["model"] = compiled.model().name;
  result["runs"] = plan.runs();
  result["varied"] = varied;
  result["kept"] = texts;
  result["values"] = table_of(columns.values, varied.size());
  result["results"] = table_of(columns.results, texts.size());
  result["reached"] = py::array_t<double>(static_cast<py::ssize_t>(columns.reached.size()), columns.reached.data());
  result["outcomes"] = columns.outcomes;
  result["codes"] = columns.codes;
  result["messages"] = columns.messages;
  result["summary"] = summary.text();
  result["interrupted"] = interrupted;
  return result;
}

}  // namespace

void bind_sweep(py::module_& m) {
  m.def("sweep", &run_sweep);
  m.def("planned_runs",
        [](const py::list& vary, std::optional<std::size_t> runs) { return plan_of(vary, runs, 0).runs(); });
}

}  // namespace driftless::python
