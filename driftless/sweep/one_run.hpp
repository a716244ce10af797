// One run of a sweep: sets its values in the compiled model, and stores the results to be kept in a row.
#pragma once

#include <functional>
#include <vector>

#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {

class OneRun {
 public:
  // `goes_on` is called during the run: false ends it. Throws ModelError for a name that the model does not have.
  OneRun(const Compiled& compiled, const Plan& plan, const Options& options, std::function<bool()> goes_on);

  Row operator()(std::size_t run) const;  // from any thread

 private:
  void check_variable(const std::string& name) const;
  void keep(const Solution& solution, Row& row) const;
  void follow(const Solution& solution, Row& row) const;

  const Compiled& compiled_;
  const Plan& plan_;
  const Options& options_;
  const std::function<bool()> goes_on_;
  const std::vector<Kept> kept_;
  const Followed followed_;
  std::vector<bool> is_parameter_;  // otherwise the start of a variable varies
};

}  // namespace driftless::sweep
