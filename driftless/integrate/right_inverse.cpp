#include "driftless/integrate/right_inverse.hpp"

#include <algorithm>

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

class ForceInverse final : public RightInverse {
 public:
  ForceInverse(System& system, std::unique_ptr<System> own, const std::vector<int>& invariants)
      : own_(std::move(own)), directions_(own_ ? *own_ : system), size_((own_ ? *own_ : system).size()) {
    const Reduced& r = system.reduced();
    for (const int i : invariants) {
      const auto found = std::ranges::find(directions_.constraints(), r.invariants[i].equation);
      Move& move = moves_.emplace_back();
      move.constraint = static_cast<int>(found - directions_.constraints().begin());
      for (std::size_t s = 0; s < size_; ++s)
        if (r.slots[s].stage == r.invariants[i].stage) move.slots.push_back(static_cast<int>(s));
    }
  }

  bool exists() const { return directions_.exist(); }

  bool find(const System::Point& at) override {
    return directions_.evaluate({at.t, at.y.first(size_), at.yp.first(size_)});
  }
  bool improve(const System::Point& at) override { return find(at); }

  void apply(std::span<const double> residual, std::span<double> y) override {
    for (std::size_t i = 0; i < moves_.size(); ++i)
      for (const int s : moves_[i].slots) y[s] -= directions_.of_slots()(s, moves_[i].constraint) * residual[i];
  }

 private:
  struct Move {
    int constraint = 0;
    std::vector<int> slots;
  };
  std::unique_ptr<System> own_;
  ForceDirections directions_;
  std::size_t size_;
  std::vector<Move> moves_;
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
  auto base = std::make_unique<System>(system.reduced().base, Backend::Interpreter);
  auto inverse = std::make_unique<ForceInverse>(system, std::move(base), invariants);
  return inverse->exists() ? std::move(inverse) : nullptr;
}

}  // namespace driftless
