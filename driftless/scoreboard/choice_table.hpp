// The cost of the choice of `auto` compared to the best single method in hindsight.
//
// There are two costs. Counted work (integrate/steppers/work.hpp) is the same on every machine and in every run, and
// includes examinations of modes and trials of other methods; its weights are estimates. The time of the integration,
// the shortest of several runs, is what a user waits for, and does not depend on weights; but it is noisy, and short
// runs are dominated by initial work.
//
// The best single method is determined in two ways:
//
//   for equal digits   the cheapest run, at any tolerance of the board, that has no fewer digits than `auto`
//   for what is asked  the cheapest run at the same tolerance whose error is within ten tolerances times the condition
//                      of the model, or no larger than that of `auto`
//
// The first way does not penalize a method for being more accurate than requested, the second does.
#pragma once

#include <string>
#include <vector>

#include "driftless/scoreboard/scoreboard.hpp"

namespace driftless::scoreboard {

enum class Cost { Work, Time };
double cost_of(const Entry& entry, Cost cost);

// The best of all methods other than `auto` and IDA, which is not ours; null if there is none.
const Entry* best_for_digits(const Sheet& sheet, const Entry& chosen, Cost cost);
const Entry* best_as_asked(const Sheet& sheet, const Entry& chosen, Cost cost);

// A line for every model with states and each of the tolerances.
std::string choice_table(const Board& board, const std::vector<double>& tolerances);

}  // namespace driftless::scoreboard
