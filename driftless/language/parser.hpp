// Text -> syntax tree, reporting all distinguishable syntax errors in one pass.
#pragma once

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/source.hpp"
#include "driftless/language/ast.hpp"

namespace driftless {

// Always returns a tree. With errors reported, it holds what could be parsed: a statement with an error is omitted, its
// neighbours are kept. Linear in the length of the text.
ast::StoredDefinition parse(FileId file, const Sources& sources, Diagnostics& diagnostics);

}  // namespace driftless
