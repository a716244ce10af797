// When Newton's iteration is accepted. Two: the first correction is never accepted, as in the codes of 1990, which
// keeps the iteration error out of the error test, which index-reduced systems need at sharp tolerances. One: as codes
// do today. Dassl: as Two, and with IDA accepted at 0.33 as in the codes of 1990, not at 0.1: for their experiments.
#pragma once

namespace driftless {

enum class NewtonTest { One, Two, Dassl };

}  // namespace driftless
