// Which values of an external function go to which arguments of its C function.
#pragma once

#include <string>
#include <vector>

#include "driftless/external/c_function.hpp"
#include "driftless/language/functions.hpp"

namespace driftless::language {

struct CPlace {
  external::CParameter parameter;
  Value value = {};               // the value passed; for an output or work space only its type and shape matter
  std::string_view written = {};  // the name of the output; empty for all others
};

struct CPlan {
  external::Signature signature;
  std::vector<CPlace> places;
  std::string_view result = {};  // the name of the output that is the value of the C function; empty if it has none
};

// Nothing, with an error, if C has no such argument.
std::optional<CPlan> plan_call(Elaboration& all, Frame& frame, const ast::External& external);

}  // namespace driftless::language
