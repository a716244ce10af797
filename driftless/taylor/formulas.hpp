// The formulas for the series of a model: found when they are first asked for, and kept. A run asks whether there are
// any, then for them, and again where another method hands over to series.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/taylor/recurrences.hpp"

namespace driftless::taylor {

class Formulas {
 public:
  // Precondition: `reduced` lives longer.
  Formulas(const Reduced& reduced, Backend backend) : reduced_(reduced), backend_(backend) {}

  // Why the equations have no Taylor series, in words; nothing if they have.
  const std::optional<std::string>& refusal();

  // Precondition: no refusal.
  const std::shared_ptr<const Recurrences>& recurrences();
  const Code& code();

 private:
  void find_system();

  const Reduced& reduced_;
  Backend backend_;
  bool is_known_ = false;
  std::optional<NaturalSystem> system_;  // until the recurrences are made
  std::optional<std::string> refusal_;
  std::shared_ptr<const Recurrences> recurrences_;
  Code code_;
};

}  // namespace driftless::taylor
