// The formulas for the series of a model: made when they are first needed, and kept for any number of runs and threads.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "driftless/taylor/recurrences.hpp"

namespace driftless::taylor {

class Formulas {
 public:
  // Precondition: `reduced` outlives this object.
  Formulas(const Reduced& reduced, Backend backend) : reduced_(reduced), backend_(backend) {}

  // The reason why the equations have no Taylor series; nothing if they have.
  const std::optional<std::string>& refusal() const;

  // Precondition: no refusal.
  const std::shared_ptr<const Recurrences>& recurrences() const;
  const Code& code() const;

 private:
  void find_system() const;

  const Reduced& reduced_;
  Backend backend_;
  mutable std::once_flag system_is_known_, recurrences_are_known_, code_is_known_;
  mutable std::optional<NaturalSystem> system_;  // until the recurrences are made
  mutable std::optional<std::string> refusal_;
  mutable std::shared_ptr<const Recurrences> recurrences_;
  mutable Code code_;
};

}  // namespace driftless::taylor
