// All events of a run as comma-separated values, a line for each:
//
//   time,causes,iterations,mode,discrete,jumps,impulses
//   0.4515236409857309,h < 0,2,,bounces: 0 -> 1,v: -4.43 -> 3.54,
//
// Several causes, changes or impulses of one event are separated by "; ". Numbers are the shortest decimals that read
// back as the same double; Booleans and enumerations are written as names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/solution/event_text.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Line by line, while the run goes on: a solution keeps only the first ones of very many events.
class EventWriter {
 public:
  explicit EventWriter(const std::filesystem::path& path);

  void begin(const Solution& head);  // writes the header; a second call discards all lines before it
  void event(const Event& event);
  [[nodiscard]] std::optional<std::string> commit() { return file_.commit(); }

 private:
  OutputFile file_;
  std::vector<Column> columns_;
  std::optional<EventText> text_;
  std::string line_;
};

[[nodiscard]] std::optional<std::string> write_events(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
