// The messages between the processes of a sweep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/sweep/processes.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

struct Message {
  enum class Kind : std::uint8_t {
    Hello,     // to the leader: `text` identifies the follower's sweep
    Request,   // to the leader: requests `count` more runs
    Rows,      // to the leader: results
    Farewell,  // to the leader: the last message; `text`: the reason if the follower failed
    Runs,      // to a follower that has asked: execute `count` runs from `first` on
    NoRuns,    // to a follower that has asked: no runs are left; finish and send Farewell
    Stop       // to a follower: abandon all runs and send Farewell
  };
  Kind kind = Kind::Stop;
  std::string text = {};
  std::uint64_t first = 0, count = 0;
  std::vector<Row> rows = {};

  void archive(Archive& archive);
};

void send(Processes& processes, int to, Message message);
Message read_message(const Processes::Letter& letter);  // throws ArchiveError for invalid bytes

// Processes with the same identity compute the same rows.
std::string identity_of(const Compiled& compiled, const Plan& plan, const Options& options);

}  // namespace driftless::sweep
