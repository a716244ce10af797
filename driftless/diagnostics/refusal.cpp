#include "driftless/diagnostics/refusal.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {
namespace {

Diagnostics only_error(Code code, std::string message) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message));
  return diagnostics;
}

const Diagnostic* first_error(const ModelError& error) {
  const std::vector<Diagnostic>& all = error.diagnostics().all();
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  return first == all.end() ? nullptr : &*first;
}

}  // namespace

RequestRefused::RequestRefused(Code code, Refusal refusal, const Sources& sources)
    : ModelError(only_error(code, refusal.sentence()), sources), refusal_(std::move(refusal)) {}

std::string reason_of(const ModelError& error) {
  if (const auto* refused = dynamic_cast<const RequestRefused*>(&error)) return refused->refusal().reason;
  const Diagnostic* first = first_error(error);
  const std::string text = first ? first->message : error.what();
  // Methods and projections are still refused by a sentence (integrate/run/run.cpp), unlike formulations.
  constexpr std::string_view between = " does not apply: ";
  const std::size_t at = text.find(between);
  return at == std::string::npos ? text : text.substr(at + between.size());
}

Code code_of(const ModelError& error) {
  const Diagnostic* first = first_error(error);
  return first ? first->code : Code::InternalError;
}

}  // namespace driftless
