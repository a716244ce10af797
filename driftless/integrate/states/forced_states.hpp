// States that the user prescribes, by stateSelect = always or never or by forbidding exchanges, are kept even where
// they cease to determine the rest: the planar pendulum with y as its state, where x = 0. There the matrix M of the
// dependent candidates (selection.hpp) is singular, and its determinant changes its sign. Steps may be longer than the
// neighbourhood in which Newton's iteration notices that, so the sign is checked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class ForcedStates {
 public:
  // `all`: every choice counts as forced.
  ForcedStates(const Reduced& reduced, const std::vector<std::vector<System::ChoiceEntry>>& entries, bool all);

  bool any() const { return !watched_.empty(); }

  // Values as System::choices gives them, and the candidates that are states. If a forced choice has become singular
  // between the last point and this one: which.
  std::optional<std::string> passed(std::span<const double> values, const std::vector<int>& active);

  void archive(Archive& archive) {
    archive.section("forced states");
    archive.expect(watched_.size(), "number of forced choices");
    for (Watched& watched : watched_) archive(watched.sign, watched.column);
  }

 private:
  struct Watched {
    const Choice* choice;
    const std::vector<System::ChoiceEntry>* entries;
    std::size_t offset;
    int sign = 0;  // of det M at the last point; 0: not known
    std::vector<double> matrix;
    std::vector<int> column;  // of each candidate in M, -1 for states
  };
  int sign_of_determinant(Watched& watched, std::span<const double> values) const;
  std::string describe(const Watched& watched) const;

  const Reduced& reduced_;
  std::vector<Watched> watched_;
};

}  // namespace driftless
