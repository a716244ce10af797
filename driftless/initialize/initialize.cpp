#include "driftless/initialize/initialize.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/linear/least_change.hpp"
#include "driftless/reduce/undefined.hpp"

namespace driftless {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

constexpr int most_iterations = 60;
constexpr double shortest_damping = 1e-6;
constexpr double solved = 1e-11;  // residual relative to the size of the row's terms
constexpr double lost = 1e8;      // a search that fails this much farther away than it began is told from its beginning
constexpr double met = 1e-8;      // a condition that is off by less than this is not called violated

// The problem as functions of scaled unknowns x = z / reach. Evaluated a few times only: interpreted, never compiled.
class Equations {
 public:
  Equations(const Reduced& reduced, const InitialProblem& problem, double t) : problem_(problem) {
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
    std::vector<KernelSource> sources{{"initial", {}}, {"initial_jacobian", {}}};
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
      sources[0].outputs.push_back(problem.rows[i].residual);
      for (const Partial& p : gradient(*model.pool, problem.rows[i].residual)) {
        const Node& leaf = (*model.pool)[p.leaf];
        entries_.emplace_back(static_cast<int>(i),
                              layout.variable(VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b)) - offset_,
                              0.0);
        sources[1].outputs.push_back(p.derivative);
      }
    }
    CompiledKernels compiled = compile(model.pool, sources, layout, Backend::Interpreter);
    kernels_ = std::move(compiled.kernels);
    inputs_.assign(layout.inputs, 0.0);
    inputs_[0] = t;
    for (std::size_t p = 0; p < model.parameters.size(); ++p) inputs_[1 + p] = model.parameters[p].value;
    work_.resize(std::max(kernels_[0]->work_size(), kernels_[1]->work_size()));
    values_.resize(entries_.size());
  }

  int rows() const { return static_cast<int>(problem_.rows.size()); }
  int unknowns() const { return static_cast<int>(problem_.unknowns.size()); }

  Vector residual(const Vector& x) {
    load(x);
    Vector r(rows());
    (*kernels_[0])(inputs_.data(), r.data(), work_.data());
    return r;
  }

  Matrix jacobian(const Vector& x) {
    load(x);
    (*kernels_[1])(inputs_.data(), values_.data(), work_.data());
    for (std::size_t k = 0; k < entries_.size(); ++k)
      entries_[k] = {entries_[k].row(), entries_[k].col(), values_[k] * problem_.unknowns[entries_[k].col()].reach};
    Matrix j(rows(), unknowns());
    j.setFromTriplets(entries_.begin(), entries_.end());
    return j;
  }

  // The size of the unknowns that a row responds to: what rounding leaves of a solved row is a small part of it.
  Vector row_reach(const Matrix& j, const Vector& x) const {
    Vector largest = Vector::Zero(rows());
    for (int col = 0; col < j.outerSize(); ++col)
      for (Matrix::InnerIterator it(j, col); it; ++it)
        if (it.value() != 0.0) largest[it.row()] = std::max(largest[it.row()], std::abs(x[col]));
    return std::sqrt(static_cast<double>(unknowns())) * largest;
  }

  // Each row is measured by its own slope: a residual of 1 is then a distance in units of what the unknowns may move.
  Vector row_scale(const Matrix& j) const {
    Vector largest = Vector::Zero(rows());
    for (int col = 0; col < j.outerSize(); ++col)
      for (Matrix::InnerIterator it(j, col); it; ++it)
        largest[it.row()] = std::max(largest[it.row()], std::abs(it.value()));
    return largest.unaryExpr([](double v) { return v > 0.0 && std::isfinite(v) ? 1.0 / v : 1.0; });
  }

 private:
  void load(const Vector& x) {
    for (int k = 0; k < unknowns(); ++k) inputs_[offset_ + k] = x[k] * problem_.unknowns[k].reach;
  }

  const InitialProblem& problem_;
  int offset_ = 0;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<double> inputs_, work_, values_;
};

bool finite(const Vector& v) { return v.allFinite(); }
bool finite(const Matrix& m) {
  for (int k = 0; k < m.nonZeros(); ++k)
    if (!std::isfinite(m.valuePtr()[k])) return false;
  return true;
}

struct Attempt {
  Vector x;
  Vector residual;        // scaled by rows
  double norm = 0.0;      // largest scaled residual
  bool evaluated = true;  // false: some value does not exist even at the start of the search
  bool solved = false;
};

