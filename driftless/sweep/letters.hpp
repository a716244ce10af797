// What the processes of a sweep write to each other.
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
    Hello,     // to the leader: `text` says which sweep the follower has
    Request,   // to the leader: `count` more runs
    Rows,      // to the leader: results
    Farewell,  // to the leader: the last letter; `text` says why, if the follower could not go on
    Runs,      // to a follower that has asked: do `count` runs from `first` on
    NoRuns,    // to a follower that has asked: none is left; finish yours and say farewell
    Stop       // to a follower: leave all and say farewell
  };
  Kind kind = Kind::Stop;
  std::string text = {};
  std::uint64_t first = 0, count = 0;
  std::vector<Row> rows = {};

  void archive(Archive& archive);
};

void send(Processes& processes, int to, Message message);
Message read_message(const Processes::Letter& letter);  // throws ArchiveError for bytes that are none

// Two processes with the same one would compute the same rows.
std::string identity_of(const Compiled& compiled, const Plan& plan, const Options& options);

}  // namespace driftless::sweep
