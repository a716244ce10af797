#include "driftless/formulate/formulation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

using namespace formulation;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// The lowest and the highest level of a constraint, differentiated m times, that is kept as an equation.
struct Levels {
  int lowest, highest;
};

// clang-format off
Levels kept_levels(const Formulation& formulation, int m) {
  const int below = std::max(m - 1, 0);
  return std::visit(Overloaded{
      [&](const Dummy&) { return Levels{0, m}; },
      [&](const Minimal&) { return Levels{0, m}; },
      [&](const Index1&) { return Levels{m, m}; },
      [&](const Index2&) { return Levels{below, below}; },
      [&](const Original&) { return Levels{0, 0}; },
      [&](const Baumgarte&) { return Levels{m, m}; },  // all levels, in one equation
      [&](const Ggl&) { return Levels{0, below}; },
      [&](const StabilizedIndex1&) { return Levels{0, m}; },
      [&](const auto&) { return Levels{0, m}; },
  }, formulation);
}
// clang-format on

// The coefficient of g^(level) in the stabilized equation for a constraint that is differentiated m times.
double baumgarte_coefficient(const Baumgarte& b, int m, int level) {
  if (m == 2 && b.alpha && b.beta) return level == 2 ? 1.0 : level == 1 ? 2.0 * *b.alpha : *b.beta * *b.beta;
  double binomial = 1.0;
  for (int k = 1; k <= m - level; ++k) binomial *= static_cast<double>(level + k) / k;
  return binomial * std::pow(b.gamma, m - level);
}

// The nominal value of a multiplier: Newton's test must not see it. Only the product of step size and multiplier moves
// the solution; the multiplier itself carries the rounding of a position divided by the step size, and a first step may
// be as small as 1e-11.
constexpr double no_weight = 1e10;

class Rewrite {
 public:
  Rewrite(const Reduced& base, const Formulation& formulation)
      : base_(base), pool_(*base.model->pool), formulation_(formulation), result_(base) {}

  Reduced apply() {
    result_.rows.clear();
    result_.choices.clear();
    result_.permanent.clear();
    result_.completes_points = false;
    for (std::size_t k = 0; k < result_.kinematics.size(); ++k) result_.permanent.push_back(static_cast<int>(k));
    keep_rows();
    add_multipliers();
    return std::move(result_);
  }

 private:
  int differentiated(const DerivedEquation& row) const { return base_.offsets.c[index(row.equation)]; }

  void keep_rows() {
    const auto* baumgarte = std::get_if<Baumgarte>(&formulation_);
    for (const DerivedEquation& row : base_.rows) {
      const int m = differentiated(row);
      const Levels levels = kept_levels(formulation_, m);
      if (row.level < levels.lowest || row.level > levels.highest) continue;
      result_.rows.push_back(row);
      if (baumgarte && m > 0) result_.rows.back().residual = stabilized(*baumgarte, row.equation, m);
      if (row.level < levels.highest) with_multiplier_.push_back(static_cast<int>(result_.rows.size()) - 1);
    }
  }

  NodeId stabilized(const Baumgarte& baumgarte, EqnId equation, int m) {
    NodeId sum = pool_.zero();
    for (const DerivedEquation& row : base_.rows)
      if (row.equation == equation)
        sum = pool_.add(sum, pool_.mul(pool_.constant(baumgarte_coefficient(baumgarte, m, row.level)), row.residual));
    return sum;
  }

  // y' = rate(y) - (∂r/∂y)ᵀ mu. The multipliers are new variables of a copy of the model.
  void add_multipliers() {
    if (with_multiplier_.empty()) return;
    auto model = std::make_shared<Model>(*base_.model);
    std::vector<int> kinematic_of_slot(base_.slots.size(), -1);
    for (std::size_t k = 0; k < result_.kinematics.size(); ++k)
      kinematic_of_slot[result_.kinematics[k].slot] = static_cast<int>(k);
    for (const int r : with_multiplier_) {
      const DerivedEquation& row = result_.rows[r];
      const VarId mu{static_cast<int>(model->variables.size())};
      Variable variable;
      variable.name = fmt::format("mu({}{})", (*model)[row.equation].label, std::string(row.level, '\''));
      variable.range = (*model)[row.equation].range;
      variable.description = "stabilizing multiplier: zero on the solution";
      model->variables.push_back(std::move(variable));
      result_.offsets.d.push_back(0);
      result_.quantities.push_back({mu, 0});
      result_.addresses.push_back({{Place::Slot, static_cast<int>(result_.slots.size())}});
      result_.slots.push_back({{mu, 0}, 0, no_weight});
      for (const Partial& p : gradient(pool_, row.residual)) {
        const Node leaf = pool_[p.leaf];
        const Reduced::Address& at = base_.addresses[leaf.a][leaf.b];
        const int k = at.place == Place::Slot ? kinematic_of_slot[at.index] : -1;
        if (k < 0) continue;
        NodeId& rate = result_.kinematics[k].rate;
        rate = pool_.sub(rate, pool_.mul(p.derivative, pool_.variable(mu)));
      }
    }
    result_.model = std::move(model);
  }

