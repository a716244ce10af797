// Text -> syntax tree, with every syntax error that can be told apart in one run.
#pragma once

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/source.hpp"
#include "driftless/language/ast.hpp"

namespace driftless {

// Always returns a tree. With errors reported, it holds what could be understood: a statement with an error is
// left out, its neighbours are there. Linear in the length of the text.
ast::StoredDefinition parse(FileId file, const Sources& sources, Diagnostics& diagnostics);

}  // namespace driftless
