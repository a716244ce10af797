// Decides on formulation and method by tables, of which the first matching row applies. docs/choose.md shows them.
//
// One table is for step size control, and for methods that restore all constraints themselves: structure, tolerance and
// the modes at the start decide, with limits found on the scoreboard of all shipped models. The other is for constant
// steps, where the form that is discretized matters most: it follows the recommendations of (Ascher, Petzold 1993), of
// (Hairer, Wanner 1996) for explicit methods with projections, and of (Mattsson, Söderlind 1993) for the rest.
#pragma once

#include <string>

#include "driftless/choose/indicators.hpp"
#include "driftless/formulate/formulation.hpp"
#include "driftless/integrate/steppers/method.hpp"
#include "driftless/integrate/solve/projection.hpp"

namespace driftless::choose {

struct Recommendation {
  int row = 0;
  Formulation formulation = formulation::Dummy{};
  Method method = method::Bdf{};
  Projection projection = projection::None{};
  Successors successors = {};  // on the same formulation
  std::string reason;
};

Recommendation decide(const Indicators& indicators);

// By the table for constant steps, also with step size control: for a requested projection, which needs a form that
// omits levels.
Recommendation decide_by_form(const Indicators& indicators);

// The same if one of the two is given: chooses the other.
Recommendation decide_for(const Method& method, const Indicators& indicators);
Recommendation decide_for(const Formulation& formulation, const Indicators& indicators);

// "row 7: index1, dopri5, projection velocity; nothing is fast or stiff"
std::string to_string(const Recommendation& recommendation);

// For people who know neither the tables nor their terms: "Taylor series of order 20, because the model is smooth,
// small and not stiff".
std::string in_words(const Recommendation& recommendation, double tolerance);

}  // namespace driftless::choose
