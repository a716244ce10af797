// What a Compiled holds.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "driftless/automatic.hpp"
#include "driftless/compiled.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

// The ways (method and formulation) that are tried one after the other, until one succeeds. The first is compiled at
// once, the others when a run fails: each has its own expressions on top of those of the model.
struct Compiled::Parts {
  SimulateOptions given;
  Analysis analysis;  // with dummy derivatives if a method was to be chosen
  Ways ways;
  double seconds = 0.0, compilation = 0.0;  // of analysis and choice; of the first way

  const PreparedRun& way(std::size_t k) const {
    const std::lock_guard lock(preparing);
    while (prepared.size() <= k) prepared.push_back(nullptr);
    if (!prepared[k])
      prepared[k] = std::make_unique<PreparedRun>(
          prepare(ways.chosen ? analyze(analysis, ways.attempts[k].formulation) : analysis, ways.attempts[k]));
    return *prepared[k];
  }

  // Stores a start, so that runs that begin there need not compute it again.
  void keep_start(const State& start) const {
    const std::lock_guard lock(preparing);
    choose::Findings& findings = prepared[0]->analysis.findings;
    findings.started = prepared[0]->analysis.base;
    findings.start = std::make_shared<const State>(start);
  }

  mutable std::mutex preparing;
  mutable std::vector<std::unique_ptr<PreparedRun>> prepared;
};

}  // namespace driftless
