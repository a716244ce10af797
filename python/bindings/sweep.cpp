// Sweeps: columns of results as arrays.
#include "python/bindings/bindings.hpp"

#include <atomic>

#include "driftless/archive/archive.hpp"
#include "driftless/sweep/row_file.hpp"

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

// Collects rows into columns as they arrive.
struct Columns {
  std::vector<double> values, results, reached, trajectories;
  std::vector<std::string> outcomes, codes, messages;

  void add(const sweep::Row& row) {
    values.insert(values.end(), row.values.begin(), row.values.end());
    results.insert(results.end(), row.results.begin(), row.results.end());
    reached.push_back(row.reached);
    trajectories.insert(trajectories.end(), row.trajectory.begin(), row.trajectory.end());
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

// The rows of a sweep as they arrive, in columns and in a file.
class Table {
 public:
  Table(const Compiled& compiled, const Model& model, const py::list& vary, std::optional<std::size_t> runs,
        std::uint64_t seed, const std::vector<std::string>& keep, const std::vector<std::string>& trajectories,
        const py::dict& inputs, const std::string& output, bool resume, const std::string& identity)
      : plan_(plan_of(vary, runs, seed)),
        name_(compiled.model().name),
        kept_(unlocked(*compiled.model().sources, [&] { return sweep::kept(compiled.model(), keep); })),
        followed_(unlocked(*compiled.model().sources,
                           [&, given = sweep::Options{.trajectories = trajectories, .inputs = run_inputs(inputs)}] {
                             return sweep::followed(compiled, given);
                           })),
        summary_(kept_) {
    std::string names;
    for (const sweep::Kept& one : kept_) names += " " + one.text;
    for (const std::string& name : followed_.names) names += " follow " + name;
    if (output.empty()) return;
    if (!sweep::RowFile::names(output))
      throw py::value_error("a sweep is written as .csv or .h5, not as '" + output + "'");
    if (!trajectories.empty() && !sweep::RowFile::is_hdf5(output))
      throw py::value_error("trajectories go into a file of HDF5: output='sweep.h5'");
    file_ = std::make_unique<sweep::RowFile>(
        output, identity + " " + std::to_string(sweep::fingerprint(model)) + " " + plan_.text() + " keep" + names,
        name_, plan_, kept_, followed_);
    if (!resume) return;
    auto known = file_->resume(true);
    if (const auto* problem = std::get_if<std::string>(&known)) raise_os_error(*problem);
    for (const sweep::Row& row : std::get<0>(known)) add(row);
  }

  std::size_t rows() const { return summary_.rows(); }
  const sweep::Plan& plan() const { return plan_; }

  bool take(const sweep::Row& row) {
    add(row);
    return !file_ || file_->write(row);
  }

  // Takes blocks in their order.
  void take_block(const std::string& bytes) {
    std::vector<sweep::Row> rows;
    Archive archive(std::as_bytes(std::span(bytes.data(), bytes.size())));
    archive(rows);
    for (const sweep::Row& row : rows) {
      if (row.run != summary_.rows()) throw std::logic_error("rows of a sweep come in their order");
      if (!take(row)) raise_os_error(file_->problem());
    }
  }

  py::dict finish(bool interrupted) {
    if (file_) {
      std::optional<std::string> problem;
      if (summary_.rows() == plan_.runs()) problem = file_->commit();
      file_->flush();
      if (!problem && !file_->problem().empty()) problem = file_->problem();
      if (problem) raise_os_error(*problem);
    }
    std::vector<std::string> varied, texts;
    for (const sweep::Variation& variation : plan_.variations()) varied.push_back(variation.name);
    for (const sweep::Kept& one : kept_) texts.push_back(one.text);
    py::dict result;
    result["model"] = name_;
    result["runs"] = plan_.runs();
    result["varied"] = varied;
    result["kept"] = texts;
    result["values"] = table_of(columns_.values, varied.size());
    result["results"] = table_of(columns_.results, texts.size());
    result["reached"] = py::array_t<double>(static_cast<py::ssize_t>(columns_.reached.size()), columns_.reached.data());
    result["outcomes"] = columns_.outcomes;
    result["codes"] = columns_.codes;
    result["messages"] = columns_.messages;
    result["followed"] = followed_.names;
    result["time"] = py::array_t<double>(static_cast<py::ssize_t>(followed_.times.size()), followed_.times.data());
    const std::size_t in_run = followed_.names.size() * followed_.times.size();
    result["trajectories"] = table_of(columns_.trajectories, in_run)
                                 .reshape({static_cast<py::ssize_t>(in_run == 0 ? 0 : summary_.rows()),
                                           static_cast<py::ssize_t>(followed_.times.size()),
                                           static_cast<py::ssize_t>(followed_.names.size())});
    result["summary"] = summary_.text();
    result["interrupted"] = interrupted;
    return result;
  }

 private:
  void add(const sweep::Row& row) {
    columns_.add(row);
    summary_.add(row);
  }

  const sweep::Plan plan_;
  std::string name_;
  std::vector<sweep::Kept> kept_;
  sweep::Followed followed_;
  std::unique_ptr<sweep::RowFile> file_;
  Columns columns_;
  sweep::Summary summary_;
};

// In threads of this process.
py::dict run_sweep(Table& table, const Compiled& compiled, const std::vector<std::string>& keep,
                   const std::vector<std::string>& trajectories, unsigned threads, const py::dict& inputs,
                   const py::object& progress) {
  Watch watch(progress);
  std::atomic<std::size_t> done = table.rows();
  sweep::Options options{.keep = keep,
                         .trajectories = trajectories,
                         .inputs = run_inputs(inputs),
                         .threads = threads,
                         .first = table.rows()};
  options.goes_on = [&] { return watch.ask(static_cast<double>(done)); };
  unlocked(*compiled.model().sources, [&] {
    return sweep::run(compiled, table.plan(), options, [&](const sweep::Row& row) {
      ++done;
      return table.take(row);
    });
  });
  return table.finish(watch.was_interrupted());
}

// Executes some of the runs in another process; returns their rows as bytes.
py::bytes run_block(const Compiled& compiled, const py::list& vary, std::optional<std::size_t> runs, std::uint64_t seed,
                    const std::vector<std::string>& keep, const std::vector<std::string>& trajectories,
                    const py::dict& inputs, std::size_t first, std::size_t count) {
  const sweep::Plan plan = plan_of(vary, runs, seed);
  const sweep::Options options{.keep = keep, .trajectories = trajectories, .inputs = run_inputs(inputs)};
  std::vector<sweep::Row> rows =
      unlocked(*compiled.model().sources, [&] { return sweep::run_block(compiled, plan, options, first, count); });
  Archive archive;
  archive(rows);
  return py::bytes(reinterpret_cast<const char*>(archive.bytes().data()), archive.bytes().size());
}

}  // namespace

void bind_sweep(py::module_& m) {
  py::class_<Table>(m, "SweepTable", "The rows of a sweep as they come, in columns and in a file.")
      .def(py::init<const Compiled&, const Model&, const py::list&, std::optional<std::size_t>, std::uint64_t,
                    const std::vector<std::string>&, const std::vector<std::string>&, const py::dict&,
                    const std::string&, bool, const std::string&>())
      .def_property_readonly("rows", &Table::rows)
      .def_property_readonly("runs", [](const Table& table) { return table.plan().runs(); })
      .def("take_block", &Table::take_block)
      .def("finish", &Table::finish);
  m.def("sweep", &run_sweep);
  m.def("sweep_block", &run_block);
  m.def("fingerprint", [](const Model& model) { return sweep::fingerprint(model); });
}

}  // namespace driftless::python