void judge(const Equations& equations, const Vector& x, const Vector& residual, const Matrix& jacobian,
           Attempt& attempt) {
  attempt.x = x;
  attempt.residual = residual.cwiseProduct(equations.row_scale(jacobian));
  attempt.norm = residual.size() ? attempt.residual.cwiseAbs().maxCoeff() : 0.0;
  const Vector allowed = solved * (Vector::Ones(residual.size()) + equations.row_reach(jacobian, x));
  attempt.solved = (attempt.residual.cwiseAbs().array() <= allowed.array()).all();
}

// Damped Gauss-Newton with smallest corrections; for square regular systems this is Newton's method.
Attempt search(Equations& equations, Vector x) {
  Attempt attempt;
  Vector r = equations.residual(x);
  Matrix j = equations.jacobian(x);
  attempt.evaluated = finite(r) && finite(j);
  attempt.x = x;
  if (!attempt.evaluated) return attempt;
  Vector scale = equations.row_scale(j);
  const auto size = [&](const Vector& residual) { return residual.cwiseProduct(scale).norm(); };
  int stalled = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    scale = equations.row_scale(j);
    const double before = size(r);
    const Matrix scaled = scale.asDiagonal() * j;
    const Vector correction = linear::LeastChange(scaled).solve(-r.cwiseProduct(scale));
    if (!finite(correction)) break;
    double damping = 1.0;
    Vector trial, trial_residual;
    bool accepted = false;
    for (; damping > shortest_damping; damping *= 0.5) {
      trial = x + damping * correction;
      trial_residual = equations.residual(trial);
      if (finite(trial_residual) && (size(trial_residual) <= (1.0 - 0.1 * damping) * before || before == 0.0)) {
        accepted = true;
        break;
      }
      // At rounding level nothing decreases any more.
      if (damping == 1.0 && finite(trial_residual) && before < solved * (1.0 + x.norm())) break;
    }
    if (!accepted) break;
    Matrix trial_jacobian = equations.jacobian(trial);
    if (!finite(trial_jacobian)) break;
    stalled = size(trial_residual) > 0.9 * before ? stalled + 1 : 0;
    x = trial, r = trial_residual, j = trial_jacobian;
    if (damping == 1.0 && correction.norm() <= 1e-15 * (1.0 + x.norm())) break;
    if (stalled > 8) break;
  }
  const Vector begin = attempt.x;
  judge(equations, x, r, j, attempt);
  if (!attempt.solved && x.norm() > lost * (1.0 + begin.norm()))
    judge(equations, begin, equations.residual(begin), equations.jacobian(begin), attempt);
  return attempt;
}

// From the guesses. Those nobody gave may sit on a singular point (0 in a denominator): then those, and only those, are
// moved a little.
Attempt search_from_guesses(Equations& equations, const InitialProblem& problem, const Vector& guess) {
  Attempt attempt = search(equations, guess);
  for (const double shift : {0.1, 1.0, -0.3}) {
    if (attempt.evaluated && attempt.solved) break;
    Vector moved = guess;
    for (int k = 0; k < guess.size(); ++k)
      if (const InitialUnknown& u = problem.unknowns[k]; !u.given)
        moved[k] += shift * (1.0 + 0.37 * std::sin(1.0 + k)) * u.nominal / u.reach;
    Attempt next = search(equations, moved);
    if (next.evaluated && (!attempt.evaluated || next.norm < 0.5 * attempt.norm)) attempt = std::move(next);
  }
  return attempt;
}

// From a solution to the solution nearest to the guesses: slide along the tangent space towards them, return to the
// solution set, until nothing is gained.
Attempt nearest(Equations& equations, const Vector& guess, Attempt attempt) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    const Matrix j = equations.jacobian(attempt.x);
    if (!finite(j)) break;
    const Matrix scaled = equations.row_scale(j).asDiagonal() * j;
    const Vector wish = guess - attempt.x;
    const Vector slide = wish - linear::LeastChange(scaled).solve(scaled * wish);
    if (slide.norm() <= 1e-9 * (1.0 + attempt.x.norm())) break;
    Attempt next = search(equations, attempt.x + slide);
    if (!next.evaluated || !next.solved || (next.x - guess).norm() >= (1.0 - 1e-9) * (attempt.x - guess).norm()) break;
    attempt = std::move(next);
  }
  return attempt;
}

std::string number(double v) { return fmt::format("{:.6g}", v); }

