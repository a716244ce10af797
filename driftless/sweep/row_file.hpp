// The file for the rows of a sweep: lines of a CSV file, or arrays of an HDF5 file, by its extension.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/sweep/hdf5_table.hpp"
#include "driftless/sweep/table.hpp"

namespace driftless::sweep {

class RowFile {
 public:
  // Precondition: names(path). Lines have no trajectories.
  RowFile(const std::filesystem::path& path, const std::string& identity, const std::string& model, const Plan& plan,
          const std::vector<Kept>& kept, const Followed& followed);

  static bool names(const std::filesystem::path& path);  // .csv, .h5, .hdf5
  static bool is_hdf5(const std::filesystem::path& path);

  // As those of TableFile. Rows of an interrupted sweep have their trajectories only if asked.
  std::variant<std::vector<Row>, std::string> resume(bool with_trajectories = false);
  bool write(const Row& row);
  void flush();
  [[nodiscard]] std::optional<std::string> commit();
  std::string problem() const;

 private:
  std::variant<std::unique_ptr<TableFile>, std::unique_ptr<Hdf5Table>> file_;
};

}  // namespace driftless::sweep
