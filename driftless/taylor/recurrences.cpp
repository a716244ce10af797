#include "driftless/taylor/recurrences.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/taylor/coefficient_formulas.hpp"
#include "driftless/taylor/shared_functions.hpp"

namespace driftless::taylor {
namespace {

class Builder {
 public:
  explicit Builder(NaturalSystem system) : pool_(*system.model->pool) { result_.system = std::move(system); }

  Recurrences build() {
    number_unknowns();
    make_classes();
    formulas_.emplace(result_, unknown_of_);
    for (std::size_t s = 0; s < result_.classes.size(); ++s)
      for (int i = 0; i < result_.classes[s].rows; ++i) formulas_->need(residual(s, i), static_cast<int>(s));
    find_leaves();
    write_formulas();
    share_functions(result_, pool_, unknown_of_, formulas_->inputs());
    lay_out();
    return std::move(result_);
  }

 private:
  int classes() const { return static_cast<int>(result_.classes.size()); }
  NodeId residual(std::size_t cls, int i) const {
    return result_.system.rows[result_.classes[cls].first_row + i].residual;
  }

  void number_unknowns() {
    unknown_of_.assign(result_.system.model->variables.size(), -1);
    for (std::size_t j = 0; j < result_.system.unknowns.size(); ++j)
      unknown_of_[index(result_.system.unknowns[j].variable)] = static_cast<int>(j);
  }

  void make_classes() {
    const std::vector<Row>& rows = result_.system.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0 || rows[i].c != rows[i - 1].c) {
        result_.classes.emplace_back();
        result_.classes.back().c = rows[i].c;
        result_.classes.back().first_row = static_cast<int>(i);
      }
      ++result_.classes.back().rows;
    }
  }

  // ---- kernels

  void find_leaves() {
    std::set<std::pair<int, int>> found;
    for (const Row& row : result_.system.rows)
      for (const NodeId leaf : variables_of(pool_, row.residual))
        found.insert({unknown_of_[pool_[leaf].a], static_cast<int>(pool_[leaf].b)});
    for (const auto& [unknown, order] : found) {
      value_numbers_[{unknown, order}] = static_cast<int>(result_.leaves.size());
      result_.leaves.push_back({unknown, order});
    }
  }

  // The outputs of the kernels of a class.
  struct Formulas {
    std::vector<NodeId> residuals, remainders;
    std::vector<NodeId> left, right, stored;  // the record
  };

  void write_formulas() {
    result_.whole_stages = result_.system.unknowns.size() <= few_unknowns;
    write_jacobian();
    write_sources(series_of_classes());
  }

  std::vector<Formulas> series_of_classes() {
    std::vector<Formulas> all(classes());
    for (int s = 0; s < classes(); ++s)
      for (int i = 0; i < result_.classes[s].rows; ++i) {
        all[s].residuals.push_back(formulas_->series(residual(s, i), s, Top::Included));
        all[s].remainders.push_back(formulas_->series(residual(s, i), s, Top::Zero));
      }
    // The operands of convolutions and readings may need further convolutions and readings.
    for (bool grows = true; grows;) {
      grows = false;
      for (int s = 0; s < classes(); ++s) {
        auto& [residuals, remainders, left, right, stored] = all[s];
        for (; left.size() < formulas_->convolutions(s).size(); grows = true) {
          const CoefficientFormulas::Convolution c = formulas_->convolutions(s)[left.size()];
          const NodeId u = formulas_->series(c.left, s, Top::Included);
          left.push_back(c.weight == CoefficientFormulas::Weight::Order ? pool_.mul(formulas_->order(s), u) : u);
          right.push_back(formulas_->series(c.right, s, Top::Included));
        }
        for (; stored.size() < formulas_->stored(s).size(); grows = true)
          stored.push_back(formulas_->series(formulas_->stored(s)[stored.size()], s, Top::Included));
      }
    }
    return all;
  }

  void pad(std::vector<NodeId>& outputs) const {
    while (outputs.size() % lanes != 0) outputs.push_back(pool_.zero());
  }

