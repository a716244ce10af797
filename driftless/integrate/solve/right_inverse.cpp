#include "driftless/integrate/solve/right_inverse.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "driftless/integrate/states/highest_stage.hpp"
#include "driftless/integrate/states/level_propagation.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {
namespace {

// The change δ of the slots solves δ - D μ = 0, C δ = residual: sparse, even if C D is dense.
class NormalInverse final : public RightInverse {
 public:
  NormalInverse(System& system, const std::vector<int>& invariants,
                const std::function<bool(int invariant, int slot)>& moves)
      : gradient_(system.invariant_entries().size()), system_(system), invariants_(invariants.size()) {
    std::vector<int> row_of(system.invariants(), -1), place_of(system.size(), -1);
    for (std::size_t i = 0; i < invariants.size(); ++i) row_of[invariants[i]] = static_cast<int>(i);
    const auto& entries = system.invariant_entries();
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].rate || row_of[entries[e].row] < 0 || !moves(entries[e].row, entries[e].slot)) continue;
      entries_.push_back(static_cast<int>(e));
      if (place_of[entries[e].slot] >= 0) continue;
      place_of[entries[e].slot] = static_cast<int>(slots_.size());
      slots_.push_back(entries[e].slot);
    }
    const int n = static_cast<int>(slots_.size());
    std::vector<linear::Coordinate> coordinates;
    for (int i = 0; i < n; ++i) coordinates.push_back({i, i});
    for (const int e : entries_) coordinates.push_back({place_of[entries[e].slot], n + row_of[entries[e].row]});
    for (const int e : entries_) coordinates.push_back({n + row_of[entries[e].row], place_of[entries[e].slot]});
    assembly_ = linear::assemble(n + static_cast<int>(invariants_), coordinates);
    factorization_ = linear::make_factorization(assembly_.pattern);
    directions_.resize(entries_.size());
    values_.resize(assembly_.pattern.rows.size());
    solution_.resize(n + invariants_);
  }

  bool find(const System::Point& at) override {
    system_.invariant_gradient(at, gradient_);
    for (std::size_t k = 0; k < entries_.size(); ++k) directions_[k] = gradient_[entries_[k]];
    return factorize();
  }

  bool improve(const System::Point& at) override {
    system_.invariant_gradient(at, gradient_);
    return factorize();
  }

  void apply(std::span<const double> residual, std::span<double> y) override {
    std::fill_n(solution_.begin(), slots_.size(), 0.0);
    std::ranges::copy(residual, solution_.begin() + static_cast<std::ptrdiff_t>(slots_.size()));
    factorization_->solve(solution_);
    for (std::size_t i = 0; i < slots_.size(); ++i) y[slots_[i]] -= solution_[i];
  }

  void archive(Archive& archive) override { archive(directions_, *factorization_); }

 private:
  bool factorize() {
    std::ranges::fill(values_, 0.0);
    std::size_t position = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) values_[assembly_.position[position++]] = 1.0;
    for (const double d : directions_) values_[assembly_.position[position++]] -= d;
    for (const int e : entries_) values_[assembly_.position[position++]] += gradient_[e];
    return factorization_->factorize(values_);
  }

  std::vector<double> gradient_, directions_, values_, solution_;
  System& system_;
  std::size_t invariants_;
  std::vector<int> entries_, slots_;  // entries of the gradient that take part, slots that move
  linear::Assembly assembly_;
  std::unique_ptr<linear::Factorization> factorization_;
};

// The change of the slots of a level with the residual r: the highest level of its constraint is given the right-hand
// side r in the system of all unknowns of stage 0, and the result is propagated to the stage of the level.
class ForceInverse final : public RightInverse {
 public:
  // Null if the highest level of some constraint is not among the rows, or if these have further multipliers: the
  // gradients of all invariants, or of more rows than in the base, would cost more than those of the base.
  static std::unique_ptr<ForceInverse> of(System& system, std::span<const Invariant> levels) {
    auto inverse = std::unique_ptr<ForceInverse>(new ForceInverse(system));
    const HighestStage& highest = inverse->highest_;
    const bool is_base = highest.is_in_rows() && highest.idle().empty();
    return is_base && inverse->find_stages(levels) ? std::move(inverse) : nullptr;
  }

  void keep(std::unique_ptr<System> own) { own_ = std::move(own); }

  bool find(const System::Point& at) override {
    const std::size_t n = system_.size();
    highest_.evaluate({at.t, at.y.first(n), at.yp.first(n)});
    propagation_.take(highest_.jacobian());
    return elimination_.factorize(highest_.matrix());
  }
  bool improve(const System::Point& at) override { return find(at); }

  void apply(std::span<const double> residual, std::span<double> y) override {
    for (const auto& [number, stage] : stages_) {
      std::ranges::fill(z_, 0.0);
      for (const auto& [which, equation] : stage.residuals) z_[equation] = residual[which];
      elimination_.solve(z_);
      propagation_.run(highest_.unknowns().all(), z_);
      for (const int s : stage.slots) y[s] -= propagation_.of_slots()[s];
    }
  }

  void archive(Archive& archive) override { archive(propagation_, elimination_); }

 private:
  explicit ForceInverse(System& system)
      : system_(system),
        highest_(system),
        propagation_(system),
        elimination_(highest_.size(), highest_.entries()),
        z_(highest_.size()) {
    highest_.leave_out_all_but(propagation_.entries());
  }

  bool find_stages(std::span<const Invariant> levels) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const std::optional<int> equation = highest_.equation_of(levels[i].equation);
      if (!equation) return false;
      stages_[levels[i].stage].residuals.push_back({static_cast<int>(i), *equation});
    }
    for (int s = 0; s < system_.size(); ++s)
      if (const auto stage = stages_.find(system_.reduced().slots[s].stage); stage != stages_.end())
        stage->second.slots.push_back(s);
    return true;
  }

  struct Residual {
    int which, equation;  // its place among the residuals, and the equation of the highest level of its constraint
  };
  struct Stage {
    std::vector<Residual> residuals;
    std::vector<int> slots;
  };
  std::unique_ptr<System> own_;
  System& system_;
  HighestStage highest_;
  LevelPropagation propagation_;
  linear::Elimination elimination_;
  std::map<int, Stage> stages_;
  std::vector<double> z_;
};

}  // namespace

std::unique_ptr<RightInverse> make_normal_inverse(System& system, const std::vector<int>& invariants,
                                                  const std::function<bool(int invariant, int slot)>& moves) {
  return std::make_unique<NormalInverse>(system, invariants, moves);
}

// A formulation that does not keep the highest level has a base that does. Its slots are the first ones of the
// formulation.
std::unique_ptr<RightInverse> make_force_inverse(System& system, const std::vector<int>& invariants) {
  std::vector<Invariant> levels;
  for (const int i : invariants) levels.push_back(system.reduced().invariants[i]);
  if (auto inverse = ForceInverse::of(system, levels)) return inverse;
  if (!system.reduced().base) return nullptr;
  auto base = system.base();
  auto inverse = ForceInverse::of(*base, levels);
  if (inverse) inverse->keep(std::move(base));
  return inverse;
}

}  // namespace driftless
