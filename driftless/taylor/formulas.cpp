#include "driftless/taylor/formulas.hpp"

#include <utility>

namespace driftless::taylor {

void Formulas::find_system() const {
  std::call_once(system_is_known_, [this] {
    auto found = natural_system(reduced_);
    if (auto* reason = std::get_if<std::string>(&found))
      refusal_ = std::move(*reason);
    else
      system_ = std::get<NaturalSystem>(std::move(found));
  });
}

const std::optional<std::string>& Formulas::refusal() const {
  find_system();
  return refusal_;
}

const std::shared_ptr<const Recurrences>& Formulas::recurrences() const {
  find_system();
  std::call_once(recurrences_are_known_, [this] {
    recurrences_ = std::make_shared<const Recurrences>(recurrences_of(std::move(*system_)));
    system_.reset();
  });
  return recurrences_;
}

const Code& Formulas::code() const {
  std::call_once(code_is_known_, [this] { code_ = compile(*recurrences(), backend_); });
  return code_;
}

}  // namespace driftless::taylor
