// The data of a run that the page draws: series, events, states, certificate, animation.
#pragma once

#include <optional>
#include <vector>

#include "driftless/reduce/possible_states.hpp"
#include "driftless/report/animation.hpp"
#include "driftless/report/kept_rows.hpp"
#include "driftless/report/structure_data.hpp"

namespace driftless::reporting {

// Times, columns and drift. `shown`: names of columns that are drawn at first.
Json series_data(const KeptRows& rows, const std::vector<std::string>& shown);

Json events_data(const Solution& solution);

// Which quantities were states from when to when: the choice at the start and the exchanges. Null if the states are
// never exchanged, or the method chooses no states.
Json states_data(const Solution& solution, const std::optional<PossibleStates>& possible);

// The worst entries; all of them if they are few.
Json certificate_data(const Solution& solution);

Json animation_data(const Animation& animation);

}  // namespace driftless::reporting
