// What an argument of connect, of Connections.branch and of inStream names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

struct Ends {
  Shape shape;
  std::vector<End> list;
  bool outside = false;  // a connector of the instance in which the text stands
  bool absent = false;   // a conditional component that is not there
};

enum class EndKind { Connector, Any };

// Nothing, with an error, if the reference names nothing of this kind.
std::optional<Ends> find_ends(const Environment& at, const ast::Reference& reference,
                              EndKind kind = EndKind::Connector);

std::string name_of(const End& end);

}  // namespace driftless::language
