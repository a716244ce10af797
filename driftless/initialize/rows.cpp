#include "driftless/initialize/rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

// Two kernels for each part: residuals and derivatives.
Kernels kernels_of(const InitialProblem& problem, int parameters, const std::vector<std::vector<int>>& parts) {
  const int n = static_cast<int>(problem.unknowns.size());
  std::map<Quantity, int> at;
  for (int k = 0; k < n; ++k) at[problem.unknowns[k].quantity] = k;
  InputLayout layout;
  layout.parameters = parameters;
  layout.inputs = 1 + parameters + n;
  layout.variable = [&](VarId v, int order) {
    const auto found = at.find({v, order});
    return found == at.end() ? -1 : 1 + parameters + found->second;
  };
  std::vector<KernelSource> sources;
  for (const std::vector<int>& rows : parts) {
    KernelSource values{"initial", {}}, derivatives{"initial_jacobian", {}};
    for (const int i : rows) {
      values.outputs.push_back(problem.rows[i].residual);
      for (const auto& [col, derivative] : problem.gradients[i]) derivatives.outputs.push_back(derivative);
    }
    sources.push_back(std::move(values));
    sources.push_back(std::move(derivatives));
  }
  return compile(problem.pool, sources, layout, Backend::Interpreter).kernels;
}

InitialKernels::Name name_of(const InitialProblem& problem, const std::vector<std::vector<int>>& parts) {
  InitialKernels::Name name(1);
  for (const InitialUnknown& unknown : problem.unknowns) {
    name[0].push_back(index(unknown.quantity.variable));
    name[0].push_back(unknown.quantity.order);
  }
  for (const std::vector<int>& rows : parts) {
    std::vector<std::int64_t>& residuals = name.emplace_back();
    for (const int i : rows) residuals.push_back(index(problem.rows[i].residual));
  }
  return name;
}

}  // namespace

InitialRows::InitialRows(const Reduced& reduced, const InitialProblem& problem, double t,
                         std::vector<std::vector<int>> parts) {
  const Model& model = *reduced.model;
  const int n = static_cast<int>(problem.unknowns.size()), parameters = static_cast<int>(model.parameters.size());
  offset_ = 1 + parameters;
  kernels_ = problem.kernels->of(name_of(problem, parts), [&] { return kernels_of(problem, parameters, parts); });
  std::size_t most_entries = 0;
  for (std::vector<int>& rows : parts) {
    Part& part = parts_.emplace_back();
    for (const int i : rows)
      for (const auto& [col, derivative] : problem.gradients[i]) part.entries.push_back({i, col});
    part.residual.resize(rows.size());
    part.rows = std::move(rows);
    most_entries = std::max(most_entries, part.entries.size());
  }
  inputs_.assign(offset_ + n, 0.0);
  inputs_[0] = t;
  for (int p = 0; p < parameters; ++p) inputs_[1 + p] = model.parameters[p].value;
  std::size_t work = 0;
  for (const auto& kernel : kernels_) work = std::max(work, kernel->work_size());
  work_.resize(work);
  outputs_.resize(most_entries);
  for (int k = 0; k < n; ++k) value(k) = problem.unknowns[k].guess;
  const auto known = [&](NodeId leaf) {
    const Node& node = (*problem.pool)[leaf];
    return node.op == Op::Parameter ? inputs_[1 + node.a] : t;
  };
  for (Part& part : parts_)
    for (const int i : part.rows) {
      double& size = part.sizes.emplace_back(0.0);
      for (const NodeId term : problem.rows[i].terms) size += std::abs(evaluate(*problem.pool, term, known));
    }
}

const std::vector<double>& InitialRows::residual(int part) {
  (*kernels_[2 * part])(inputs_.data(), parts_[part].residual.data(), work_.data());
  return parts_[part].residual;
}

const std::vector<InitialRows::Entry>& InitialRows::jacobian(int part) {
  (*kernels_[2 * part + 1])(inputs_.data(), outputs_.data(), work_.data());
  std::vector<Entry>& entries = parts_[part].entries;
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k].value = outputs_[k];
  return entries;
}

}  // namespace driftless
