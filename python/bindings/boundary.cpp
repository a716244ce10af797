// Boundary value problems: models with conditions at both ends of their interval.
#include "python/bindings/bindings.hpp"

#include "driftless/solve_boundary.hpp"

namespace driftless::python {
namespace {

BoundaryOptions boundary_options(const py::dict& given) {
  BoundaryOptions options;
  take(given, "start", options.start);
  take(given, "stop", options.stop);
  take(given, "tol", options.tolerance);
  take(given, "intervals", options.intervals);
  take(given, "mesh", options.mesh);
  take(given, "dense", options.dense);
  options.from = named_values(given, "continue_from");
  choose(given, "method", boundary::parse_collocation_method, boundary::collocation_method_names(), options.method);
  return options;
}

}  // namespace

void bind_boundary(py::module_& m) {
  m.def("solve_boundary", [](const std::shared_ptr<Model>& model, const py::dict& given) {
    const BoundaryOptions options = boundary_options(given);
    const NamedValues parameters = named_values(given, "parameters"), starts = named_values(given, "starts");
    auto held = std::make_shared<HeldSolution>();
    held->solution = unlocked(*model->sources, [&] {
      const auto numbers = with_inputs(std::shared_ptr<const Model>(model), parameters, starts);
      return solve_boundary(analyze(numbers), options);
    });
    return held;
  });
}

}  // namespace driftless::python
