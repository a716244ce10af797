#include "driftless/integrate/solve/right_inverse.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "driftless/integrate/solve/level_propagation.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {
namespace {

// The change δ of the slots solves  δ - D μ = 0,  C δ = residual: sparse, whatever C D is.
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
// side r in the system for all that has stage 0, and what follows is passed on to the stage of the level.
class ForceInverse final : public RightInverse {
 public:
  ForceInverse(System& system, std::unique_ptr<System> own, const std::vector<int>& invariants)
      : own_(std::move(own)), system_(own_ ? *own_ : system), descent_(system_) {
    const Reduced& r = system_.reduced();
    std::vector<int> row_of(r.rows.size(), -1), column_of_slot(r.slots.size(), -1), column_of_rate(r.slots.size(), -1);
    std::map<EqnId, int> highest;
    int rows = 0;
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
      if (r.rows[i].stage != 0) continue;
      highest[r.rows[i].equation] = rows;
      row_of[i] = rows++;
    }
    const auto add = [&](std::vector<int>& column_of, int slot, bool rate) {
      column_of[slot] = static_cast<int>(unknowns_.size());
      unknowns_.push_back({slot, rate});
    };
    for (int s = 0; s < system_.size(); ++s)
      if (r.slots[s].stage == 0) add(column_of_slot, s, false);
    for (const Quantity q : r.quantities)
      if (r.place(q) == Place::Rate) add(column_of_rate, r.slot_of(q), true);
    if (rows != std::ssize(unknowns_) || r.implicit) return;

    std::vector<linear::Coordinate> coordinates;
    const auto& entries = system_.jacobian_entries();
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const int row = entries[e].row < system_.rows() ? row_of[entries[e].row] : -1;
      const int column = (entries[e].rate ? column_of_rate : column_of_slot)[entries[e].slot];
      if (row < 0 || column < 0) continue;
      entries_.push_back(static_cast<int>(e));
      coordinates.push_back({row, column});
    }
    elimination_.emplace(rows, std::move(coordinates));
    std::map<int, Stage> stages;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      const Invariant& level = system.reduced().invariants[invariants[i]];
      if (!highest.contains(level.equation)) return;
      stages[level.stage].residuals.push_back({static_cast<int>(i), highest.at(level.equation)});
    }
    for (auto& [number, stage] : stages) {
      for (int s = 0; s < system_.size(); ++s)
        if (r.slots[s].stage == number) stage.slots.push_back(s);
      stages_.push_back(std::move(stage));
    }
    jacobian_.resize(entries.size());
    matrix_.resize(entries_.size());
    directions_.resize(descent_.entries().size());
    z_.resize(rows);
    exists_ = true;
  }

  bool exists() const { return exists_; }

  bool find(const System::Point& at) override {
    const std::size_t n = system_.size();
    system_.jacobian({at.t, at.y.first(n), at.yp.first(n)}, jacobian_);
    for (std::size_t k = 0; k < entries_.size(); ++k) matrix_[k] = jacobian_[entries_[k]];
    for (std::size_t k = 0; k < directions_.size(); ++k) directions_[k] = jacobian_[descent_.entries()[k]];
    return elimination_->factorize(matrix_);
  }
  bool improve(const System::Point& at) override { return find(at); }

  void apply(std::span<const double> residual, std::span<double> y) override {
    for (const Stage& stage : stages_) {
      std::ranges::fill(z_, 0.0);
      for (const auto& [which, row] : stage.residuals) z_[row] = residual[which];
      elimination_->solve(z_);
      descent_.clear();
      for (std::size_t k = 0; k < z_.size(); ++k) descent_.set(unknowns_[k].slot, unknowns_[k].rate, z_[k]);
      descent_.run(directions_);
      for (const int s : stage.slots) y[s] -= descent_.of_slot(s);
    }
  }

  void archive(Archive& archive) override { archive(directions_, *elimination_); }

 private:
  struct Unknown {
    int slot;
    bool rate;
  };
  struct Residual {
    int which, row;  // among the residuals, and the row of the highest level of its constraint
  };
  struct Stage {
    std::vector<Residual> residuals;
    std::vector<int> slots;
  };
  std::unique_ptr<System> own_;
  System& system_;
  LevelPropagation descent_;
  std::vector<Unknown> unknowns_;
  std::vector<int> entries_;  // of the system's Jacobian, that the matrix consists of
  std::optional<linear::Elimination> elimination_;
  std::vector<Stage> stages_;
  std::vector<double> jacobian_, matrix_, directions_, z_;
  bool exists_ = false;
};

}  // namespace

std::unique_ptr<RightInverse> make_normal_inverse(System& system, const std::vector<int>& invariants,
                                                  const std::function<bool(int invariant, int slot)>& moves) {
  return std::make_unique<NormalInverse>(system, invariants, moves);
}

// A formulation that does not keep the highest level has a base that does. Its slots are the first ones of the
// formulation.
std::unique_ptr<RightInverse> make_force_inverse(System& system, const std::vector<int>& invariants) {
  if (auto inverse = std::make_unique<ForceInverse>(system, nullptr, invariants); inverse->exists()) return inverse;
  if (!system.reduced().base) return nullptr;
  auto base = system.base();
  auto inverse = std::make_unique<ForceInverse>(system, std::move(base), invariants);
  return inverse->exists() ? std::move(inverse) : nullptr;
}

}  // namespace driftless
