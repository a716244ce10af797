#include "driftless/reduce/repair.hpp"

#include <utility>

#include "driftless/reduce/block_under_repair.hpp"
#include "driftless/reduce/combined_equations.hpp"
#include "driftless/reduce/combined_variables.hpp"
#include "driftless/reduce/differentiation_index.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr int most_steps = 1000;

class Repairer {
 public:
  Repairer(const std::shared_ptr<const Model>& model, const structure::Structure& shape) : at_(*model, shape) {
    result_.as_written = model;
    result_.shape_as_written = shape;
  }

  // Conversions of the block alone come first; if they leave a structure without any transversal, or do not apply, the
  // whole system is examined: an equation may follow from those of several blocks.
  std::optional<Repair> run(HiddenSingularity hidden) {
    for (int step = 0; step < most_steps; ++step) {
      if (!improve(at_.shape.blocks[hidden.block]) && !improve(whole())) return {};
      const auto next = find_hidden_singularity(*at_.state.model, at_.shape);
      if (!next) return finish();
      hidden = *next;
    }
    return {};
  }

  const std::optional<Contradiction>& contradiction() const { return contradiction_; }

 private:
  enum class Kind { Equations, Variables };

  structure::Block whole() const {
    structure::Block all;
    for (std::size_t i = 0; i < at_.state.model->equations.size(); ++i)
      all.rows.push_back(structure::Row{static_cast<int>(i)});
    for (std::size_t j = 0; j < at_.state.model->variables.size(); ++j)
      all.cols.push_back(structure::Col{static_cast<int>(j)});
    return all;
  }

  bool improve(const structure::Block& block) {
    for (const bool other_parameters : {true, false})
      for (const Kind kind : {Kind::Equations, Kind::Variables}) {
        BlockUnderRepair::State before = at_.state;
        before.model = std::make_shared<Model>(*at_.state.model);
        at_.look_at(block, !other_parameters);
        const EquationsCombined converted = convert(kind);
        if (converted != EquationsCombined::No && takes_structure(converted)) return true;
        at_.points.clear();
        at_.state = std::move(before);
      }
    return false;
  }

  EquationsCombined convert(Kind kind) {
    if (kind == Kind::Equations) return combine_equations(at_, contradiction_);
    return combine_variables(at_) ? EquationsCombined::Combined : EquationsCombined::No;
  }

  bool takes_structure(EquationsCombined converted) {
    auto analyzed = structure::analyze(signature_of(*at_.state.model), at_.state.least);
    auto* shape = std::get_if<structure::Structure>(&analyzed);
    if (!shape) return false;
    if (converted == EquationsCombined::Combined && shape->degrees_of_freedom >= at_.shape.degrees_of_freedom)
      return false;
    at_.shape = std::move(*shape);
    return true;
  }

  Repair finish() {
    const int bound = bound_of_index(*at_.state.model, at_.state.differentiations);
    const std::optional<int> exact = differentiation_index(*result_.as_written, bound);
    result_.index = exact.value_or(bound);
    result_.index_is_exact = exact || bound <= 1;  // with fewer states than unknowns it is not 0
    result_.model = at_.state.model;
    result_.steps = std::move(at_.state.steps);
    result_.shape = std::move(at_.shape);
    return std::move(result_);
  }

  BlockUnderRepair at_;
  Repair result_;
  std::optional<Contradiction> contradiction_;  // the first one found
};

}  // namespace

RepairResult repair(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                    const HiddenSingularity& hidden) {
  Repairer repairer(model, shape);
  RepairResult result{repairer.run(hidden), {}};
  if (!result.repair) result.contradiction = repairer.contradiction();
  return result;
}

}  // namespace driftless
