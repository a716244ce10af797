// The rows of a sweep in a file of comma-separated values, and their summary.
#pragma once

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

// A header "run,L,outcome,code,reached,x,message" and a line for each run. During the sweep the lines are in
// `x.csv.part`, and `x.csv.sweep` identifies the sweep; a killed process leaves both. At the end the first is renamed
// to the final name, and the second is removed.
class TableFile {
 public:
  // `identity`: one line; a sweep with the same one has the same rows.
  TableFile(std::filesystem::path path, std::string identity, const Plan& plan, const std::vector<Kept>& kept);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  // The rows of an interrupted sweep, which is continued after them; or the reason why it cannot be. None if there is
  // no such file. Without this call a new file is begun.
  std::variant<std::vector<Row>, std::string> resume();

  bool write(const Row& row);                         // false if it cannot be written
  void flush();                                       // called automatically at least once a second
  [[nodiscard]] std::optional<std::string> commit();  // nothing on success

  std::string problem() const;  // "cannot write 'x.csv.part': No space left on device"

 private:
  bool open(const char* mode);
  void fail();

  std::filesystem::path path_, part_, mark_;
  std::string identity_, header_;
  std::size_t values_, results_;
  const Plan& plan_;
  std::FILE* file_ = nullptr;
  double last_flush_ = 0.0;
  int error_ = 0;
};

// Of sorted values, linear between neighbours; NaN if there are none.
double quantile(const std::vector<double>& sorted, double p);

// A summary of all rows, which are added in the order of their numbers.
class Summary {
 public:
  explicit Summary(const std::vector<Kept>& kept);

  void add(const Row& row);

  std::size_t rows() const { return rows_; }
  std::size_t successes() const { return successes_; }
  // Of a result over all runs that succeeded; the quantile p interpolates linearly between its neighbours.
  double quantile(std::size_t result, double p) const;
  double mean(std::size_t result) const;
  std::string text() const;  // for people: outcomes with their reasons, and a table of quantiles

 private:
  struct Reason {
    std::size_t count = 0, first = 0;
    std::string message;
  };
  std::vector<std::string> names_;
  std::vector<std::vector<double>> results_;  // of runs that succeeded
  mutable std::vector<std::vector<double>> sorted_;
  std::map<std::pair<std::string, std::string>, Reason> reasons_;  // by outcome and code
  std::size_t rows_ = 0, successes_ = 0;
};

}  // namespace driftless::sweep
