// The discrete part of a model as functions of numbers, evaluated by an event iteration. The functions read the
// quantities of one compiled system.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/events/order.hpp"
#include "driftless/integrate/system/compiled_system.hpp"

namespace driftless {

class DiscreteSystem {
 public:
  // Precondition: order_of reports no error for the model. Where an expression needs a derivative that is no quantity
  // of the system, `missing` names it.
  explicit DiscreteSystem(const CompiledSystem& system);
  const std::string& missing() const { return missing_; }

  // At a point: time, all parameters, all quantities of the system.
  struct Point {
    double t;
    std::span<const double> parameters, quantities;
  };

  // The values of all discrete variables, in the order of DiscretePart, with the given left limits, relations and
  // quantities; values_at_start: by initial equations.
  void values(const Point& at, std::span<double> out);
  void values_at_start(const Point& at, std::span<double> values, std::span<double> pre);

  struct Conditions {
    std::vector<double> reinit, reinit_value, terminate, assertion;
  };
  void conditions(const Point& at, Conditions& out);

 private:
  std::shared_ptr<const Kernel> compile(const CompiledSystem& system, const char* name, std::vector<NodeId> outputs);
  void run(const Kernel& kernel, const Point& at);

  const Model& model_;
  std::shared_ptr<Pool> pool_;
  std::vector<std::size_t> assigned_, assigned_at_start_, pre_at_start_;  // variables, in the order of the kernels
  std::shared_ptr<const Kernel> values_, start_, conditions_;
  std::vector<double> inputs_, outputs_, work_;
  const Kernel* evaluated_ = nullptr;  // the one that outputs_ belong to, with the present inputs_
  std::string missing_;
};

}  // namespace driftless
