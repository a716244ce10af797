#include "python/bindings/bindings.hpp"

#include "driftless/archive/archive_error.hpp"
#include "driftless/diagnostics/catalogue.hpp"

namespace driftless::python {

namespace {
py::object error_class(const char* name) { return py::module_::import("driftless._errors").attr(name); }

// What a code means, or of "" a list of all.
std::string explanation(const std::string& code) {
  if (code.empty()) return list_of_codes();
  if (const CatalogueEntry* entry = find_entry(code)) return explain(*entry);
  std::string similar;
  for (const Code other : similar_codes(code))
    similar += (similar.empty() ? ": did you mean " : ", ") + std::string(to_string(other));
  throw py::value_error("there is no code '" + code + "'" + similar);
}
}  // namespace

py::dict located(const Diagnostic& diagnostic, const Sources& sources) {
  const auto place = [&](py::dict& of, SourceRange range) {
    of["file"] = range.known() ? py::object(py::str(sources.name(range.file))) : py::none();
    const Position at = range.known() ? sources.position(range.file, range.begin) : Position{};
    of["line"] = range.known() ? py::object(py::int_(at.line)) : py::none();
    of["column"] = range.known() ? py::object(py::int_(at.column)) : py::none();
  };
  py::dict result;
  result["code"] = to_string(diagnostic.code);
  result["severity"] = diagnostic.severity == Severity::Error ? "error" : "warning";
  result["message"] = diagnostic.message;
  place(result, diagnostic.range);
  py::list notes;
  for (const Note& note : diagnostic.notes) notes.append(note.message);
  result["notes"] = notes;
  return result;
}

py::list located(const Diagnostics& diagnostics, const Sources& sources) {
  py::list list;
  for (const Diagnostic& diagnostic : diagnostics.all()) list.append(located(diagnostic, sources));
  return list;
}

void raise_model_error(const ModelError& error, const Sources& sources) {
  const py::object type = error_class("ModelError");
  const py::object value = error_class("_model_error")(error.what(), located(error.diagnostics(), sources));
  PyErr_SetObject(type.ptr(), value.ptr());
  throw py::error_already_set();
}

bool Watch::operator()(double t) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return true;
  next_ = now + std::chrono::milliseconds(50);
  return ask(t);
}

bool Watch::ask(double t) {
  const py::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (callback_.is_none()) return true;
    const py::object answer = callback_(t);
    if (!answer.is(py::bool_(false))) return true;
    interrupted_ = true;
  } catch (const py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt))
      interrupted_ = true;
    else
      raised_ = std::current_exception();
  }
  return false;
}

bool Watch::was_interrupted() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  return std::exchange(interrupted_, false);
}

}  // namespace driftless::python

PYBIND11_MODULE(_driftless, m) {
  using namespace driftless::python;
  m.doc() = "The compiled part of the package driftless.";
  m.attr("version") = DRIFTLESS_VERSION;
  py::register_exception_translator(
      [](std::exception_ptr pending) {  // NOLINT(performance-unnecessary-value-param): its type
        try {
          if (pending) std::rethrow_exception(pending);
        } catch (const driftless::ModelError& error) {  // for models without a text
          try {
            raise_model_error(error, driftless::Sources());
          } catch (py::error_already_set& raised) {
            raised.restore();
          }
        } catch (const driftless::PointNotSatisfied& error) {
          PyErr_SetString(PyExc_ArithmeticError, error.what());
        } catch (const driftless::ArchiveError& error) {
          PyErr_SetString(PyExc_ValueError, error.what());
        }
      });
  m.def("explain", &explanation);
  bind_expressions(m);
  bind_models(m);
  bind_solution(m);
  bind_runs(m);
  bind_sweep(m);
  bind_fit(m);
  bind_linearize(m);
  bind_boundary(m);
  bind_pictures(m);
}
