// Stream variables of connectors (Modelica 3.6, Chapter 15): inStream and actualStream, and the equations for
// connectors of a model that are fed by its parts. The mixture that enters a connector is that of
// connections/streams.hpp.
#pragma once

#include <string_view>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// A connector with stream variables has exactly one flow; others are errors.
void check_streams(Elaboration& all, const Flat& flat);

// inStream(c.h) and actualStream(c.h), element by element.
Value call_stream_operator(const Environment& at, std::string_view name, const ast::Call& call, SourceRange range);

// Adds h = mixture of the parts for the stream variables of a model's connectors that occur in its own connect
// equations.
void add_stream_equations(Elaboration& all);

}  // namespace driftless::language
