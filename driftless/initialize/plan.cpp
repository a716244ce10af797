#include "driftless/initialize/plan.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/factorization.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/structure/blocks.hpp"

namespace driftless {
namespace {

// Which unknown is found from which row follows from the rows and unknowns that take part, and from nothing else: what
// takes part has its own number, the rest its complement.
std::vector<std::int64_t> name_of(const InitialProblem& problem, const linear::GradedElimination& elimination) {
  const std::size_t rows = problem.rows.size();
  std::vector<std::int64_t> name(rows + problem.unknowns.size());
  for (std::size_t i = 0; i < rows; ++i) name[i] = ~static_cast<std::int64_t>(index(problem.rows[i].residual));
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) {
    const Quantity quantity = problem.unknowns[k].quantity;
    name[rows + k] = ~((static_cast<std::int64_t>(index(quantity.variable)) << 8) + quantity.order);
  }
  for (const auto& pivot : elimination.pivots) {
    name[pivot.row] = ~name[pivot.row];
    name[rows + pivot.col] = ~name[rows + pivot.col];
  }
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

// False if only rounding makes rows independent whose pattern is not: then the pairs are those of the elimination.
bool find_blocks(const InitialProblem& problem, const linear::GradedElimination& elimination, StartPlan& plan) {
  const std::size_t n = problem.unknowns.size();
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
  if (!matching.is_perfect()) {
    plan.blocks.push_back({used, cols});
    for (const auto& pivot : elimination.pivots) plan.row_of[pivot.col] = pivot.row;
    return false;
  }
  for (const structure::Block& found : structure::block_triangular_form(signature, matching)) {
    StartPlan::Block& block = plan.blocks.emplace_back();
    for (const structure::Row row : found.rows) block.rows.push_back(used[index(row)]);
    for (const structure::Col col : found.cols) block.cols.push_back(cols[index(col)]);
    for (std::size_t k = 0; k < found.cols.size(); ++k) plan.row_of[block.cols[k]] = block.rows[k];
    std::ranges::sort(block.cols);
  }
  return true;
}

}  // namespace

StartPlanner::StartPlanner(const InitialProblem& problem)
    : problem_(problem), grade_(problem.unknowns.size()), scale_(problem.unknowns.size()), rows_(problem.rows.size()) {
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].reserve(problem.gradients[i].size());
  for (std::size_t k = 0; k < grade_.size(); ++k) {
    grade_[k] = problem.unknowns[k].grade;
    scale_[k] = problem.unknowns[k].nominal;
  }
}

std::shared_ptr<const StartPlan> StartPlanner::operator()(std::span<const InitialRows::Entry> jacobian) {
  // Some number without meaning takes the place of one that does not exist: equal ones would look like dependence.
  const auto some = [](const InitialRows::Entry& entry) { return 1.0 + 0.37 * std::sin(7.0 * entry.row + entry.col); };
  for (auto& row : rows_) row.clear();
  for (const InitialRows::Entry& entry : jacobian)
    rows_[entry.row].emplace_back(entry.col, std::isfinite(entry.value) ? entry.value : some(entry));
  const std::size_t n = problem_.unknowns.size();
  const linear::GradedElimination elimination =
      is_clearly_regular(rows_, n) ? everything(n) : linear::eliminate_by_grade(rows_, grade_, scale_);
  std::vector<std::int64_t> name = name_of(problem_, elimination);
  if (auto known = problem_.plans->find(name)) return known;
  auto plan = std::make_shared<StartPlan>();
  plan->surplus = elimination.dependent;
  plan->row_of.assign(n, -1);
  const bool follows_from_name = find_blocks(problem_, elimination, *plan);
  for (const StartPlan::Block& block : plan->blocks) plan->parts.push_back(block.rows);
  if (!plan->surplus.empty()) plan->parts.push_back(plan->surplus);
  if (follows_from_name) problem_.plans->keep(std::move(name), plan);
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
