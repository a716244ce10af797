// A scoreboard as text for people: a table for each model, with failures and refusals; at the end a comparison of our
// BDF with IDA, of the choice of `auto` with the best, and all reasons once more.
#pragma once

#include <string>

#include "driftless/scoreboard/scoreboard.hpp"

namespace driftless::scoreboard {

std::string sheet_table(const Sheet& sheet, const Board& board);
std::string summary(const Board& board);

// The grid of methods and tolerances for one model: the error of every success in tolerances, times the condition of
// the model; values beyond 1,000 are marked by an exclamation mark.
std::string verdict_table(const Sheet& sheet, const Board& board);

// How many successes are false, and which; then every failure and refusal with its reason.
std::string verdict_summary(const Board& board);

// The runs of a method that does not apply have one entry.
const Entry* find(const Sheet& sheet, const std::string& method, double tolerance);

// The fastest run, of any method at any tolerance, with at least this many digits; null if there is none.
const Entry* fastest(const Sheet& sheet, double digits);

}  // namespace driftless::scoreboard
