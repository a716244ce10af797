#include "driftless/integrate/checks/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/crossings/bracket.hpp"
#include "driftless/integrate/crossings/cubic.hpp"
#include "driftless/integrate/crossings/extremum.hpp"

namespace driftless {
namespace {

constexpr int points_of_oscillation = 64;  // in a step, for a function of time that may oscillate between the ends
constexpr int room_for_extrema = 64;
constexpr int looks_at_extremum = 6;

// An extremum is examined if its distance to 0 is at most this part of its distance to the chord; and an end counts as
// showing a branch only if its depth there is at least this part of the largest.
constexpr double comes_near = 0.25;

constexpr double rounding_of_time = 1e-10;  // of the time: where a kink of time alone is
constexpr double behind = 0.5,
                 located = 0.4;  // where a step ends after a kink, and how exactly, in units of `allowed`
constexpr int most_iterations = 100, looks_at_cubic = 20;
constexpr std::size_t most_passed = 8;
constexpr double shortest_part = 1e-12;     // smallest part of a step to which it is cut
constexpr double longest_on_a_kink = 1e-2;  // longest part, of a series that begins on a kink

bool is_root(const Pool& pool, NodeId id) {
  const Node node = pool[id];
  return node.op == Op::Sqrt ||
         (node.op == Op::Pow && !(pool.is_constant(node.operand(1)) && pool.constant_value(node.operand(1)) >= 1.0));
}

}  // namespace

// Collected and compiled once; every run has samples of its own.
Kinks::Kinks(const System& system, double tolerance)
    : Kinks(*system.compiled().part<Kinks>(
          {}, [&] { return std::shared_ptr<const Kinks>(new Kinks(system.compiled())); })) {
  tolerance_ = tolerance;
  if (kinks_.empty()) return;
  std::ranges::copy(system.parameters(), inputs_.begin() + 1);
  passed_.reserve(most_passed);  // copies do not keep the capacity
  for (std::vector<double>* list : {&course_.t, &course_.g, &course_.allowed}) list->reserve(samples_.size());
}

Kinks::Kinks(const CompiledSystem& system) : reduced_(system.reduced()), pool_(growable(reduced_.model->pool)) {
  collect();
  if (!kinks_.empty()) compile_kernel(system);
}

void Kinks::collect() {
  Pool& pool = *pool_;
  std::vector<bool> seen(pool.size(), false), under_root(pool.size(), false);
  for (const Equation& equation : reduced_.model->equations)
    for (const NodeId id : nodes_of(pool, equation.residual))
      if (is_root(pool, id))
        for (const NodeId inner : nodes_of(pool, pool[id].operand(0)))
          if (index(inner) < under_root.size()) under_root[index(inner)] = true;
  for (const Equation& equation : reduced_.model->equations)
    for (const NodeId id : nodes_of(pool, equation.residual)) {
      if (index(id) >= seen.size() || seen[index(id)]) continue;
      seen[index(id)] = true;
      const Node node = pool[id];
      switch (node.op) {
        case Op::Max:
        case Op::Min:
        case Op::Less:
        case Op::LessEqual: watch(pool.sub(node.operand(0), node.operand(1)), under_root[index(id)]); break;
        case Op::Abs:
        case Op::Sign: watch(node.operand(0), under_root[index(id)]); break;
        default: break;
      }
    }
}

// Indicators that are linear in time are left to switches.hpp, which computes their instants.
void Kinks::watch(NodeId indicator, bool under_root) {
  Pool& pool = *pool_;
  const auto has = [&](Op op) { return any_node(pool, indicator, [&](NodeId n) { return pool[n].op == op; }); };
  const bool varies = has(Op::Variable);
  if (!varies && (!has(Op::Time) || linear_in(pool, indicator, pool.time()))) return;
  if (const auto found = std::ranges::find(kinks_, indicator, &Kink::indicator); found != kinks_.end())
    found->under_root |= under_root;
  else
    kinks_.push_back({indicator, false, !varies, under_root});
}

// The kernel is interpreted, and reads all quantities.
void Kinks::compile_kernel(const CompiledSystem& system) {
  const Model& model = *reduced_.model;
  Pool& pool = *pool_;
  KernelSource source{"kinks", {}};
  for (const Kink& kink : kinks_) source.outputs.push_back(kink.indicator);
  TimeDerivative d_dt(pool);
  for (Kink& kink : kinks_) {
    const NodeId slope = d_dt(kink.indicator);
    kink.has_slope = std::ranges::all_of(variables_of(pool, slope), [&](NodeId leaf) {
      const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      return std::ranges::binary_search(reduced_.quantities, q);
    });
    source.outputs.push_back(kink.has_slope ? slope : pool.zero());
  }
  for (Kink& kink : kinks_) {
    NodeId sum = pool.zero();
    for (const Partial& p : gradient(pool, kink.indicator)) {
      const double nominal = std::abs(model[VarId{static_cast<int>(pool[p.leaf].a)}].nominal);
      sum = pool.add(sum, pool.mul(pool.unary(Op::Abs, p.derivative),
                                   pool.add(pool.unary(Op::Abs, p.leaf), pool.constant(nominal))));
    }
    source.outputs.push_back(kink.by_unknowns = sum);
  }
  for (Kink& kink : kinks_)
    source.outputs.push_back(
        kink.by_rounding = pool.unary(Op::Abs, pool.mul(partial(pool, kink.indicator, pool.time()), pool.time())));
  const std::size_t outputs = source.outputs.size();
  layout_ = system.layout_of_quantities();
  kernel_ = compile(pool_, {&source, 1}, layout_, Backend::Interpreter).kernels.front();
  kernels_of_one_.resize(kinks_.size());
  inputs_.assign(layout_.inputs, 0.0);
  work_.resize(kernel_->work_size());
  quantities_.resize(reduced_.quantities.size());
  samples_.resize(points_of_oscillation + 2 + room_for_extrema);
  for (Sample& sample : samples_) sample.values.resize(outputs);
  for (Sample* sample : {&before_, &begin_, &end_}) sample->values.resize(outputs);
}

// Without a path: for what depends on time alone.
bool Kinks::set_inputs(double t, const Path* path) {
  if (path && !(*path)(t, quantities_)) return false;
  inputs_[0] = t;
  if (path) std::ranges::copy(quantities_, inputs_.end() - static_cast<std::ptrdiff_t>(quantities_.size()));
  return true;
}

bool Kinks::evaluate(double t, const Path* path, Sample& sample) {
  sample.t = t;
  sample.exists = set_inputs(t, path);
  if (sample.exists) (*kernel_)(inputs_.data(), sample.values.data(), work_.data());
  return sample.exists;
}

// A large model has hundreds of kinks, and looking for one of them takes many points.
std::optional<Kinks::Look> Kinks::look_at(std::size_t k, double t, const Path* path) {
  if (!set_inputs(t, path)) return {};
  std::shared_ptr<const Kernel>& kernel = kernels_of_one_[k];
  if (!kernel) {
    const Kink& kink = kinks_[k];
    const KernelSource source{"kink", {kink.indicator, kink.by_unknowns, kink.by_rounding}};
    kernel = compile(pool_, {&source, 1}, layout_, Backend::Interpreter).kernels.front();
    work_.resize(std::max(work_.size(), kernel->work_size()));
  }
  double values[3];
  (*kernel)(inputs_.data(), values, work_.data());
  return Look{values[0], allowed(values[1], values[2])};
}

double Kinks::allowed(const Sample& s, std::size_t k) const {
  const std::size_t n = kinks_.size();
  return allowed(s.values[2 * n + k], s.values[3 * n + k]);
}

double Kinks::allowed(double by_unknowns, double by_rounding) const {
  return tolerance_ * by_unknowns + rounding_of_time * by_rounding;
}

std::optional<double> Kinks::find(double a, double b, const Path& path, int points_between, Branches branches,
                                  Extent extent) {
  if (end_.exists && end_.t == a) {
    std::swap(before_, begin_);
    std::swap(begin_, end_);
  } else if (!(begin_.exists && begin_.t == a)) {
    before_.exists = false;
    if (!evaluate(a, &path, begin_)) return {};
  }
  passed_.clear();
  passed_root_ = false;
  if (!evaluate(b, &path, end_)) return {};
  bool suspicious = false, in_time = false;
  for (std::size_t k = 0; k < kinks_.size(); ++k) {
    bool& doubt = kinks_[k].by_time ? in_time : suspicious;
    doubt = doubt || branches == Branches::OfTheBeginning || extent == Extent::Part || is_suspicious(k, begin_, end_);
  }
  std::optional<double> cut;
  if (suspicious)
    cut = look_closely(a, b, &path, std::min(points_between, points_of_oscillation), false, branches, extent);
  if (in_time)
    if (const auto other = look_closely(a, b, nullptr, points_of_oscillation, true, branches, extent);
        other && !(cut && *cut < *other))
      cut = other;
  if (cut && *cut - a > shortest_part * (b - a) && b - *cut > shortest_part * (b - a)) return cut;
  note_passed();
  return {};
}

void Kinks::note_passed() {
  for (std::size_t k = 0; k < kinks_.size(); ++k) {
    const double g0 = g(begin_, k), g1 = g(end_, k), h = end_.t - begin_.t;
    if ((g0 < 0.0) == (g1 < 0.0) ||
        !(std::min(std::abs(g0) - allowed(begin_, k), std::abs(g1) - allowed(end_, k)) > 0.0))
      continue;
    double low = 0.0, high = 1.0;  // bisection of the cubic costs nothing
    const double d0 = kinks_[k].has_slope ? h * slope(begin_, k) : g1 - g0,
                 d1 = kinks_[k].has_slope ? h * slope(end_, k) : g1 - g0;
    for (int i = 0; i < looks_at_cubic; ++i) {
      const double x = std::midpoint(low, high);
      ((cubic(x, g0, g1, d0, d1) < 0.0) == (g0 < 0.0) ? low : high) = x;
    }
    const double t = begin_.t + high * h;
    passed_root_ |= kinks_[k].under_root;
    if (passed_.empty() || t < passed_.front()) first_passed_ = k;
    if (passed_.size() < passed_.capacity()) passed_.insert(std::ranges::upper_bound(passed_, t), t);
  }
}

bool Kinks::ends_on_kink() const {
  for (std::size_t k = 0; k < kinks_.size(); ++k)
    if (end_.exists && std::abs(g(end_, k)) <= allowed(end_, k)) return true;
  return false;
}

double Kinks::locate_passed(const Path& path) {
  const std::size_t k = first_passed_;
  course_.clear();
  for (const Sample* s : {&begin_, &end_}) course_.add(s->t, g(*s, k), allowed(*s, k));
  return locate(k, {0, 1}, &path);
}

bool Kinks::is_suspicious(std::size_t k, const Sample& begin, const Sample& end) {
  return kinks_[k].has_slope ? cubic_is_suspicious(k, begin, end) : parabola_is_suspicious(k, begin, end);
}

// Judged by the cubic with the values and slopes of the ends.
bool Kinks::cubic_is_suspicious(std::size_t k, const Sample& begin, const Sample& end) {
  const double h = end.t - begin.t, g0 = g(begin, k), g1 = g(end, k), d0 = h * slope(begin, k), d1 = h * slope(end, k);
  // p' = A x^2 + 2 B x + d0
  const double change = g1 - g0, A = 3.0 * (d0 + d1 - 2.0 * change), B = 3.0 * change - 2.0 * d0 - d1;
  if (!std::isfinite(A) || !std::isfinite(B)) return true;
  const double root = std::sqrt(std::max(B * B - A * d0, 0.0)), q = -(B + std::copysign(root, B));
  double places[2] = {A != 0.0 ? q / A : 2.0, q != 0.0 ? d0 / q : 2.0};
  if (places[0] > places[1]) std::swap(places[0], places[1]);
  const double threshold = std::max(allowed(begin, k), allowed(end, k));
  course_.clear();
  course_.add(0.0, g0, threshold);
  bool near = false;
  for (const double x : places) {
    if (!(x > 0.0 && x < 1.0)) continue;
    const double value = cubic(x, g0, g1, d0, d1), deviation = std::abs(value - (g0 + x * change));
    if (std::abs(value) <= comes_near * deviation && std::abs(value) > threshold) near = true;
    course_.add(x, value, threshold);
  }
  course_.add(1.0, g1, threshold);
  if (near || course_.hidden_crossing(false)) return true;
  if (!kinks_[k].by_time) return false;
  // A function of time alone may oscillate, and one evaluation in the middle costs almost nothing.
  Sample& middle = samples_.back();
  evaluate(std::midpoint(begin.t, end.t), nullptr, middle);
  const double expected = cubic(0.5, g0, g1, d0, d1);
  const double size = std::max({std::abs(g0), std::abs(g1), std::abs(expected)});
  return std::abs(g(middle, k) - expected) > comes_near * size;
}

// Judged by the parabola through the ends and the beginning of the previous step.
bool Kinks::parabola_is_suspicious(std::size_t k, const Sample& begin, const Sample& end) const {
  if (!before_.exists || !(before_.t < begin.t)) return true;
  const double g0 = g(begin, k), g1 = g(end, k), h = end.t - begin.t;
  const double first = (g0 - g(before_, k)) / (begin.t - before_.t), second = (g1 - g0) / h;
  const double bend = (second - first) / (end.t - before_.t), deviation = 0.25 * std::abs(bend) * h * h;
  if (!std::isfinite(bend)) return true;
  const double least = std::min(std::abs(g0), std::abs(g1));
  if (least <= std::max(allowed(begin, k), allowed(end, k))) return deviation > least;
  if ((g0 < 0.0) != (g1 < 0.0)) return false;
  return (bend > 0.0) == (g0 > 0.0) && least <= 2.0 * deviation;
}

std::optional<double> Kinks::look_closely(double a, double b, const Path* path, int points, bool by_time,
                                          Branches branches, Extent extent) {
  sample_between(a, b, path, points);
  std::optional<double> first;
  for (std::size_t k = 0; k < kinks_.size(); ++k) {
    if (kinks_[k].by_time != by_time) continue;
    look_at_extrema(k, path);
    course_.clear();
    for (std::size_t s = 0; s < used_; ++s) course_.add(samples_[s].t, g(samples_[s], k), allowed(samples_[s], k));
    const bool is_series = branches == Branches::OfTheBeginning;
    if (is_series) course_.allowed[0] = 0.0;  // it has taken a branch there
    if (const auto t = is_series ? behind_a_beginning_on(k, a, b, path) : std::nullopt; t && (!first || *t < *first)) {
      first = t;
      continue;
    }
    const auto crossing = extent == Extent::Part ? course_.first_crossing() : course_.hidden_crossing(is_series);
    if (!crossing || (first && course_.t[crossing->before] >= *first)) continue;
    const double t = locate(k, *crossing, path);
    if (!first || t < *first) first = t;
  }
  return first;
}

// A series that begins on a kink has taken one of its branches without knowing which one follows. Returns a time
// shortly after the kink, where a new series sees the branch. Nothing if no branch follows within the step, or if this
// short step is the one being searched.
std::optional<double> Kinks::behind_a_beginning_on(std::size_t k, double a, double b, const Path* path) {
  if (course_.g[0] != 0.0 || (begun_on_.t == a && b <= begun_on_.until)) return {};
  bool comes = false;
  for (std::size_t i = 1; i < course_.t.size(); ++i) comes = comes || std::abs(course_.g[i]) > course_.allowed[i];
  if (!comes) return {};
  for (double part = 2.0 * shortest_part; part < longest_on_a_kink; part *= 1e3) {
    const double t = a + part * (b - a);
    if (!(t > a)) continue;
    if (const auto look = look_at(k, t, path); !look || look->g == 0.0) continue;
    begun_on_ = {a, t};
    return t;
  }
  return {};
}

void Kinks::sample_between(double a, double b, const Path* path, int points) {
  used_ = 0;
  samples_[used_].t = a, samples_[used_].exists = true, samples_[used_].values = begin_.values;
  ++used_;
  for (int i = 1; i <= points; ++i)
    if (evaluate(a + (b - a) * i / (points + 1), path, samples_[used_])) ++used_;
  samples_[used_].t = b, samples_[used_].exists = true, samples_[used_].values = end_.values;
  ++used_;
}

// Moves the sample after the used ones to its place.
void Kinks::insert(std::size_t place) {
  const auto begin = samples_.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(place), begin + static_cast<std::ptrdiff_t>(used_),
              begin + static_cast<std::ptrdiff_t>(used_) + 1);
  ++used_;
}

