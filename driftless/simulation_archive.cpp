// Saves a Simulation at its present time, and restores it identically.
#include <limits>
#include <stdexcept>
#include <utility>

#include "driftless/saved_run.hpp"
#include "driftless/simulation_parts.hpp"

namespace driftless {

// Reading makes the run anew from the stored start, and then reads its state.
void Simulation::Parts::archive(Archive& archive) {
  archive.section("driftless run");
  archive.expect(std::string(DRIFTLESS_VERSION), "version of the program");
  archive.expect(fingerprint(compiled.model()), "model");
  archive_inputs(archive, inputs);
  archive_signals(archive, signals);
  archive(way, reason, first_output, time, before, held_back, sink_is_full);
  if (way >= ways().ways.attempts.size()) throw ArchiveError("the saved run was compiled with other options");
  archive.expect(to_string(ways().ways.attempts[way].method), "method");
  archive.expect(to_string(ways().ways.attempts[way].formulation), "formulation");
  archive.expect(options().tolerance, "tolerance");
  bool is_changed = changed.has_value();
  archive(is_changed);
  State start = archive.is_reading() ? State{} : run->start();
  archive_state(archive, start);
  if (archive.is_reading()) {
    numbers = numbers_of(inputs, is_changed ? start.t : start_time());
    if (is_changed) changed = start;
    if (before) joined.give_up();
    const RowSink rows = std::exchange(inputs.rows, {});
    run = std::make_unique<StartedRun>(ways().way(way), options(), numbers, start, first_output);
    run->go_to(-std::numeric_limits<double>::infinity());
    inputs.rows = rows;
  }
  run->archive(archive);
  if (archive.is_reading() && inputs.rows.row) run->use_sink(sink());
}

std::vector<std::byte> Simulation::save() const {
  if (outcome() == Outcome::InitializationFailed)
    throw std::logic_error("there is nothing to save: no consistent start was found");
  Archive archive;
  parts_->archive(archive);
  return archive.bytes();
}

Simulation Simulation::restore(const Compiled& compiled, std::span<const std::byte> bytes, RowSink rows,
                               std::function<bool(double t)> progress) {
  auto parts = std::make_unique<Parts>(Parts{.compiled = compiled, .inputs = {}});
  parts->inputs.rows = std::move(rows);
  parts->inputs.progress = std::move(progress);
  Archive archive(bytes);
  parts->archive(archive);
  if (archive.bytes_left() > 0) throw ArchiveError("the saved run is longer than it should be");
  return Simulation(std::move(parts));
}

}  // namespace driftless