// Indices of the conditions that cannot hold together, as few as possible: a condition stays out if the others already
// conflict (deletion filter). Empty if the equations have no solution even without conditions, or if there are too many
// to try.
std::vector<int> smallest_conflict(const Reduced& reduced, const InitialProblem& problem, double t,
                                   const Vector& guess) {
  std::vector<bool> out(problem.rows.size(), false);
  const auto can_hold = [&] {
    InitialProblem part = problem;
    part.rows.clear();
    for (std::size_t i = 0; i < problem.rows.size(); ++i)
      if (!out[i]) part.rows.push_back(problem.rows[i]);
    Equations equations(reduced, part, t);
    const Attempt attempt = search_from_guesses(equations, part, guess);
    return attempt.evaluated && attempt.solved;
  };
  std::vector<int> conditions;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (problem.rows[i].kind != InitialRow::Kind::Equation) conditions.push_back(static_cast<int>(i));
  if (conditions.empty() || conditions.size() > 40 || problem.unknowns.size() > 1000) return {};
  for (const int i : conditions) out[i] = true;
  if (!can_hold()) return {};
  for (const int i : conditions) out[i] = false;
  std::vector<int> conflict;
  for (const int i : conditions) {
    out[i] = true;
    if (!can_hold()) continue;
    out[i] = false;
    conflict.push_back(i);
  }
  return conflict;
}

class Explanation {
 public:
  Explanation(const Reduced& reduced, const InitialProblem& problem, const Attempt& attempt, double t)
      : reduced_(reduced), problem_(problem), attempt_(attempt), t_(t) {}

  NoConsistentStart not_evaluated(const Vector& raw) const {
    NoConsistentStart why;
    why.evaluation_failed = true;
    why.message = "the equations cannot be evaluated at the start";
    for (int i = 0; i < raw.size() && why.details.size() < most_details; ++i)
      if (!std::isfinite(raw[i]))
        why.details.push_back(
            fmt::format("in {}: {}", describe(reduced_, problem_.rows[i]), undefined(problem_.rows[i].residual)));
    for (int i = 0; i < raw.size() && why.details.empty(); ++i)
      for (const Partial& p : gradient(*reduced_.model->pool, problem_.rows[i].residual))
        if (const std::string what = undefined(p.derivative); !what.empty())
          why.details.push_back(fmt::format("in a derivative of {}: {}", describe(reduced_, problem_.rows[i]), what));
    why.details.push_back("give start values at which every expression has a value");
    return why;
  }

  NoConsistentStart not_solved(const Vector& raw, const std::vector<int>& conflict) const {
    NoConsistentStart why;
    const int surplus = problem_.conditions - problem_.degrees_of_freedom;
    std::string counts;
    if (surplus > 0)
      counts = fmt::format("{} initial conditions for {} degree{} of freedom: ", problem_.conditions,
                           problem_.degrees_of_freedom, problem_.degrees_of_freedom == 1 ? "" : "s");
    if (!conflict.empty()) {
      why.message = fmt::format(
          "{}{} {}", counts, descriptions(conflict),
          conflict.size() == 1 ? "contradicts the equations near the start values" : "cannot hold together");
    } else if (surplus > 0) {
      why.message = counts + "they contradict each other or the equations";
    } else {
      why.message = "no consistent initial values were found near the start values";
    }
    list_missed(raw, conflict, why.details);
    why.details.push_back(
        conflict.size() == 1 ? "remove this condition or change its value"
        : !conflict.empty()  ? "remove one of these conditions or change its value"
                             : "give better start values for these variables; or do these equations have no solution?");
    return why;
  }

 private:
  static constexpr std::size_t most_details = 8;

  // The equations that are missed most at the best point that was found, each at its lowest level: the higher ones
  // follow.
  void list_missed(const Vector& raw, const std::vector<int>& conflict, std::vector<std::string>& details) const {
    std::vector<int> missed;
    for (std::size_t i = 0; i < problem_.rows.size(); ++i) {
      if (std::abs(attempt_.residual[static_cast<Eigen::Index>(i)]) < std::max(met, 1e-3 * attempt_.norm)) continue;
      const InitialRow& row = problem_.rows[i];
      if (!conflict.empty() && row.kind != InitialRow::Kind::Equation) continue;
      const auto same = std::ranges::find_if(
          missed, [&](int k) { return problem_.rows[k].kind == row.kind && problem_.rows[k].source == row.source; });
      if (same == missed.end())
        missed.push_back(static_cast<int>(i));
      else if (row.level < problem_.rows[*same].level)
        *same = static_cast<int>(i);
    }
    std::ranges::stable_sort(missed, std::greater<>(), [&](int i) { return std::abs(attempt_.residual[i]); });
    for (std::size_t k = 0; k < missed.size() && k < most_details; ++k)
      details.push_back(fmt::format("{}{} is missed by {} at {}", conflict.empty() ? "" : "as close as possible, ",
                                    describe(reduced_, problem_.rows[missed[k]]), number(raw[missed[k]]),
                                    values_in(missed[k])));
    if (missed.size() > most_details) details.push_back(fmt::format("... and {} more", missed.size() - most_details));
  }

