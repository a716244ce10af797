#include "driftless/diagnostics/code.hpp"

#include <fmt/format.h>

namespace driftless {

std::string to_string(Code code) { return fmt::format("D{:04}", static_cast<int>(code)); }

}  // namespace driftless
