#include <fmt/format.h>

#include <limits>

#include "driftless/language/functions.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

bool merge_variables(const Environment& at, NodeId condition, const Locals& other, SourceRange range) {
  Pool& pool = at.all.pool;
  for (std::size_t k = 0; k < at.locals.size(); ++k) {
    Value& mine = at.locals[k].value;
    const Value& theirs = other[k].value;
    if (mine == theirs) continue;
    if (mine.shape() != theirs.shape()) {
      at.error(Code::ShapesDiffer, range,
               fmt::format("'{}' has different shapes on different ways: {} and {}", at.locals[k].name,
                           to_string(theirs.shape()), to_string(mine.shape())));
      return false;
    }
    const std::span<NodeId> elements = mine.change();
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (elements[e] == theirs[e]) continue;
      const bool both = elements[e] != unassigned && theirs[e] != unassigned;
      if (!both && mine.is_record() && is_real_element(*mine.layout(), e)) {  // where it is assigned it has a value
        const NodeId undefined = pool.constant(std::numeric_limits<double>::quiet_NaN());
        elements[e] = pool.if_else(condition, theirs[e] == unassigned ? undefined : theirs[e],
                                   elements[e] == unassigned ? undefined : elements[e]);
        continue;
      }
      elements[e] = both ? pool.if_else(condition, theirs[e], elements[e]) : unassigned;
    }
  }
  return true;
}

}  // namespace driftless::language