  std::string descriptions(const std::vector<int>& rows) const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < rows.size() && k < most_details; ++k)
      list.push_back(describe(reduced_, problem_.rows[rows[k]]));
    if (rows.size() > most_details) list.push_back(fmt::format("{} more", rows.size() - most_details));
    const std::string last = std::move(list.back());
    list.pop_back();
    return list.empty() ? last : fmt::format("{} and {}", fmt::join(list, ", "), last);
  }

  std::string undefined(NodeId expression) const {
    return undefined_operation(*reduced_.model, expression, [&](NodeId leaf) {
      const Node& node = (*reduced_.model->pool)[leaf];
      if (node.op == Op::Time) return t_;
      if (node.op == Op::Parameter) return reduced_.model->parameters[node.a].value;
      return value({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)}).value_or(std::nan(""));
    });
  }

  std::optional<double> value(Quantity q) const {
    const auto found = std::ranges::find(problem_.unknowns, q, &InitialUnknown::quantity);
    if (found == problem_.unknowns.end()) return {};
    const double v = attempt_.x[found - problem_.unknowns.begin()] * found->reach;
    return std::abs(v) < 1e-12 * found->nominal ? 0.0 : v;  // rounding is no news
  }

  std::string values_in(int row) const {
    const Pool& pool = *reduced_.model->pool;
    std::vector<std::string> parts;
    for (const NodeId leaf : variables_of(pool, problem_.rows[row].residual)) {
      const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      if (parts.size() == 6) {
        parts.push_back("...");
        break;
      }
      if (const auto v = value(q)) parts.push_back(fmt::format("{} = {}", reduced_.name(q), number(*v)));
    }
    return parts.empty() ? "every point" : fmt::format("{}", fmt::join(parts, ", "));
  }

  const Reduced& reduced_;
  const InitialProblem& problem_;
  const Attempt& attempt_;
  double t_;
};

// Which guesses took the place of conditions: with too few conditions, unknowns that the equations leave open.
std::vector<std::string> guesses_taken(const Reduced& reduced, const InitialProblem& problem, Equations& equations,
                                       const Vector& x, int missing) {
  if (problem.unknowns.size() > 2000) return {};
  // Columns that the null space of the Jacobian touches, chosen greedily: those with a given guess first.
  const Eigen::MatrixXd j(equations.jacobian(x));
  Eigen::MatrixXd open = j.fullPivLu().kernel();
  std::vector<std::string> names;
  for (int n = 0; n < missing && open.cols() > 0; ++n) {
    Eigen::Index best = -1;
    double weight = 0.0;
    for (Eigen::Index k = 0; k < open.rows(); ++k) {
      const InitialUnknown& u = problem.unknowns[k];
      const double w = open.row(k).norm() * (u.given ? 1e3 : 1.0) * (u.quantity.order <= 1 ? 10.0 : 1.0);
      if (w > weight * (1.0 + 1e-9)) weight = w, best = k;
    }
    if (best < 0 || open.row(best).norm() < 1e-12) break;
    const double value = std::abs(x[best]) < 1e-15 ? 0.0 : x[best] * problem.unknowns[best].reach;  // no rounding
    names.push_back(fmt::format("{} = {}", reduced.name(problem.unknowns[best].quantity), number(value)));
    // Remove the direction that this unknown controls.
    Eigen::Index pivot;
    open.row(best).cwiseAbs().maxCoeff(&pivot);
    const Eigen::VectorXd direction = open.col(pivot) / open(best, pivot);
    open = (open - direction * open.row(best)).eval();
    open.col(pivot) = open.col(open.cols() - 1).eval();
    open.conservativeResize(Eigen::NoChange, open.cols() - 1);
  }
  return names;
}

}  // namespace

