// Pictures of a sweep as one SVG document, a panel for each requested picture:
//
//   x          the variable over time: median, and the bands that hold half and nine tenths of the runs
//   L:max(y)   a result over a varied quantity, or over another result: a point for each run
//
// Quantiles are over the runs so far. At most the first 20,000 runs are drawn.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/solution/theme.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

class Picture {
 public:
  static constexpr std::size_t most_runs = 20'000;

  // `followed` has the variables that are drawn over time (names_over_time). Otherwise the error in the names.
  static std::variant<Picture, std::string> make(const std::vector<std::string>& names, const Plan& plan,
                                                 const std::vector<Kept>& kept, Followed followed);
  static std::vector<std::string> names_over_time(const std::vector<std::string>& names);

  void add(const Row& row);
  std::string svg(const std::string& title, Theme theme = Theme::Auto) const;

 private:
  struct Source {
    bool varies = false;  // otherwise it is a result
    std::size_t place = 0;
    double of(const Row& row) const { return varies ? row.values[place] : row.results[place]; }
  };
  struct Points {
    std::string x_name, y_name;
    Source x_source = {}, y_source = {};
    std::vector<double> x = {}, y = {};
  };
  struct Bands {
    std::string name;
    std::size_t place = 0;                    // among the followed variables
    std::vector<std::vector<double>> values;  // by time: of all runs so far
  };

  Followed followed_;
  std::vector<std::size_t> times_;  // that are drawn
  std::vector<std::variant<Points, Bands>> panels_;
  std::size_t runs_ = 0;
};

}  // namespace driftless::sweep
