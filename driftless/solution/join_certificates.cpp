#include "driftless/solution/join_certificates.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace driftless {

void add_to_certificate(Certificate& whole, const Certificate& part) {
  const auto name = [](const CertificateEntry& entry) { return fmt::format("{} {}", entry.level, entry.constraint); };
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < whole.size(); ++k) places.emplace(name(whole[k]), k);
  for (const CertificateEntry& entry : part) {
    const auto [known, is_new] = places.emplace(name(entry), whole.size());
    if (is_new)
      whole.push_back(entry);
    else
      include(whole[known->second], entry);
  }
}

}  // namespace driftless
