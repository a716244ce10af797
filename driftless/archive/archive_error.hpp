#pragma once

#include <stdexcept>

namespace driftless {

// The bytes of a saved run are cut off, or are not those of what reads them.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace driftless
