// What a refusal says, in a place where its subject is named already.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"

namespace driftless {

// The first error; of "ggl does not apply: the mass matrix is singular" the reason alone.
inline std::string reason_of(const ModelError& error) {
  const std::vector<Diagnostic>& all = error.diagnostics().all();
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  const std::string text = first == all.end() ? error.what() : first->message;
  constexpr std::string_view known = " does not apply: ";
  const std::size_t at = text.find(known);
  return at == std::string::npos ? text : text.substr(at + known.size());
}

}  // namespace driftless
