#include "driftless/taylor/formulas.hpp"

#include <utility>

namespace driftless::taylor {

void Formulas::find_system() {
  if (std::exchange(is_known_, true)) return;
  auto found = natural_system(reduced_);
  if (auto* reason = std::get_if<std::string>(&found))
    refusal_ = std::move(*reason);
  else
    system_ = std::get<NaturalSystem>(std::move(found));
}

const std::optional<std::string>& Formulas::refusal() {
  find_system();
  return refusal_;
}

const std::shared_ptr<const Recurrences>& Formulas::recurrences() {
  find_system();
  if (!recurrences_) {
    recurrences_ = std::make_shared<const Recurrences>(recurrences_of(std::move(*system_)));
    system_.reset();
  }
  return recurrences_;
}

const Code& Formulas::code() {
  if (code_.empty()) code_ = compile(*recurrences(), backend_);
  return code_;
}

}  // namespace driftless::taylor