// Adds samples where the indicator has an extremum close to 0 between two samples of the same branch.
void Kinks::look_at_extrema(std::size_t k, const Path* path) {
  for (std::size_t s = 1; s + 1 < used_; ++s)
    for (int look = 0; look < looks_at_extremum && used_ + 1 < samples_.size(); ++look) {
      double t[3], v[3];
      for (int i = 0; i < 3; ++i) t[i] = samples_[s - 1 + i].t, v[i] = g(samples_[s - 1 + i], k);
      const auto vertex = extremum_near_zero(t, v, comes_near);
      if (!vertex || !evaluate(*vertex, path, samples_[used_])) break;
      const double found = g(samples_[used_], k);
      const bool crosses = (found < 0.0) != (v[0] < 0.0), improves = std::abs(found) < std::abs(v[1]);
      if (!crosses && !improves) break;
      if (*vertex > t[1]) ++s;
      insert(s);
      if (crosses) break;
    }
}

double Kinks::locate(std::size_t k, const Course::Crossing& crossing, const Path* path) {
  const double side = course_.g[crossing.behind] < 0.0 ? -1.0 : 1.0;
  const auto over = [&](double value, double allowed) { return side * value - behind * allowed; };
  Bracket bracket{course_.t[crossing.before], course_.t[crossing.behind], over(course_.g[crossing.before], 0.0),
                  over(course_.g[crossing.behind], course_.allowed[crossing.behind]), true};
  for (int i = 0; i < most_iterations; ++i) {
    const std::optional<double> t = bracket.next();
    const std::optional<Look> here = t ? look_at(k, *t, path) : std::nullopt;
    if (!here) break;
    const double value = over(here->g, here->allowed);
    if (std::abs(value) <= located * here->allowed) return *t;
    bracket.take(*t, value);
  }
  return bracket.behind;
}

