// Shared by the parts of the module: names, errors with their places in the text, and calls that release Python's lock
// while the library works.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "driftless/compiled.hpp"
#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/linearize.hpp"
#include "driftless/model/animation.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/sensitivities.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless::python {

namespace py = pybind11;

// Each declares its classes and functions.
void bind_expressions(py::module_& m);
void bind_models(py::module_& m);
void bind_solution(py::module_& m);
void bind_runs(py::module_& m);
void bind_sweep(py::module_& m);
void bind_fit(py::module_& m);
void bind_linearize(py::module_& m);
void bind_boundary(py::module_& m);
void bind_pictures(py::module_& m);

// A diagnostic with its place in the text as a Python dictionary.
py::dict located(const Diagnostic& diagnostic, const Sources& sources);
py::list located(const Diagnostics& diagnostics, const Sources& sources);

// Raises driftless.ModelError with the diagnostics.
[[noreturn]] void raise_model_error(const ModelError& error, const Sources& sources);

// Calls f without the lock of the interpreter. A ModelError becomes a Python exception with the places in these
// sources.
template <class F>
auto unlocked(const Sources& sources, F&& f) {
  std::exception_ptr failure;
  try {
    const py::gil_scoped_release release;
    return f();
  } catch (const ModelError& error) {
    failure = std::current_exception();
  }
  try {
    std::rethrow_exception(failure);
  } catch (const ModelError& error) {
    raise_model_error(error, sources);
  }
}

// An expression that keeps the builder of its pool alive.
struct Symbol {
  Expr expr;
  std::shared_ptr<ModelBuilder> owner;  // null: a number
};

// Called after every step of a run, without the lock: a few times a second it takes the lock, lets Python handle
// signals and calls the user's progress function. False ends the run.
class Watch {
 public:
  explicit Watch(py::object callback = py::none()) : callback_(std::move(callback)) {}

  bool operator()(double t);
  bool ask(double t);  // at once

  // To be called with the lock, after the run: re-raises exceptions of the user's function or of a signal handler, but
  // returns true for Ctrl-C.
  bool was_interrupted();

 private:
  using Clock = std::chrono::steady_clock;
  py::object callback_;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(50);
  std::exception_ptr raised_;
  bool interrupted_ = false;
};

// The keyword argument as a T. Raises TypeError if it is something else.
template <class T>
T argument(const py::dict& given, const char* name) {
  try {
    return given[name].cast<T>();
  } catch (const py::cast_error&) {
    const char* const wanted = std::is_same_v<T, bool>          ? "True or False"
                               : std::is_same_v<T, std::string> ? "a text"
                               : std::is_integral_v<T>          ? "a whole number that is not too large"
                                                                : "a number";
    throw py::type_error(std::string(name) + " is " + wanted + ", not " + std::string(py::repr(given[name])));
  }
}

// Keyword arguments that the Python side has checked; what is not given, or None, leaves `to` as it is.
template <class T>
void take(const py::dict& given, const char* name, std::optional<T>& to) {
  if (given.contains(name) && !given[name].is_none()) to = argument<T>(given, name);
}

template <class T>
void take(const py::dict& given, const char* name, T& to) {
  if (given.contains(name) && !given[name].is_none()) to = argument<T>(given, name);
}

template <class T>
void choose(const py::dict& given, const char* what, std::optional<T> (*parse)(const std::string&),
            const std::vector<std::string>& names, T& to) {
  std::optional<std::string> text;
  take(given, what, text);
  if (!text) return;
  if (auto parsed = parse(*text)) {
    to = std::move(*parsed);
    return;
  }
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw py::value_error(std::string("there is no ") + what + " '" + *text +
                        "', or its parameters are wrong: there are " + known);
}

NamedValues named_values(const py::dict& given, const char* name);
SimulateOptions simulate_options(const py::dict& given);
RunInputs run_inputs(const py::dict& given);

// The animation declared by a model, kept with it until a report is written.
struct DeclaredAnimation {
  std::vector<AnimatedShape> shapes;
};

// Options from names of inputs, outputs and states; and the result of `linearize`, called without the lock, as a
// dictionary.
LinearizeOptions linearize_options(const py::dict& given);
py::dict linearized(const Sources& sources, const std::function<StateSpace()>& linearize);

// Raises OSError, if there is one.
void raise_if_not_written(const std::optional<std::string>& problem);

// The solution of a run, with a lock for dense output, whose workspace is one.
struct HeldSolution {
  Solution solution;
  std::vector<EventTimeSensitivity> event_times;  // with sensitivities
  mutable std::mutex dense;
};

}  // namespace driftless::python