  void write_sources(std::vector<Formulas> all) {
    const auto append = [](std::vector<NodeId>& to, const std::vector<NodeId>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    KernelSource all_remainders{"taylor remainders", {}}, all_records{"taylor records", {}};
    std::vector<KernelSource> of_classes;
    if (result_.whole_stages) {
      solve_for_unknowns(all);
      all_records = {"taylor stage", formulas_->solution()};
      pad(all_records.outputs);
    }
    int position = static_cast<int>(all_records.outputs.size());
    for (int s = 0; s < classes(); ++s) {
      Class& c = result_.classes[s];
      KernelSource values{"taylor values", {}};
      for (int i = 0; i < c.rows; ++i) values.outputs.push_back(residual(s, i));
      of_classes.push_back(std::move(values));
      of_classes.push_back({"taylor factors", formulas_->factors(s)});
      of_classes.push_back({"taylor residuals", all[s].residuals});
      c.factors = static_cast<int>(formulas_->factors(s).size());
      pad(all[s].left), pad(all[s].right);
      c.convolutions = static_cast<int>(all[s].left.size());
      KernelSource record{"taylor record", all[s].left};
      append(record.outputs, all[s].right);
      append(record.outputs, all[s].stored);
      pad(record.outputs);
      c.left = position;
      c.right = c.left + c.convolutions;
      c.stored = c.right + c.convolutions;
      position = c.left + static_cast<int>(record.outputs.size());
      append(all_records.outputs, result_.whole_stages ? solved_record(s) : record.outputs);
      all_records.outputs.resize(position, pool_.zero());
      if (!result_.whole_stages) append(all_remainders.outputs, all[s].remainders);
      of_classes.push_back(std::move(record));
    }
    result_.record_size = position;
    result_.remainders = 1, result_.all_records = 2;
    result_.sources.push_back(std::move(all_remainders));
    result_.sources.push_back(std::move(all_records));
    for (KernelSource& source : of_classes) result_.sources.push_back(std::move(source));
  }

  // y_j = -sum_i (J^-1)_ji r_i / s
  void solve_for_unknowns(const std::vector<Formulas>& all) {
    std::vector<NodeId> scaled;
    for (int s = 0; s < classes(); ++s)
      for (const NodeId r : all[s].remainders)
        scaled.push_back(pool_.neg(pool_.mul(formulas_->reciprocal_scale(s), r)));
    const int n = static_cast<int>(scaled.size());
    std::vector<NodeId> solution;
    for (int j = 0; j < n; ++j) {
      NodeId sum = pool_.zero();
      for (int i = 0; i < n; ++i) sum = pool_.add(sum, pool_.mul(formulas_->inverse(j * n + i), scaled[i]));
      solution.push_back(sum);
    }
    formulas_->set_solution(std::move(solution));
  }

  // The record of a class in terms of the solution: left factors, right factors, coefficients to be read later.
  std::vector<NodeId> solved_record(int cls) {
    std::vector<NodeId> left, right, stored;
    for (const CoefficientFormulas::Convolution& c : formulas_->convolutions(cls)) {
      const NodeId u = formulas_->series(c.left, cls, Top::Solved);
      left.push_back(c.weight == CoefficientFormulas::Weight::Order ? pool_.mul(formulas_->order(cls), u) : u);
      right.push_back(formulas_->series(c.right, cls, Top::Solved));
    }
    left.resize(result_.classes[cls].convolutions, pool_.zero());
    right.resize(result_.classes[cls].convolutions, pool_.zero());
    for (const NodeId node : formulas_->stored(cls)) stored.push_back(formulas_->series(node, cls, Top::Solved));
    left.insert(left.end(), right.begin(), right.end());
    left.insert(left.end(), stored.begin(), stored.end());
    return left;
  }

  void write_jacobian() {
    KernelSource jacobian{"taylor jacobian", {}};
    for (std::size_t i = 0; i < result_.system.rows.size(); ++i) {
      const Row& row = result_.system.rows[i];
      for (const Partial& p : gradient(pool_, row.residual)) {
        const int unknown = unknown_of_[pool_[p.leaf].a];
        if (static_cast<int>(pool_[p.leaf].b) != result_.system.unknowns[unknown].d - row.c) continue;
        result_.jacobian_entries.push_back({static_cast<int>(i), unknown});
        jacobian.outputs.push_back(p.derivative);
      }
    }
    result_.sources.push_back(std::move(jacobian));
  }

  void lay_out() {
    const std::vector<int> positions = formulas_->inputs().lay_out(
        result_, formulas_->coefficients(), formulas_->reading_home(), static_cast<int>(formulas_->solution().size()));
    result_.layout.parameters = static_cast<int>(result_.system.model->parameters.size());
    result_.layout.variable = [unknown_of = unknown_of_, values = value_numbers_, first = result_.first_value,
                               positions](VarId v, int order) {
      const auto variable = static_cast<std::size_t>(index(v));
      if (variable >= unknown_of.size()) return positions[variable - unknown_of.size()];
      return first + values.at({unknown_of[variable], order});
    };
  }

  Recurrences result_;
  Pool& pool_;
  std::vector<int> unknown_of_;  // by variable of the model
  std::optional<CoefficientFormulas> formulas_;
  std::map<std::pair<int, int>, int> value_numbers_;
};

}  // namespace

Recurrences recurrences_of(NaturalSystem system) { return Builder(std::move(system)).build(); }

Code compile(const Recurrences& recurrences, Backend backend) {
  CompiledKernels compiled =
      driftless::compile(recurrences.system.model->pool, recurrences.sources, recurrences.layout, backend);
  return {std::make_move_iterator(compiled.kernels.begin()), std::make_move_iterator(compiled.kernels.end())};
}

}  // namespace driftless::taylor