void Kinks::Course::clear() { t.clear(), g.clear(), allowed.clear(); }

void Kinks::Course::add(double at, double value, double threshold) {
  t.push_back(at), g.push_back(value), allowed.push_back(threshold);
}

std::optional<Kinks::Course::Crossing> Kinks::Course::first_crossing() const {
  std::size_t last = t.size();  // the last place with a branch
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!(std::abs(g[i]) > allowed[i])) continue;
    if (last < t.size() && (g[last] < 0.0) != (g[i] < 0.0)) return Crossing{last, i};
    last = i;
  }
  return {};
}

// The ends show a single change of the branch if they are not much closer to the kink than the points between.
std::optional<Kinks::Course::Crossing> Kinks::Course::hidden_crossing(bool begins_with_branch) const {
  const auto first = first_crossing();
  if (!first) return {};
  const bool below = g[first->behind] < 0.0;
  double depth_before = 0.0, depth_behind = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!(std::abs(g[i]) > allowed[i])) continue;
    if (i >= first->behind && (g[i] < 0.0) != below) return first;  // it changes back
    double& depth = i < first->behind ? depth_before : depth_behind;
    depth = std::max(depth, std::abs(g[i]));
  }
  const bool shown = (begins_with_branch || std::abs(g.front()) >= comes_near * depth_before) &&
                     std::abs(g.back()) >= comes_near * depth_behind;
  return shown ? std::nullopt : first;
}

}  // namespace driftless
