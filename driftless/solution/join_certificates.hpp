// The certificate of a run of several parts: a run that goes from mode to mode, or from change to change.
#pragma once

#include "driftless/solution/certificate.hpp"

namespace driftless {

// The constraints of one part of a run, in the certificate of the whole.
void add_to_certificate(Certificate& whole, const Certificate& part);

}  // namespace driftless
