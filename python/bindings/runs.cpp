// Runs: options from keyword arguments, compiled models, a run as an object.
#include "python/bindings/bindings.hpp"

#include "driftless/input_file.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"
#include "driftless/simulation.hpp"

namespace driftless::python {
namespace {

// A function of Python, called with the lock, wherever the library calls, copies or drops it.
InputFunction locked_function(py::object function) {
  const std::shared_ptr<py::object> held(new py::object(std::move(function)), [](py::object* object) {
    const py::gil_scoped_acquire lock;
    delete object;
  });
  return [held](double t) {
    const py::gil_scoped_acquire lock;
    return (*held)(t).cast<double>();
  };
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

InputSignal signal_of(const std::string& name, const py::handle& value) {
  if (PyCallable_Check(value.ptr())) return locked_function(py::reinterpret_borrow<py::object>(value));
  if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value))
    return InputTable{{0.0}, {value.cast<double>()}};
  if (py::isinstance<py::sequence>(value) && py::len(value) == 2) {
    const auto pair = py::reinterpret_borrow<py::sequence>(value);
    const Numbers times = pair[0].cast<Numbers>(), values = pair[1].cast<Numbers>();
    if (times.ndim() == 1 && values.ndim() == 1 && times.size() == values.size())
      return InputTable{{times.data(), times.data() + times.size()}, {values.data(), values.data() + values.size()}};
  }
  throw py::type_error("the input '" + name +
                       "' is driven by a number, a function of time, or a pair of times and values of equal length");
}

NamedSignals signals_of(const py::dict& given) {
  NamedSignals signals;
  if (!given.contains("inputs") || given["inputs"].is_none()) return signals;
  if (py::isinstance<py::str>(given["inputs"])) {
    auto table = read_input_file(given["inputs"].cast<std::string>());
    if (const auto* problem = std::get_if<std::string>(&table)) throw py::value_error(*problem);
    return std::move(std::get<NamedSignals>(table));
  }
  for (const auto& [key, value] : given["inputs"].cast<py::dict>()) {
    const auto name = key.cast<std::string>();
    signals.emplace_back(name, signal_of(name, value));
  }
  return signals;
}

void check_tolerance(const std::optional<double>& tolerance, const Method& method) {
  const double smallest = smallest_tolerance(method);
  if (tolerance && !(*tolerance >= smallest && *tolerance <= 0.1))
    throw py::value_error("the tolerance " + std::string(py::str(py::float_(*tolerance))) + " is not between " +
                          std::string(py::str(py::float_(smallest))) + " and 0.1");
}

py::tuple result_of(Solution solution, Watch& watch) {
  auto held = std::make_shared<HeldSolution>();
  held->solution = std::move(solution);
  return py::make_tuple(std::move(held), watch.was_interrupted());
}

py::tuple simulate_compiled(const Compiled& compiled, const py::dict& given, const py::object& progress) {
  Watch watch(progress);
  RunInputs inputs = run_inputs(given);
  check_tolerance(inputs.tolerance, compiled.options().method);
  inputs.progress = [&watch](double t) { return watch(t); };
  std::vector<std::string> names;
  take(given, "sensitivities", names);
  const Sources& sources = *compiled.model().sources;
  if (names.empty()) return result_of(unlocked(sources, [&] { return driftless::simulate(compiled, inputs); }), watch);
  SensitiveSolution solution = unlocked(sources, [&] { return driftless::simulate(compiled, inputs, names); });
  auto held = std::make_shared<HeldSolution>();
  held->event_times = std::move(solution.event_times);
  held->solution = std::move(solution);
  return py::make_tuple(std::move(held), watch.was_interrupted());
}

// One thread at a time: this lock is taken without the interpreter's lock, which a thread that holds this lock may be
// waiting for.
class LockedSimulation {
 public:
  LockedSimulation(const Compiled& compiled, const py::dict& given, const py::object& progress)
      : compiled_(compiled), watch_(std::make_unique<Watch>(progress)) {
    RunInputs inputs = run_inputs(given);
    check_tolerance(inputs.tolerance, compiled.options().method);
    inputs.progress = asks();
    run_ = unlocked(sources(), [&] { return std::make_unique<Simulation>(compiled, inputs); });
  }

  LockedSimulation(const Compiled& compiled, const std::string& bytes, const py::object& progress)
      : compiled_(compiled), watch_(std::make_unique<Watch>(progress)) {
    run_ = unlocked(sources(), [&] {
      return std::make_unique<Simulation>(
          Simulation::restore(compiled, std::as_bytes(std::span(bytes.data(), bytes.size())), {}, asks()));
    });
  }

  template <class F>
  auto with(F&& f) {
    return unlocked(sources(), [&] { return with_lock(f); });
  }

  // Without the lock of the interpreter.
  template <class F>
  auto with_lock(F&& f) {
    const std::lock_guard lock(mutex_);
    if (!run_) throw std::runtime_error("the run is finished: its solution was given away");
    return f(*run_);
  }

  py::tuple finish() {
    Solution solution = with([&](Simulation& run) {
      Solution result = run.finish();
      run_.reset();
      return result;
    });
    return result_of(std::move(solution), *watch_);
  }

  bool is_running() {
    const std::lock_guard lock(mutex_);
    return run_ != nullptr;
  }

  bool was_interrupted() { return watch_->was_interrupted(); }

  const Sources& sources() const { return *compiled_.model().sources; }

 private:
  std::function<bool(double)> asks() {
    return [watch = watch_.get()](double t) { return (*watch)(t); };
  }

