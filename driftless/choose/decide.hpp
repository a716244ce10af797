// Which formulation and which method for which problem: tables, of which the first row that matches wins.
// docs/choose.md shows them.
//
// One is for steps that follow the tolerance, and for methods that restore every constraint by themselves: structure,
// tolerance and the modes at the start decide, and the scoreboard of all shipped models has drawn the lines. The other
// is for constant steps, where the form that is discretized matters most: it follows the recommendations of (Ascher,
// Petzold 1993), of (Hairer, Wanner 1996) for explicit methods with projections, and of (Mattsson, Söderlind 1993) for
// the rest.
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

// By the table of forms, whatever the steps are: for a projection that was asked for, which needs a form that leaves
// levels out.
Recommendation decide_by_form(const Indicators& indicators);

// The same if one of the two is given: what fits it best.
Recommendation decide_for(const Method& method, const Indicators& indicators);
Recommendation decide_for(const Formulation& formulation, const Indicators& indicators);

// "row 7: index1, dopri5, projection velocity; nothing is fast or stiff"
std::string to_string(const Recommendation& recommendation);

// For people who know neither tables nor names: "Taylor series of order 20, because the model is smooth, small and not
// stiff".
std::string in_words(const Recommendation& recommendation, double tolerance);

}  // namespace driftless::choose
