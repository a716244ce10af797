// Syntax tree -> Model: names are looked up, sizes computed, arrays and loops unrolled, functions executed on
// expressions, until scalar variables and equations remain, each with its place in the text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/read_options.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

namespace language {
class Libraries;
}

// Texts beyond these limits are refused, so that they do not exhaust the machine.
struct Limits {
  std::int64_t elements = 10'000'000;  // of one array; of all variables; of all equations
  std::int64_t steps = 50'000'000;     // expressions evaluated and statements executed: some seconds of work
  int recursion = 200;                 // calls of functions within each other
  int nesting = 1800;                  // nested evaluations: fits a stack of 8 MB with a margin
};

// Nothing if errors were reported. The tree and the libraries, to which the tree was added, are needed only during the
// call. The model may be one of the libraries, by its full name.
std::optional<Model> elaborate(const ast::StoredDefinition& tree, const ReadOptions& options,
                               const std::shared_ptr<Sources>& sources, Diagnostics& diagnostics, Limits limits = {},
                               language::Libraries* libraries = nullptr);

}  // namespace driftless
