// A request that does not suit the model: what was requested, and why it is not possible. Tables with a column for the
// subject show the reason alone.
#pragma once

#include <string>

#include "driftless/diagnostics/diagnostic.hpp"

namespace driftless {

struct Refusal {
  std::string subject;  // "ggl:D=mass"
  std::string reason;   // "the mass matrix is singular"

  std::string sentence() const { return subject + " does not apply: " + reason; }
};

// The error that a refused request is thrown as.
class RequestRefused : public ModelError {
 public:
  RequestRefused(Code code, Refusal refusal, const Sources& sources);

  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

// The reason of a refused request, or the first message of any other error.
std::string reason_of(const ModelError& error);

// The code of the first error.
Code code_of(const ModelError& error);

}  // namespace driftless
