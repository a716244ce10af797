// What a run of a model with events leaves in its solution: the rows, events and segments of all its modes as those of
// one run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/hybrid_run/modes.hpp"
#include "driftless/sensitivity/epoch.hpp"

namespace driftless {

class HybridResults {
 public:
  // `integration`: options of the run, with the sink of the user. The modes and the solution must live as long as this.
  HybridResults(const HybridModes& modes, const IntegrateOptions& integration, Solution& solution);

  void use_sink(RowSink rows) { rows_ = std::move(rows); }
  RowSink take_sink() { return std::exchange(rows_, {}); }
  void archive(Archive& archive) { archive(counts_, order_, mode_epochs_); }

  // The sink of the run of one mode, whose rows become rows of the whole.
  RowSink sink_of(HybridMode& mode);

  // With the parameters on both sides.
  struct Sides {
    std::span<const double> parameters_before, parameters;
    const ContinuousPoint &from, &to;
  };
  void record(double t, const EventIteration::Causes& causes, const EventIteration::Result& result, const Sides& sides);

  // For dense output: what a mode has kept, and what is in force from a time on.
  void keep_segments(HybridMode& mode);
  void begin_epoch(double t, std::size_t mode, std::span<const double> parameters);
  // What an event was found by, expressions of contacts included.
  void note_found(const EventSearch::Found& found) {
    if (dense_) found_ = {.held = found.held, .held_values = found.values};
  }
  const std::vector<Epoch>& epochs() const { return epochs_; }

  // At a time within the last step of a mode.
  void values_at(double t, const HybridMode& mode, std::span<const double> parameters, std::vector<double>& series);

  // At the end, which mode `last` has reached.
  void collect(std::size_t last);

 private:
  void describe_columns(const Solution& part);
  std::string text_of(std::size_t cause) const;
  void widen_drift(std::size_t levels);
  bool take_row(const HybridMode& mode, double t, std::span<const double> series);
  void join(const Solution& part);
  void make_observer();
  void count(const EventIteration::Causes& causes, const Sides& sides);
  std::vector<std::string> texts_of(const EventIteration::Causes& causes, const Sides& sides) const;
  std::vector<ChangeOfValue> jumps(const Sides& sides) const;

  const HybridModes& modes_;
  const Model& model_;
  const DiscretePart& part_;
  Solution& solution_;
  RowSink rows_;  // of the user
  bool dense_;
  double tolerance_;
  std::vector<double> row_;
  std::vector<std::size_t> discrete_columns_;  // parameters that are in every row
  // How often each held expression, sampling and input was the cause of an event, in this order; and the causes in the
  // order in which they came first.
  std::vector<long> counts_;
  std::vector<std::size_t> order_;
  struct ModeEpoch {  // what is in force from a time on, for dense output
    double from;
    std::size_t mode;
    std::vector<double> parameters;
    void archive(Archive& archive) { archive(from, mode, parameters); }
  };
  std::vector<ModeEpoch> mode_epochs_;
  std::vector<Epoch> epochs_;
  void take_contacts(std::size_t mode, std::size_t before, Epoch& epoch);

  Epoch next_;   // what is known of the one that begins with the last event
  Epoch found_;  // what that was found by
};

}  // namespace driftless
