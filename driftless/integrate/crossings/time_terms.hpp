// Do event functions, because time itself occurs in them, change faster than the chosen steps resolve?
//
// The error test of a method sees states only. A function such as x*sin(1000*time) - 0.5 may oscillate many times
// within a step, while x hardly moves, and so may an algebraic unknown: the voltage at a diode that does not conduct,
// between a source and a capacitor. The ends of a step then say nothing about the time between them.
//
// This class examines the expressions on which event functions depend without an integration, if they contain time
// nonlinearly: the functions themselves, definitions inserted, and the rows that determine the unknowns in them which
// are no states, directly or by others of these. With their unknowns held, between those of the two ends of the step,
// these are functions of time alone, and their slopes at the ends and at some points between show whether a cubic, or
// for methods of high order a polynomial of degree 17, describes them. Slopes are used because values cancel in short
// steps.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/crossings/interpolant.hpp"
#include "driftless/integrate/system/compiled_system.hpp"

namespace driftless {

// Replaces quantities in expressions by expressions of slots and rates. The pool may grow.
class DefinitionsInserted {
 public:
  DefinitionsInserted(Pool& pool, const Reduced& reduced)
      : insert_(pool, [&pool, &reduced](NodeId leaf) -> std::optional<NodeId> {
          const Node node = pool[leaf];
          if (node.op != Op::Variable) return {};
          const Reduced::Address& at = reduced.addresses[node.a][node.b];
          if (at.place != Place::Defined) return {};
          return reduced.definitions[static_cast<std::size_t>(at.index)].value;
        }) {}
  NodeId operator()(NodeId expression) { return insert_(expression); }

 private:
  Substitution insert_;
};

class TimeTerms {
 public:
  TimeTerms() = default;
  // `pool` may grow. `g`: the event functions.
  TimeTerms(const CompiledSystem& system, const std::shared_ptr<Pool>& pool, std::span<const NodeId> g);

  bool exist() const { return kernel_ != nullptr; }
  bool are_in_rows() const { return in_rows_ > 0; }

  void take_parameters(std::span<const double> parameters);

  struct End {
    double t;
    std::span<const double> y, yp;
  };
  enum class Speed {
    Calm,         // the polynomial describes all of them
    InFunctions,  // it describes the unknowns, but not terms of time in the functions
    InRows        // it does not describe the unknowns either
  };
  Speed look(const End& from, const End& to, bool high_order);

 private:
  void collect_rows(const Reduced& reduced, const Pool& pool, std::span<const NodeId> functions,
                    std::vector<NodeId>& out) const;
  void evaluate(double t, std::vector<double>& slopes);
  bool is_described(std::size_t term) const;
  bool is_described_by_high_degree(std::size_t term);
  Speed speed_of(std::span<const char> described) const;

  std::size_t terms_ = 0, in_rows_ = 0;   // the last of the former
  std::shared_ptr<const Kernel> kernel_;  // slopes with all unknowns held
  std::size_t y_offset_ = 0, yp_offset_ = 0;
  std::vector<double> inputs_, work_;
  std::vector<std::vector<double>> samples_;
  std::vector<char> described_;
  Interpolant interpolant_;
};

}  // namespace driftless
