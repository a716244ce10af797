#include "driftless/initialize/plan.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/factorization.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/structure/blocks.hpp"

namespace driftless {
namespace {

// The key of a plan: the chosen rows and unknowns alone determine which unknown is computed from which row.
std::vector<std::int64_t> name_of(const InitialProblem& problem, const linear::GradedElimination& elimination) {
  std::vector<std::pair<std::int64_t, std::int64_t>> rows, cols;
  for (const auto& pivot : elimination.pivots) {
    rows.emplace_back(pivot.row, index(problem.rows[pivot.row].residual));
    const Quantity quantity = problem.unknowns[pivot.col].quantity;
    cols.emplace_back(pivot.col, (static_cast<std::int64_t>(index(quantity.variable)) << 8) + quantity.order);
  }
  std::ranges::sort(rows);
  std::ranges::sort(cols);
  std::vector<std::int64_t> name{static_cast<std::int64_t>(problem.unknowns.size())};
  for (const auto* list : {&rows, &cols})
    for (const auto& [place, what] : *list) name.push_back(place), name.push_back(what);
  return name;
}

using SparseRows = std::vector<std::vector<std::pair<int, double>>>;

// In a large system of as many rows as unknowns that is clearly regular there is nothing to choose. Factors show this
// at less cost than an elimination by grades, whose bounds of rounding errors also grow with the size of a mesh.
constexpr std::size_t large = 500;
constexpr double clearly = 1e-8;  // a pivot, in units of its column

bool is_clearly_regular(const SparseRows& rows, std::size_t unknowns) {
  if (rows.size() != unknowns || unknowns < large) return false;
  std::vector<linear::Coordinate> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& entry : rows[i]) places.push_back({static_cast<int>(i), entry.first});
  const linear::Assembly assembly = linear::assemble(static_cast<int>(unknowns), places);
  std::vector<double> values(assembly.pattern.rows.size(), 0.0);
  std::size_t place = 0;
  for (const auto& row : rows)
    for (const auto& entry : row) values[assembly.position[place++]] += entry.second;
  const auto factorization = linear::make_sparse(assembly.pattern);
  return factorization->factorize(values) && factorization->pivot_ratio() > clearly;
}

// All rows, all unknowns.
linear::GradedElimination everything(std::size_t unknowns) {
  linear::GradedElimination result;
  for (std::size_t k = 0; k < unknowns; ++k) result.pivots.push_back({static_cast<int>(k), static_cast<int>(k)});
  return result;
}

// The signature of the used rows in the unknowns to be computed; `local`: the number of an unknown among these, or -1.
structure::Signature signature_of(const InitialProblem& problem, const std::vector<int>& used,
                                  const std::vector<int>& local, int cols) {
  structure::Signature signature(cols);
  std::vector<structure::Entry> entries;
  for (const int row : used) {
    entries.clear();
    for (const auto& [col, derivative] : problem.gradients[row])
      if (local[col] >= 0) entries.push_back({structure::Col{local[col]}, 0});
    std::ranges::sort(entries, {}, &structure::Entry::col);
    signature.add_row(entries);
  }
  return signature;
}

}  // namespace

StartPlan plan_start(const InitialProblem& problem, const std::vector<InitialRows::Entry>& jacobian) {
  const std::size_t n = problem.unknowns.size();
  SparseRows rows(problem.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].reserve(problem.gradients[i].size());
  // An entry without a value is replaced by an arbitrary number; equal ones would look like dependence.
  const auto some = [](const InitialRows::Entry& entry) { return 1.0 + 0.37 * std::sin(7.0 * entry.row + entry.col); };
  for (const InitialRows::Entry& entry : jacobian)
    rows[entry.row].emplace_back(entry.col, std::isfinite(entry.value) ? entry.value : some(entry));
  std::vector<int> grade(n);
  std::vector<double> scale(n);
  for (std::size_t k = 0; k < n; ++k) {
    grade[k] = problem.unknowns[k].grade;
    scale[k] = problem.unknowns[k].nominal;
  }
  const linear::GradedElimination elimination =
      is_clearly_regular(rows, n) ? everything(n) : linear::eliminate_by_grade(rows, grade, scale);

  std::vector<std::int64_t> name = name_of(problem, elimination);
  if (const auto known = problem.plans->find(name)) {
    StartPlan plan = *known;
    plan.surplus = elimination.dependent;
    return plan;
  }

  StartPlan plan;
  plan.surplus = elimination.dependent;
  plan.row_of.assign(n, -1);
  std::vector<int> used, local(n, -1);
  for (const auto& pivot : elimination.pivots) {
    used.push_back(pivot.row);
    local[pivot.col] = 0;
  }
  std::ranges::sort(used);
  std::vector<int> cols;
  for (std::size_t k = 0; k < n; ++k)
    if (local[k] >= 0) {
      local[k] = static_cast<int>(cols.size());
      cols.push_back(static_cast<int>(k));
    }
  const structure::Signature signature = signature_of(problem, used, local, static_cast<int>(cols.size()));
  const structure::Matching matching = structure::maximum_matching(signature);
  if (!matching.is_perfect()) {  // rows with a dependent pattern are independent by rounding only
    plan.blocks.push_back({used, cols});
    for (const auto& pivot : elimination.pivots) plan.row_of[pivot.col] = pivot.row;
    return plan;
  }
  for (const structure::Block& found : structure::block_triangular_form(signature, matching)) {
    StartPlan::Block& block = plan.blocks.emplace_back();
    for (const structure::Row row : found.rows) block.rows.push_back(used[index(row)]);
    for (const structure::Col col : found.cols) block.cols.push_back(cols[index(col)]);
    for (std::size_t k = 0; k < found.cols.size(); ++k) plan.row_of[block.cols[k]] = block.rows[k];
    std::ranges::sort(block.cols);
  }
  problem.plans->keep(std::move(name), std::make_shared<const StartPlan>(plan));
  return plan;
}

std::shared_ptr<const StartPlan> KnownPlans::find(const std::vector<std::int64_t>& name) const {
  const std::lock_guard lock(looking_);
  const auto known = known_.find(name);
  return known == known_.end() ? nullptr : known->second;
}

void KnownPlans::keep(std::vector<std::int64_t> name, std::shared_ptr<const StartPlan> plan) {
  const std::lock_guard lock(looking_);
  known_.try_emplace(std::move(name), std::move(plan));
}

}  // namespace driftless
