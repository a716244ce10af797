// Processes of Open MPI or another MPI. This file is a module of its own, which is loaded when mpirun has started the
// program: alone it starts without the libraries of MPI. The program may have a standard library of its own, so the
// module throws nothing.
#include <mpi.h>

#include <algorithm>
#include <list>

#include "driftless/sweep/processes.hpp"

namespace driftless::sweep {
namespace {

constexpr int tag = 0;

class MpiProcesses final : public Processes {
 public:
  MpiProcesses() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiProcesses() override {
    for (Pending& pending : pending_) MPI_Wait(&pending.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::vector<std::byte> bytes) override {
    Pending& pending = pending_.emplace_back();
    pending.bytes = std::move(bytes);
    MPI_Isend(pending.bytes.data(), static_cast<int>(pending.bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
              &pending.request);
  }

  std::optional<Letter> receive() override {
    std::erase_if(pending_, [](Pending& pending) {
      int done = 0;
      MPI_Test(&pending.request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return {};
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Letter letter{.from = status.MPI_SOURCE, .bytes = std::vector<std::byte>(size)};
    MPI_Recv(letter.bytes.data(), size, MPI_BYTE, letter.from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return letter;
  }

 private:
  struct Pending {  // bytes that are kept until MPI has sent them
    std::vector<std::byte> bytes;
    MPI_Request request;
  };
  int rank_ = 0, size_ = 1;
  std::list<Pending> pending_;
};

}  // namespace
}  // namespace driftless::sweep

// Null: MPI cannot be initialized.
extern "C" driftless::sweep::Processes* driftless_mpi_processes() {
  int provided = 0;
  const bool is_ready = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
  return is_ready ? new driftless::sweep::MpiProcesses : nullptr;
}
