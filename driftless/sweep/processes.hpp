// Processes that share a sweep, on one machine or on many. The process of rank 0 leads: it assigns runs to the others,
// takes their rows and passes them on in order. The others read and compile the same model and follow.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace driftless::sweep {

// Another process failed, or cannot be reached.
struct ProcessError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Processes {
 public:
  struct Letter {
    int from = 0;
    std::vector<std::byte> bytes;
  };

  virtual ~Processes() = default;
  virtual int rank() const = 0;  // of this process, from 0
  virtual int size() const = 0;
  // Returns at once; letters from one process to another arrive in their order.
  virtual void send(int to, std::vector<std::byte> bytes) = 0;
  virtual std::optional<Letter> receive() = 0;  // nothing if none has arrived

  bool leads() const { return rank() == 0; }
};

// The processes that mpirun or srun started together with this one; none if this one was started alone. Throws
// ProcessError if they cannot be reached. To be called once, by the thread that calls `run`.
std::unique_ptr<Processes> processes_of_mpi();

// Ends the other processes if the leader cannot begin or continue; for a follower that cannot, reports the reason to
// the leader.
void give_up(Processes& processes, const std::string& why);

}  // namespace driftless::sweep
