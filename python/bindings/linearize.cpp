// Linearization: matrices as arrays, with the names of their rows and columns.
#include "python/bindings/bindings.hpp"

#include <complex>

#include "driftless/linearize.hpp"

#include <pybind11/complex.h>

namespace driftless::python {
namespace {

using Names = std::optional<std::vector<std::string>>;

py::array_t<double> array_of(const Matrix& matrix) {
  py::array_t<double> result({static_cast<py::ssize_t>(matrix.rows), static_cast<py::ssize_t>(matrix.columns)});
  std::copy(matrix.values.begin(), matrix.values.end(), result.mutable_data());
  return result;
}

py::array_t<double> array_of(const std::vector<double>& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict mode_of(const LinearMode& mode) {
  py::dict one;
  one["eigenvalue"] = mode.eigenvalue;
  one["damping"] = mode.damping();
  one["frequency"] = mode.frequency();
  one["natural_frequency"] = mode.natural_frequency();
  one["time_constant"] = mode.time_constant();
  one["participation"] = array_of(mode.participation);
  return one;
}

// The result in Python: all values, and the object itself for texts and files.
py::dict dictionary_of(StateSpace system) {
  py::dict result;
  result["model"] = system.model;
  result["t"] = system.t;
  result["states"] = system.states;
  result["inputs"] = system.inputs;
  result["outputs"] = system.outputs;
  result["x"] = array_of(system.x);
  result["dx"] = array_of(system.rates);
  result["u"] = array_of(system.u);
  result["y"] = array_of(system.y);
  result["A"] = array_of(system.A);
  result["B"] = array_of(system.B);
  result["C"] = array_of(system.C);
  result["D"] = array_of(system.D);
  result["at_rest"] = system.is_at_rest();
  py::list modes;
  for (const LinearMode& mode : system.modes) modes.append(mode_of(mode));
  result["modes"] = system.has_modes ? py::object(modes) : py::none();
  result["zeros"] = system.has_zeros ? py::cast(system.zeros) : py::none();
  result["native"] = std::make_shared<StateSpace>(std::move(system));
  return result;
}

}  // namespace

LinearizeOptions linearize_options(const py::dict& given) {
  LinearizeOptions options;
  options.inputs = given["inputs"].cast<Names>();
  options.outputs = given["outputs"].cast<Names>();
  options.states = given["states"].cast<std::vector<std::string>>();
  options.modes = given["modes"].cast<bool>();
  return options;
}

py::dict linearized(const Sources& sources, const std::function<StateSpace()>& linearize) {
  return dictionary_of(unlocked(sources, linearize));
}

void bind_linearize(py::module_& m) {
  py::class_<StateSpace, std::shared_ptr<StateSpace>>(m, "StateSpace", "A linear system, for texts and files.")
      .def("text", [](const StateSpace& system) { return to_text(system); })
      .def("json", [](const StateSpace& system) { return to_json(system); })
      .def("write", [](const StateSpace& system, const std::string& path) {
        if (!is_state_space_file(path)) throw py::value_error("a linear system is written as .mat, .csv or .json");
        raise_if_not_written(write_state_space(system, path));
      });
  m.def("linearize",
        [](const Compiled& compiled, const py::dict& given, const py::dict& inputs, std::optional<double> at) {
          const LinearizeOptions options = linearize_options(given);
          const RunInputs run = run_inputs(inputs);
          return linearized(*compiled.model().sources, [&] { return linearize(compiled, options, run, at); });
        });
  m.def("linearize_steady", [](const std::shared_ptr<Model>& model, const py::dict& given, const py::dict& inputs,
                               std::optional<double> at) {
    const LinearizeOptions options = linearize_options(given);
    const RunInputs run = run_inputs(inputs);
    return linearized(*model->sources, [&] { return linearize_at_rest(model, options, run, at); });
  });
}

}  // namespace driftless::python
