// Pictures of trajectories, drawn by the library itself.
#include "python/bindings/bindings.hpp"

#include "driftless/solution/output_file.hpp"
#include "driftless/solution/picture/format.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/plot_picture.hpp"

namespace driftless::python {
namespace {

using LabelledRuns = std::vector<std::pair<std::string, std::shared_ptr<HeldSolution>>>;

// Pairs of names, the second one over the first.
py::list curves(const std::shared_ptr<HeldSolution>& held, const std::vector<std::string>& names) {
  const auto found = curves_of(held->solution.columns, names);
  if (const auto* problem = std::get_if<std::string>(&found)) throw py::key_error(*problem);
  py::list list;
  for (const CurveNames& curve : std::get<std::vector<CurveNames>>(found))
    list.append(py::make_tuple(curve.x, curve.y));
  return list;
}

Picture picture_of(const LabelledRuns& given, const std::vector<std::string>& names, const std::string& title) {
  std::vector<PlottedRun> runs;
  for (const auto& [label, held] : given) runs.push_back({label, &held->solution});
  return plot_picture(runs, names, {.title = title});
}

void write_picture(const LabelledRuns& runs, const std::vector<std::string>& names, const std::string& title,
                   const std::string& path) {
  const auto format = picture_format(path);
  if (!format) throw py::value_error("pictures end in .svg, .pdf or .png, and '" + path + "' does not");
  std::optional<std::string> problem;
  {
    const py::gil_scoped_release release;
    problem = write_file(path, rendered(picture_of(runs, names, title), *format));
  }
  raise_if_not_written(problem);
}

}  // namespace

void bind_pictures(py::module_& m) {
  m.def("curves", &curves);
  m.def("svg_picture", [](const LabelledRuns& runs, const std::vector<std::string>& names, const std::string& title) {
    const py::gil_scoped_release release;
    return rendered(picture_of(runs, names, title), PictureFormat::Svg);
  });
  m.def("write_picture", &write_picture);
}

}  // namespace driftless::python
