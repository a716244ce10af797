// The output points of a run that a report shows. The number of points is limited so that memory and the file stay
// bounded: of a long run those of every few neighbours are kept at which some curve is largest or smallest, so that no
// peak is lost; of a wide run every second point, and an evenly spaced selection of variables. Both sides of an event
// stay together when single points are dropped.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless::reporting {

class KeptRows {
 public:
  // `wanted`: columns that are always kept.
  explicit KeptRows(const Solution& head, const std::vector<std::string>& wanted = {});

  void drift(std::span<const double> levels);  // of the next row
  void row(double time, std::span<const double> series);

  // Limits the total number of values, but keeps a minimum of rows so that curves remain recognizable.
  void shrink(std::size_t most_values);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<double>& times() const { return times_; }
  std::vector<double> values_of(std::size_t column) const;
  std::size_t levels() const { return levels_; }
  std::vector<double> drift_of(std::size_t level) const;

  std::size_t rows_in_all() const { return rows_in_all_; }
  std::size_t columns_in_all() const { return columns_in_all_; }

 private:
  std::size_t width() const { return places_.size(); }
  bool thin_out();
  std::vector<std::size_t> every_second() const;
  void keep(std::span<const std::size_t> rows);
  void keep_columns(std::size_t most);

  std::vector<Column> columns_;
  std::vector<std::size_t> places_;  // of the columns among the series
  std::vector<double> times_, values_, drift_, next_drift_;
  std::size_t wanted_ = 0;  // number of leading columns that are always kept
  std::size_t levels_ = 0, rows_in_all_ = 0, columns_in_all_ = 0;
};

}  // namespace driftless::reporting
