// For tests: a small invented solution of a pendulum with every kind of content.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

inline Solution sample_solution() {
  Solution s;
  s.model = "Pendulum";
  s.stop = s.reached = 10.0;
  s.tolerance = 1e-6;
  s.formulation = "dummy";
  s.method = "bdf";
  s.structure = {3, 3, 3, false, 2, {{"line 5", 0}, {"line 6", 0}, {"line 7", 2}}};
  s.statistics.steps = 812;
  s.statistics.rejected_steps = 12;
  s.statistics.residual_evaluations = 1830;
  s.statistics.jacobian_evaluations = 41;
  s.statistics.factorizations = 53;
  s.statistics.pivots = 4;
  s.statistics.mean_order = 4.6;
  s.statistics.evaluation = Evaluation::Compiled;
  s.statistics.seconds = {0.001, 0.0004, 0.012, 0.0003, 0.007};
  s.certificate = {{"line 7", 7, 0, "x^2 + y^2 = L^2", 1.25e-13, 3.41, 6e-14},
                   {"line 7", 7, 1, "x^2 + y^2 = L^2", 4.2e-12, 8.021, 2e-12},
                   {"line 7", 7, 2, "x^2 + y^2 = L^2", 3.7e-5, 8.021, 1.2e-5}};
  s.bound = 1e-6;
  s.columns = {{.name = "x", .unit = "m", .description = "horizontal"},
               {.name = "der(x)", .unit = "m/s", .is_derivative = true},
               {.name = "L", .unit = "m", .description = "length", .is_parameter = true, .parameter_value = 1.5},
               {.name = "g", .is_parameter = true, .parameter_value = 9.81}};
  s.times = {0.0, 5.0, 10.0};
  s.values = {1.0, 0.0, 0.1, -2.5, -1.0, 1e-20};
  return s;
}

// A path in the folder for temporary files, gone with the object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() / ("driftless-" + unique() + "-" + name)) {
    std::filesystem::create_directories(folder_);
    path_ = folder_ / name;
  }
  ~ScratchFile() { std::filesystem::remove_all(folder_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::string text() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  static std::string unique() {
    static int count = 0;
    return std::to_string(::getpid()) + "-" + std::to_string(++count);
  }

  std::filesystem::path folder_, path_;
};

}  // namespace driftless
