// Collects the solution of a run with events: the rows, events and segments of all its modes as those of one run.
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

  // The two sides of an event with their parameters.
  struct Sides {
    std::span<const double> parameters_before, parameters;
    const ContinuousPoint &from, &to;
  };
  void record(double t, const EventIteration::Causes& causes, const EventIteration::Result& result, const Sides& sides);

  // For dense output: keeps the segments of a mode; begins an epoch.
  void keep_segments(HybridMode& mode);
  void begin_epoch(double t, std::size_t mode, std::span<const double> parameters);
  // Records by which expressions an event was found, including those of contacts.
  void note_found(const EventSearch::Found& found) {
    if (dense_) found_ = {.held = found.held, .held_values = found.values};
  }
  const std::vector<Epoch>& epochs() const { return epochs_; }

  // At a time within the last step of a mode.
  void values_at(double t, const HybridMode& mode, std::span<const double> parameters, std::vector<double>& series);

  // Called at the end of the run, which was reached in mode `last`.
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
  std::vector<std::size_t> discrete_columns_;  // parameters that are columns of every row
  // How often each held expression, sampling and input, in this order, caused an event; and the causes in the order of
  // their first event.
  std::vector<long> counts_;
  std::vector<std::size_t> order_;
  struct ModeEpoch {  // the mode and its data used from a time on, for dense output
    double from;
    std::size_t mode;
    std::vector<double> parameters;
    void archive(Archive& archive) { archive(from, mode, parameters); }
  };
  std::vector<ModeEpoch> mode_epochs_;
  std::vector<Epoch> epochs_;
  void take_contacts(std::size_t mode, std::size_t before, Epoch& epoch);

  Epoch next_;   // data of the epoch that begins with the last event
  Epoch found_;  // by which expressions that event was found
};

}  // namespace driftless