std::variant<State, NoConsistentStart> initialize(const Reduced& reduced, double t, Diagnostics& diagnostics) {
  const InitialProblem problem = make_initial_problem(reduced, diagnostics);
  if (diagnostics.has_errors())
    return NoConsistentStart{.message = "the initial equations cannot be used", .details = {}};
  Equations equations(reduced, problem, t);
  const int n = equations.unknowns();
  Vector guess(n);
  for (int k = 0; k < n; ++k) guess[k] = problem.unknowns[k].guess / problem.unknowns[k].reach;

  Attempt attempt = search_from_guesses(equations, problem, guess);
  if (!attempt.evaluated) return Explanation(reduced, problem, attempt, t).not_evaluated(equations.residual(attempt.x));
  if (!attempt.solved)
    return Explanation(reduced, problem, attempt, t)
        .not_solved(equations.residual(attempt.x), smallest_conflict(reduced, problem, t, guess));
  attempt = nearest(equations, guess, std::move(attempt));

  State state;
  state.t = t;
  state.degrees_of_freedom = problem.degrees_of_freedom;
  state.y.assign(reduced.slots.size(), 0.0);
  state.yp.assign(reduced.slots.size(), 0.0);
  std::map<Quantity, double> values;
  for (int k = 0; k < n; ++k) {
    const Quantity q = problem.unknowns[k].quantity;
    values[q] = attempt.x[k] * problem.unknowns[k].reach;
    if (q.order > reduced.offsets.d[index(q.variable)]) continue;
    if (reduced.place(q) == Place::Slot) state.y[reduced.slot_of(q)] = values[q];
  }
  // The rate of every slot whose derivative is known: the quantity above it.
  const Pool& pool = *reduced.model->pool;
  const auto value_of_leaf = [&](NodeId leaf) {
    const Node& node = pool[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return reduced.model->parameters[node.a].value;
    return values.at({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)});
  };
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    const Quantity q = reduced.slots[s].quantity;
    const Quantity above{q.variable, q.order + 1};
    if (q.order < reduced.offsets.d[index(q.variable)])
      state.yp[s] = evaluate(pool, reduced.value_of(above), value_of_leaf);
    else if (const auto found = values.find(above); found != values.end())
      state.yp[s] = found->second;
  }

  if (reduced.implicit) {
    // The structure promises too many states. With the equations and their first derivative as functions of y (below),
    // y' (middle) and y'' (top): y' is determined, and the index is 1, if [middle top] is 1-full with respect to the
    // middle (Brenan, Campbell, Petzold 1996, Section 2.5); the constraints on y are what is left of the rank.
    InitialProblem bare = problem;
    std::erase_if(bare.rows, [](const InitialRow& row) { return row.kind != InitialRow::Kind::Equation; });
    Equations array(reduced, bare, t);
    const Eigen::MatrixXd j(array.jacobian(attempt.x));
    std::vector<int> above, top;
    int below = 0, middle = 0;
    for (int k = 0; k < n; ++k) {
      const Quantity q = problem.unknowns[k].quantity;
      const int highest = reduced.offsets.d[index(q.variable)];
      if (highest == 0 ? q.order == 0 : q.order < highest) {
        ++below;
        continue;
      }
      above.push_back(k);
      if (q.order > std::max(1, highest))
        top.push_back(k);
      else
        ++middle;
    }
    const auto rank = [](const Eigen::MatrixXd& m) {
      if (m.cols() == 0) return 0;
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(m);
      qr.setThreshold(1e-10);
      return static_cast<int>(qr.rank());
    };
    const int rank_above = rank(j(Eigen::all, above));
    state.degrees_of_freedom = below - (rank(j) - rank_above);
    state.index_one = rank_above == middle + rank(j(Eigen::all, top));
  }
  const int missing = state.degrees_of_freedom - problem.conditions;
  if (missing > 0) {
    const std::vector<std::string> names = guesses_taken(reduced, problem, equations, attempt.x, missing);
    if (!names.empty())
      state.remarks.push_back(fmt::format("{} of {} initial conditions {} given; taken from start values: {}",
                                          problem.conditions, state.degrees_of_freedom,
                                          problem.conditions == 1 ? "is" : "are", fmt::join(names, ", ")));
  } else if (missing < 0) {
    state.remarks.push_back(fmt::format("{} initial conditions for {} degree{} of freedom: they happen to agree",
                                        problem.conditions, state.degrees_of_freedom,
                                        state.degrees_of_freedom == 1 ? "" : "s"));
  }
  return state;
}

State extended(State state, const Reduced& r) {
  state.y.resize(r.slots.size(), 0.0);
  state.yp.resize(r.slots.size(), 0.0);
  const Pool& pool = *r.model->pool;
  const auto leaf = [&](NodeId id) {
    const Node& node = pool[id];
    if (node.op == Op::Time) return state.t;
    if (node.op == Op::Parameter) return r.model->parameters[node.a].value;
    const Reduced::Address& at = r.addresses[node.a][node.b];
    return (at.place == Place::Slot ? state.y : state.yp)[at.index];
  };
  for (const Added& added : r.added) {
    state.y[added.slot] = evaluate(pool, added.value, leaf);
    state.yp[added.slot] = evaluate(pool, added.rate, leaf);
  }
  return state;
}

}  // namespace driftless
