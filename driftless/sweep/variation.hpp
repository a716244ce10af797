// The quantities that vary from run to run of a sweep, in the user's notation:
//
//   L=0.5:2:100                   100 values from 0.5 to 2, both included
//   L=0.01:100:9:log              the same with a constant ratio
//   L=1,2,5                       these values
//   m=uniform(0.9,1.1)            random: also normal(mean,deviation), lognormal(median,factor), triangular(a,peak,b)
//   m=normal(1,0.1,seed=7)        with a seed of its own
//
// The values of a grid are combined with those of all other grids, the last varying fastest; new random values are
// drawn for every run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace driftless::sweep {

struct Distribution {
  enum class Kind { Uniform, Normal, Lognormal, Triangular };
  Kind kind = Kind::Uniform;
  double a = 0.0, b = 1.0, c = 0.0;  // as written above; c: the end of a triangle
  std::optional<std::uint64_t> seed = {};
};

struct Variation {
  std::string name;  // of a parameter, or of a variable whose start is meant
  std::variant<std::vector<double>, Distribution> values;

  bool is_grid() const { return values.index() == 0; }
};

// Otherwise the error in the text.
std::variant<Variation, std::string> parse_variation(const std::string& text);

// Every run of a sweep with its values.
class Plan {
 public:
  // Without `runs` there is one run for each combination of the grids; with it they are repeated until this number is
  // reached.
  struct Options {
    std::optional<std::size_t> runs = {};
    std::uint64_t seed = 0;  // of distributions without a seed of their own
  };

  // Otherwise the reason why these cannot be combined.
  static std::variant<Plan, std::string> make(std::vector<Variation> variations, const Options& options);

  const std::vector<Variation>& variations() const { return variations_; }
  std::size_t runs() const { return runs_; }
  std::vector<double> values(std::size_t run) const;  // one for each variation
  std::string text() const;                           // equal plans have equal texts

 private:
  std::vector<Variation> variations_;
  std::vector<std::uint64_t> streams_;  // of distributions
  std::size_t runs_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace driftless::sweep
