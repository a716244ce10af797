// The parts of a Simulation: the present run, its inputs, the parts before the last change, and the rows that its sink
// has not received yet.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/compiled_parts.hpp"
#include "driftless/joined_parts.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/simulation.hpp"
#include "driftless/started_run.hpp"

namespace driftless {

struct Simulation::Parts {
  Compiled compiled;
  RunInputs inputs;
  NamedPieces signals = {};                   // signals of the inputs
  std::shared_ptr<const Model> numbers = {};  // null: as compiled
  std::size_t way = 0;                        // index of the way that is tried
  std::string reason = {};                    // why the first way failed
  std::unique_ptr<StartedRun> run = {};
  std::optional<State> changed = {};  // the point from which the run continues after a change; none: from its start
  double first_output = 0.0;
  double time = 0.0;
  std::optional<Solution> before = {};  // the solution before the last change
  JoinedParts joined = {};              // up to it
  std::vector<double> series = {};      // at `series_at`
  std::optional<double> series_at = {};
  struct Row {
    double t = 0.0;
    std::vector<double> series = {};
    std::optional<Event> event = {};  // instead of a row of values
    void archive(Archive& archive) { archive(t, series, event); }
  };
  std::deque<Row> held_back = {};
  bool holds_back = true, sink_is_full = false;

  const Compiled::Parts& ways() const { return *compiled.parts_; }
  bool is_last() const { return way + 1 >= ways().ways.attempts.size(); }
  SimulateOptions options();

  void check_tolerance() const;
  void read_signals();
  std::shared_ptr<const Model> numbers_of(const RunInputs& given, double from) const;  // null: as compiled
  double start_time();
  void start();
  bool takes_next_way();
  bool goes_this_way_to(double t);
  void go_straight_to(double t);
  void pass_input_events(double t);
  void go_to(double t);
  RowSink sink();
  void hand_out_up_to(double t);
  void change(RunInputs changed, const NamedValues& variables);
  bool hold_input(const std::string& name, double value);
  void add_words_on_method(Solution& solution) const;
  void look();
  void archive(Archive& archive);
};

}  // namespace driftless
