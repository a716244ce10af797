// What the choice of `auto` costs: beside the best single method, in hindsight.
//
// Two costs are told. Counted work (integrate/work.hpp) is the same on every machine and in every run, looks at the
// modes and trials of other methods included; its weights are estimates. The time of the integration, the shortest of
// several runs, is what a user waits for, and knows nothing of weights; but it is noisy, and short runs consist of what
// every run does once.
//
// The best single method is asked for in two ways:
//
//   for equal digits   the cheapest run, at any tolerance of the board, that has no fewer digits than `auto`
//   for what is asked  the cheapest run at the same tolerance whose error is within ten tolerances times the condition
//   of
//                      the model, or no larger than that of `auto`
//
// A method that is more accurate than asked for is never blamed for it in the first way, and is in the second.
#pragma once

#include <string>
#include <vector>

#include "driftless/scoreboard/scoreboard.hpp"

namespace driftless::scoreboard {

enum class Cost { Work, Time };
double cost_of(const Entry& entry, Cost cost);

// Of all that are neither `auto` nor IDA, which is not ours; null if there is none.
const Entry* best_for_digits(const Sheet& sheet, const Entry& chosen, Cost cost);
const Entry* best_as_asked(const Sheet& sheet, const Entry& chosen, Cost cost);

// A line for every model with states and each of the tolerances.
std::string choice_table(const Board& board, const std::vector<double>& tolerances);

}  // namespace driftless::scoreboard
