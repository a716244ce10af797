// Completes a point whose states have been moved: recomputes what follows from them, by the highest level of every
// constraint. In mechanics these are accelerations and multipliers. If the rows of the formulation lack the highest
// level, those of its base are used; stabilizing multipliers stay as they are.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/solve/slopes.hpp"

namespace driftless {

class Completion {
 public:
  explicit Completion(Problem& problem);

  void states_changed();

  // Computes every slot that is no state, and every rate. False if the equations cannot be solved here.
  bool operator()(double t, std::span<double> y, std::span<double> yp);

  void archive(Archive& archive) {
    archive.section("completion");
    if (own_) archive(*own_);
    if (base_) archive(base_->problem, base_->slopes);
  }

 private:
  struct Base {
    explicit Base(std::unique_ptr<System> of);
    std::unique_ptr<System> system;
    Problem problem;
    Slopes slopes;
    std::vector<double> y, yp;
  };
  bool from_base(double t, std::span<double> y, std::span<double> yp);

  Problem& problem_;
  std::unique_ptr<Slopes> own_;  // one of the two, or neither: then the point stays as it is
  std::unique_ptr<Base> base_;
};

}  // namespace driftless
