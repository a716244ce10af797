#pragma once

#include <stdexcept>

namespace driftless {

// The bytes of a saved run are truncated, or belong to something else.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace driftless
