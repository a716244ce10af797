#include "driftless/initialize/rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

using Parts = std::vector<std::vector<int>>;

// Two kernels for each part: residuals and derivatives.
Kernels kernels_of(const InitialProblem& problem, int parameters, const Parts& parts) {
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

InitialKernels::Name name_of(const InitialProblem& problem, const Parts& parts) {
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

RowLayout layout_of(const InitialProblem& problem, int parameters, const Parts& parts) {
  RowLayout layout;
  layout.parts = parts;
  for (const InitialUnknown& unknown : problem.unknowns) layout.unknowns.push_back(unknown.quantity);
  layout.first_residual = layout.first_entry = {0};
  for (const std::vector<int>& rows : parts) {
    const std::size_t begin = layout.entries.size();
    for (const int i : rows) {
      for (const NodeId term : problem.rows[i].terms)
        layout.of_size.emplace_back(static_cast<int>(layout.residuals.size()), term);
      layout.residuals.push_back(problem.rows[i].residual);
      for (const auto& [col, derivative] : problem.gradients[i]) layout.entries.push_back({i, col});
    }
    layout.first_residual.push_back(static_cast<int>(layout.residuals.size()));
    layout.first_entry.push_back(static_cast<int>(layout.entries.size()));
    layout.most_entries = std::max(layout.most_entries, layout.entries.size() - begin);
  }
  layout.kernels = problem.kernels->of(name_of(problem, parts), [&] { return kernels_of(problem, parameters, parts); });
  for (const auto& kernel : layout.kernels) layout.work = std::max(layout.work, kernel->work_size());
  return layout;
}

}  // namespace

bool RowLayout::is_of(const InitialProblem& problem, const Parts& of_parts) const {
  if (parts != of_parts || !std::ranges::equal(unknowns, problem.unknowns, {}, {}, &InitialUnknown::quantity))
    return false;
  std::size_t place = 0;
  for (const std::vector<int>& rows : parts)
    for (const int i : rows)
      if (problem.rows[i].residual != residuals[place++]) return false;
  return true;
}

InitialRows::InitialRows(const Model& numbers, const InitialProblem& problem, double t, const Parts& parts) {
  const int n = static_cast<int>(problem.unknowns.size()), parameters = static_cast<int>(numbers.parameters.size());
  layout_ = problem.kernels->layout_of(problem, parts, [&] { return layout_of(problem, parameters, parts); });
  offset_ = 1 + parameters;
  entries_ = layout_->entries;
  residuals_.resize(layout_->residuals.size());
  sizes_.assign(layout_->residuals.size(), 0.0);
  inputs_.assign(offset_ + n, 0.0);
  inputs_[0] = t;
  for (int p = 0; p < parameters; ++p) inputs_[1 + p] = numbers.parameters[p].value;
  work_.resize(layout_->work);
  outputs_.resize(layout_->most_entries);
  for (int k = 0; k < n; ++k) value(k) = problem.unknowns[k].guess;
  const auto known = [&](NodeId leaf) {
    const Node& node = (*problem.pool)[leaf];
    return node.op == Op::Parameter ? inputs_[1 + node.a] : t;
  };
  for (const auto& [place, term] : layout_->of_size) sizes_[place] += std::abs(evaluate(*problem.pool, term, known));
}

std::span<const double> InitialRows::residual(int part) {
  const std::span<double> residual = layout_->of_part(std::span(residuals_), part);
  (*layout_->kernels[2 * part])(inputs_.data(), residual.data(), work_.data());
  return residual;
}

std::span<const InitialRows::Entry> InitialRows::jacobian(int part) {
  (*layout_->kernels[2 * part + 1])(inputs_.data(), outputs_.data(), work_.data());
  const int begin = layout_->first_entry[part], size = layout_->first_entry[part + 1] - begin;
  for (int k = 0; k < size; ++k) entries_[begin + k].value = outputs_[k];
  return std::span(entries_).subspan(begin, size);
}

}  // namespace driftless
