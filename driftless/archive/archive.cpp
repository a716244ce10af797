#include "driftless/archive/archive.hpp"

namespace driftless {

void Archive::copy(void* value, std::size_t size) {
  if (size == 0) return;
  if (!is_reading_) {
    const auto* begin = static_cast<const std::byte*>(value);
    written_.insert(written_.end(), begin, begin + size);
    return;
  }
  if (size > unread_.size()) throw ArchiveError("the saved run is cut off");
  std::memcpy(value, unread_.data(), size);
  unread_ = unread_.subspan(size);
}

// An element takes at least a byte, so a list cannot be longer than the remaining bytes.
std::size_t Archive::length(std::size_t size) {
  std::uint64_t number = size;
  copy(&number, sizeof number);
  if (is_reading_ && number > unread_.size()) throw ArchiveError("the saved run is cut off");
  return static_cast<std::size_t>(number);
}

void Archive::one(std::vector<bool>& values) {
  values.resize(length(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::uint8_t bit = values[k] ? 1 : 0;
    copy(&bit, 1);
    values[k] = bit != 0;
  }
}

void Archive::section(std::string_view name) {
  std::string found(name);
  one(found);
  if (found != name)
    throw ArchiveError("the saved run does not fit: where " + std::string(name) + " was to begin, something else does");
}

}  // namespace driftless