  const Reduced& base_;
  Pool& pool_;
  const Formulation& formulation_;
  Reduced result_;
  std::vector<int> with_multiplier_;
};

const std::vector<std::string> names{"dummy",    "minimal",   "index1", "index2",
                                     "original", "baumgarte", "ggl",    "stabilized-index1"};

std::optional<double> parse_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

const std::vector<std::string>& formulation_names() { return names; }

std::string to_string(const Formulation& formulation) {
  const std::string& name = names[formulation.index()];
  if (const auto* b = std::get_if<Baumgarte>(&formulation))
    return b->alpha && b->beta ? fmt::format("{}:alpha={},beta={}", name, *b->alpha, *b->beta)
                               : fmt::format("{}:gamma={}", name, b->gamma);
  return name;
}

std::optional<Formulation> parse_formulation(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::map<std::string, double> parameters;
  for (std::size_t before = colon; before != std::string::npos;) {  // the colon, then commas
    const std::size_t comma = text.find(',', before + 1);
    const std::string item = text.substr(before + 1, comma == std::string::npos ? comma : comma - before - 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) return {};
    const auto value = parse_number(item.substr(equals + 1));
    if (!value || !parameters.emplace(item.substr(0, equals), *value).second) return {};
    before = comma;
  }
  const auto take = [&](const char* key) -> std::optional<double> {
    const auto found = parameters.find(key);
    if (found == parameters.end()) return {};
    const double value = found->second;
    parameters.erase(found);
    return value;
  };

  Formulation result;
  if (name == "dummy")
    result = Dummy{};
  else if (name == "minimal")
    result = Minimal{};
  else if (name == "index1")
    result = Index1{};
  else if (name == "index2")
    result = Index2{};
  else if (name == "original")
    result = Original{};
  else if (name == "ggl")
    result = Ggl{};
  else if (name == "stabilized-index1")
    result = StabilizedIndex1{};
  else if (name == "baumgarte") {
    Baumgarte b;
    b.alpha = take("alpha");
    b.beta = take("beta");
    if (b.alpha.has_value() != b.beta.has_value()) return {};
    if (!b.alpha) b.gamma = take("gamma").value_or(b.gamma);
    if (b.gamma < 0.0 || b.alpha.value_or(0.0) < 0.0 || b.beta.value_or(0.0) < 0.0) return {};
    result = b;
  } else {
    return {};
  }
  if (!parameters.empty()) return {};
  return result;
}

bool chooses_states(const Formulation& formulation) {
  return std::holds_alternative<Dummy>(formulation) || std::holds_alternative<Minimal>(formulation);
}

std::optional<std::string> not_applicable(const Reduced& base, const Formulation& formulation) {
  if (chooses_states(formulation)) return {};
  const auto complain = [&](EqnId e, const std::string& what) {
    return fmt::format("{} does not apply: {} ({}) {}", to_string(formulation), (*base.model)[e].label,
                       (*base.model)[e].text, what);
  };
  const bool needs_constraint =
      !std::holds_alternative<Index1>(formulation) && !std::holds_alternative<Original>(formulation);
  bool constrained = false;
  for (const DerivedEquation& row : base.rows) {
    const int m = base.offsets.c[index(row.equation)];
    constrained = constrained || m > 0;
    if (const auto* b = std::get_if<Baumgarte>(&formulation); b && b->alpha && m > 0 && m != 2)
      return complain(row.equation, fmt::format("is differentiated {}, and alpha and beta are for two; give gamma",
                                                m == 1 ? "once" : fmt::format("{} times", m)));
  }
  if (needs_constraint && !constrained)
    return fmt::format("{} does not apply: no equation has to be differentiated, there is nothing to stabilize",
                       to_string(formulation));
  return {};
}

Reduced reformulate(const Reduced& base, const Formulation& formulation) { return Rewrite(base, formulation).apply(); }

}  // namespace driftless
