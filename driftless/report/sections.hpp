// The parts of the page that need no script, for browsers without scripts and for printing.
#pragma once

#include <optional>
#include <string>

#include "driftless/reduce/possible_states.hpp"
#include "driftless/simulate.hpp"

namespace driftless::reporting {

// The model as read, and its analysis, if there is one.
struct Subject {
  std::shared_ptr<const Model> model;
  std::optional<Analysis> analysis;
  std::string no_analysis;  // why there is no analysis
  FileId main = no_file;    // the text to which line numbers in messages refer
  int lines = 0;            // of it
};
Subject subject_of(std::shared_ptr<const Model> model);

std::string header_section(const Subject& subject, const Solution& solution);
std::string failure_section(const Subject& subject, const Solution& solution);  // empty for a success
std::string notes_section(const Subject& subject, const Solution& solution);
std::string constraints_section(const Subject& subject);
std::string states_list(const PossibleStates& states);  // empty if there are none
std::string certificate_table(const Subject& subject, const Solution& solution);
std::string events_table(const Solution& solution);
std::string model_section(const Subject& subject, const Solution& solution);

// "line 12" as a link to the line, if the text is shown.
std::string linked(const Subject& subject, std::string_view sentence);

}  // namespace driftless::reporting
