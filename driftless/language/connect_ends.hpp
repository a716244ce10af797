// The connectors or variables named by an argument of connect, Connections.branch or inStream.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

struct Ends {
  Shape shape;
  std::vector<End> list;
  bool outside = false;  // a connector of the instance that contains the text
  bool absent = false;   // a conditional component that is absent
};

enum class EndKind { Connector, Any };

// Nothing, with an error, if the reference is not of this kind.
std::optional<Ends> find_ends(const Environment& at, const ast::Reference& reference,
                              EndKind kind = EndKind::Connector);

std::string name_of(const End& end);

}  // namespace driftless::language