  Compiled compiled_;
  std::unique_ptr<Watch> watch_;
  std::mutex mutex_;
  std::unique_ptr<Simulation> run_;
};

void bind_simulation(py::module_& m) {
  using Run = LockedSimulation;
  py::class_<Run>(m, "Simulation")
      .def(py::init<const Compiled&, const py::dict&, const py::object&>())
      .def_static("restore",
                  [](const Compiled& compiled, const py::bytes& bytes, const py::object& progress) {
                    return std::make_unique<Run>(compiled, std::string(bytes), progress);
                  })
      .def_property_readonly("time", [](Run& r) { return r.with([](Simulation& s) { return s.time(); }); })
      .def_property_readonly("stop", [](Run& r) { return r.with([](Simulation& s) { return s.stop(); }); })
      .def_property_readonly("outcome",
                             [](Run& r) { return r.with([](Simulation& s) { return to_code(s.outcome()); }); })
      .def_property_readonly("message", [](Run& r) { return r.with([](Simulation& s) { return s.message(); }); })
      .def("advance_to",
           [](Run& r, double t) {
             const char* outcome = r.with([t](Simulation& s) { return to_code(s.advance_to(t)); });
             return py::make_tuple(outcome, r.was_interrupted());
           })
      .def("values",
           [](Run& r, const std::vector<std::string>& names) {
             return r.with([&](Simulation& s) {
               std::vector<double> values;
               for (const std::string& name : names) values.push_back(s.value(name));
               return values;
             });
           })
      .def("set",
           [](Run& r, const py::dict& given) {
             const NamedValues values = named_values(py::dict(py::arg("values") = given), "values");
             r.with([&](Simulation& s) { s.set(values); });
           })
      .def("solution",
           [](Run& r) {
             auto held = std::make_shared<HeldSolution>();
             held->solution = r.with([](Simulation& s) { return s.solution(); });
             held->solution.observer = {};  // it belongs to the run, which continues
             return held;
           })
      .def("linearize",
           [](Run& r, const py::dict& given) {
             const LinearizeOptions options = linearize_options(given);
             return linearized(r.sources(),
                               [&] { return r.with_lock([&](Simulation& s) { return linearize(s, options); }); });
           })
      .def("save",
           [](Run& r) {
             const std::vector<std::byte> bytes = r.with([](Simulation& s) { return s.save(); });
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def_property_readonly("is_running", &Run::is_running)
      .def("finish", &Run::finish);
}

}  // namespace

NamedValues named_values(const py::dict& given, const char* name) {
  NamedValues values;
  if (!given.contains(name) || given[name].is_none()) return values;
  for (const auto& [key, value] : given[name].cast<py::dict>()) {
    const auto quantity = key.cast<std::string>();
    if (!PyFloat_Check(value.ptr()) && !PyLong_Check(value.ptr()) && !py::hasattr(value, "__float__"))
      throw py::type_error(std::string(name) + ": '" + quantity + "' is not a number");
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();
    values.emplace_back(quantity, number);
  }
  return values;
}

SimulateOptions simulate_options(const py::dict& given) {
  SimulateOptions options;
  take(given, "start", options.start);
  take(given, "stop", options.stop);
  take(given, "tol", options.tolerance);
  take(given, "intervals", options.intervals);
  take(given, "step", options.step);
  take(given, "max_step", options.max_step);
  take(given, "max_steps", options.max_steps);
  take(given, "dense", options.dense);
  take(given, "sliding", options.sliding);
  options.tolerances = named_values(given, "tolerances");
  options.inputs = signals_of(given);
  choose(given, "formulation", parse_formulation, formulation_names(), options.formulation);
  choose(given, "method", parse_method, method_families(), options.method);
  choose(given, "projection", parse_projection, projection_names(), options.projection);
  std::optional<std::string> backend;
  take(given, "backend", backend);
  if (backend) {
    options.backend = *backend == "interpreter" ? Backend::Interpreter
                      : *backend == "llvm"      ? Backend::Llvm
                      : *backend == "adaptive"  ? Backend::Adaptive
                                                : throw py::value_error("backend is adaptive, llvm or interpreter");
    if (!backend_available(options.backend)) throw py::value_error("this build has no machine code (LLVM)");
  }
  if (const auto problem = step_problem(options.method, options.step)) throw py::value_error(*problem);
  if (!options.step) check_tolerance(options.tolerance, options.method);
  return options;
}

RunInputs run_inputs(const py::dict& given) {
  RunInputs inputs;
  inputs.parameters = named_values(given, "parameters");
  inputs.starts = named_values(given, "starts");
  inputs.inputs = signals_of(given);
  take(given, "start", inputs.start);
  take(given, "stop", inputs.stop);
  take(given, "tol", inputs.tolerance);
  take(given, "step", inputs.step);
  take(given, "max_step", inputs.max_step);
  take(given, "intervals", inputs.intervals);
  take(given, "dense", inputs.dense);
  return inputs;
}

void bind_runs(py::module_& m) {
  py::class_<Compiled>(m, "Compiled")
      .def_property_readonly("name", [](const Compiled& c) { return c.model().name; })
      .def_property_readonly("seconds_of_analysis", &Compiled::seconds_of_analysis)
      .def_property_readonly("seconds_of_compilation", &Compiled::seconds_of_compilation)
      .def("simulate", &simulate_compiled);
  m.def("compile", [](const std::shared_ptr<Model>& model, const py::dict& given) {
    const SimulateOptions options = simulate_options(given);
    return unlocked(*model->sources, [&] { return compile(std::shared_ptr<const Model>(model), options); });
  });
  bind_simulation(m);
}

}  // namespace driftless::python
