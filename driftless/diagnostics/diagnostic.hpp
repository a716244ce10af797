// Messages a person can act on: what is wrong, where, and what to do.
//
// Every stage collects all diagnostics that it can find; processing stops between stages.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "driftless/diagnostics/code.hpp"
#include "driftless/diagnostics/source.hpp"

namespace driftless {

enum class Severity { Error, Warning };

struct Note {
  std::string message;
  SourceRange range;  // may be unknown: then only the message is shown
};

struct Diagnostic {
  Severity severity = Severity::Error;
  Code code = {};  // the kind of error (catalogue.hpp)
  std::string message;
  SourceRange range;
  std::vector<Note> notes;

  Diagnostic& note(std::string text, SourceRange where = {});
};

class Diagnostics {
 public:
  // The reference is valid until the next diagnostic is added: so add notes immediately.
  Diagnostic& error(Code code, SourceRange where, std::string message);
  Diagnostic& warning(Code code, SourceRange where, std::string message);

  bool has_errors() const { return errors_ > 0; }
  const std::vector<Diagnostic>& all() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
  int errors_ = 0;
};

// file:line:column: error code: message, the source line, a caret, the notes:
//
//   circuit.mo:14:3: error D0301: 3 equations determine only 2 unknowns
//      14 |   r1.v = source.v;
//         |   ^^^^^^^^^^^^^^^
//     note: with lines 9 and 12 this constrains only r1.v and source.v
std::string render(const Diagnostic& diagnostic, const Sources& sources);
std::string render(const Diagnostics& diagnostics, const Sources& sources);

// Thrown at the boundary of the API only: contains the errors of a model.
class ModelError : public std::runtime_error {
 public:
  ModelError(Diagnostics diagnostics, const Sources& sources);

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace driftless
