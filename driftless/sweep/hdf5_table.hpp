// The rows of a sweep in an HDF5 file: the columns of the CSV file as arrays, and trajectories.
//
//   varied, values         names of varied quantities; runs x varied
//   kept, results          names of results; runs x kept, NaN where a run failed
//   outcome, code, reached, message                          one for each run; a message is cut after 511 bytes
//   followed, time, trajectories                             names; output times; runs x times x followed
//   complete               number of runs written
//
// Sizes are known before the first run, so every row is written to its place at once and memory does not grow. During
// the sweep the file is called `x.h5.part` and can be read; `x.h5.sweep` identifies the sweep, as in table.hpp.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "driftless/sweep/hdf5_layout.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

class Hdf5Table {
 public:
  // `followed`: names and times of the trajectories; empty if there are none.
  Hdf5Table(std::filesystem::path path, std::string identity, std::string model, const Plan& plan,
            const std::vector<Kept>& kept, const Followed& followed);
  ~Hdf5Table();
  Hdf5Table(const Hdf5Table&) = delete;
  Hdf5Table& operator=(const Hdf5Table&) = delete;

  // As those of TableFile. Rows of an interrupted sweep have their trajectories if asked.
  std::variant<std::vector<Row>, std::string> resume(bool with_trajectories);
  bool write(const Row& row);
  void flush();
  [[nodiscard]] std::optional<std::string> commit();
  std::string problem() const;

 private:
  bool create();
  void put(std::size_t dataset, std::uint64_t element, const void* bytes, std::size_t size);
  void put_text(std::size_t dataset, std::uint64_t element, const std::string& text);
  void put_names();
  std::string get(std::size_t dataset, std::uint64_t element, std::size_t elements);
  std::string get_text(std::size_t dataset, std::uint64_t element);
  std::vector<double> get_numbers(std::size_t dataset, std::uint64_t element, std::size_t count);
  void fail();

  std::filesystem::path path_, part_, mark_;
  std::string identity_;
  const Plan& plan_;
  std::vector<std::string> kept_;
  Followed followed_;
  std::vector<Hdf5Dataset> datasets_;
  Hdf5Layout layout_;
  int file_ = -1, error_ = 0;
  std::uint64_t complete_ = 0;
  double last_flush_ = 0.0;
};

}  // namespace driftless::sweep
