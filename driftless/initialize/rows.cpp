#include "driftless/initialize/rows.hpp"

#include <algorithm>
#include <map>

namespace driftless {

InitialRows::InitialRows(const Reduced& reduced, const InitialProblem& problem, double t,
                         std::vector<std::vector<int>> parts) {
  const Model& model = *reduced.model;
  const int n = static_cast<int>(problem.unknowns.size());
  std::map<Quantity, int> at;
  for (int k = 0; k < n; ++k) at[problem.unknowns[k].quantity] = k;
  InputLayout layout;
  layout.parameters = static_cast<int>(model.parameters.size());
  offset_ = 1 + layout.parameters;
  layout.inputs = offset_ + n;
  layout.variable = [&](VarId v, int order) {
    const auto found = at.find({v, order});
    return found == at.end() ? -1 : offset_ + found->second;
  };
  std::vector<KernelSource> sources;
  std::size_t most_entries = 0;
  for (std::vector<int>& rows : parts) {
    Part& part = parts_.emplace_back();
    KernelSource &values = sources.emplace_back("initial"), derivatives{"initial_jacobian", {}};
    for (const int i : rows) {
      values.outputs.push_back(problem.rows[i].residual);
      for (const auto& [col, derivative] : problem.gradients[i]) {
        part.entries.push_back({i, col});
        derivatives.outputs.push_back(derivative);
      }
    }
    sources.push_back(std::move(derivatives));
    part.residual.resize(rows.size());
    part.rows = std::move(rows);
    most_entries = std::max(most_entries, part.entries.size());
  }
  kernels_ = compile(model.pool, sources, layout, Backend::Interpreter).kernels;
  inputs_.assign(layout.inputs, 0.0);
  inputs_[0] = t;
  for (std::size_t p = 0; p < model.parameters.size(); ++p) inputs_[1 + p] = model.parameters[p].value;
  std::size_t work = 0;
  for (const auto& kernel : kernels_) work = std::max(work, kernel->work_size());
  work_.resize(work);
  outputs_.resize(most_entries);
  for (int k = 0; k < n; ++k) value(k) = problem.unknowns[k].guess;
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
