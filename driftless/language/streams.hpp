// Stream variables of connectors (Modelica 3.6, Chapter 15): inStream and actualStream, and the equations of connectors
// of a model that its parts feed. The mixture that enters a connector is that of connections/streams.hpp.
#pragma once

#include <string_view>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// A connector with stream variables has exactly one flow; an error for each that has not.
void check_streams(Elaboration& all, const Flat& flat);

// inStream(c.h) and actualStream(c.h), element by element.
Value call_stream_operator(const Environment& at, std::string_view name, const ast::Call& call, SourceRange range);

// For the stream variables of connectors of a model that its own connect equations reach: h = mixture of the parts.
void add_stream_equations(Elaboration& all);

}  // namespace driftless::language
