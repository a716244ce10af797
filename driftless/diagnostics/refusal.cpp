#include "driftless/diagnostics/refusal.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {
namespace {

Diagnostics only_error(std::string message) {
  Diagnostics diagnostics;
  diagnostics.error({}, std::move(message));
  return diagnostics;
}

}  // namespace

RequestRefused::RequestRefused(Refusal refusal, const Sources& sources)
    : ModelError(only_error(refusal.sentence()), sources), refusal_(std::move(refusal)) {}

std::string reason_of(const ModelError& error) {
  if (const auto* refused = dynamic_cast<const RequestRefused*>(&error)) return refused->refusal().reason;
  const std::vector<Diagnostic>& all = error.diagnostics().all();
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  const std::string text = first == all.end() ? error.what() : first->message;
  // Methods and projections are still refused with a sentence (integrate/run/run.cpp); formulations are not.
  constexpr std::string_view between = " does not apply: ";
  const std::size_t at = text.find(between);
  return at == std::string::npos ? text : text.substr(at + between.size());
}

}  // namespace driftless
