// Formulations as text, both ways.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "driftless/choices/options.hpp"
#include "driftless/formulate/formulation.hpp"

namespace driftless {
namespace {

using namespace formulation;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// In the order of the variant.
const std::vector<std::string> names{"dummy",
                                     "minimal",
                                     "index1",
                                     "index2",
                                     "original",
                                     "baumgarte",
                                     "ggl",
                                     "stabilized-index1",
                                     "damped-index2",
                                     "projected-invariants",
                                     "stabilized-ode",
                                     "overdetermined",
                                     "state-space",
                                     "euode",
                                     "derivative-array",
                                     "auto"};

const std::map<std::string, Correction> inverses{{"ssf", Correction::SsfBordered},
                                                 {"ssf-basis", Correction::SsfBasis},
                                                 {"least-squares", Correction::ConstrainedLeastSquares},
                                                 {"moore-penrose", Correction::MoorePenrose}};

const std::map<std::string, Chart> charts{
    {"partition", Chart::Partition}, {"tangent", Chart::Tangent}, {"tangent-mass", Chart::TangentMass}};

template <class T>
const std::string& name_of(const std::map<std::string, T>& table, T value) {
  return std::ranges::find_if(table, [&](const auto& entry) { return entry.second == value; })->first;
}

// ---- written

// The name, and the options that are not empty.
std::string written(const std::string& name, std::initializer_list<std::string> options) {
  std::string text = name;
  char separator = ':';
  for (const std::string& option : options) {
    if (option.empty()) continue;
    text += separator + option;
    separator = ',';
  }
  return text;
}

std::string written_direction(const Direction& direction) {
  return std::visit(
      Overloaded{[](const Transpose&) { return std::string(); }, [](const Mass&) { return std::string("D=mass"); },
                 [](const Unit&) { return std::string("D=unit"); },
                 [](const Given& given) {
                   std::vector<double> entries;
                   for (const auto& column : given.columns) entries.insert(entries.end(), column.begin(), column.end());
                   return fmt::format("D=given,constraints={},{}", given.columns.size(),
                                      fmt::format("columns={}", fmt::join(entries, "/")));
                 }},
      direction);
}

std::string written_baumgarte(const std::string& name, const Baumgarte& b) {
  if (!b.coefficients.empty()) return written(name, {fmt::format("coefficients={}", fmt::join(b.coefficients, "/"))});
  if (b.alpha) return written(name, {fmt::format("alpha={}", *b.alpha), fmt::format("beta={}", *b.beta)});
  return written(name, {fmt::format("gamma={}", b.gamma)});
}

// ---- read

// D=transpose|mass|unit, or D=given with columns=, one after the other; constraints= gives their number, by default 1.
Direction read_direction(Options& options) {
  enum Kind { OfTranspose, OfMass, OfUnit, OfGiven };
  const auto kind =
      options.choice<Kind>("D", {{"transpose", OfTranspose}, {"mass", OfMass}, {"unit", OfUnit}, {"given", OfGiven}});
  switch (kind.value_or(OfTranspose)) {
    case OfTranspose: return Transpose{};
    case OfMass: return Mass{};
    case OfUnit: return Unit{};
    case OfGiven: break;
  }
  Given given;
  const auto entries = options.numbers("columns").value_or(std::vector<double>{});
  const std::size_t count = std::max(options.integer("constraints").value_or(1), 1), length = entries.size() / count;
  for (std::size_t k = 0; k < count; ++k)
    given.columns.emplace_back(entries.begin() + k * length, entries.begin() + (k + 1) * length);
  return given;
}

bool is_rate(double gamma) { return gamma >= 0.0; }

std::optional<Formulation> read_baumgarte(Options& options) {
  Baumgarte b;
  b.coefficients = options.numbers("coefficients").value_or(std::vector<double>{});
  if (!b.coefficients.empty()) return b.coefficients.back() == 0.0 ? std::nullopt : std::optional<Formulation>(b);
  b.alpha = options.number("alpha");
  b.beta = options.number("beta");
  if (b.alpha.has_value() != b.beta.has_value()) return {};
  if (!b.alpha) b.gamma = options.number("gamma").value_or(b.gamma);
  if (!is_rate(b.gamma) || !is_rate(b.alpha.value_or(0.0)) || !is_rate(b.beta.value_or(0.0))) return {};
  return b;
}

std::optional<Formulation> read_damped(Options& options) {
  const DampedIndex2 damped{options.number("gamma").value_or(DampedIndex2{}.gamma)};
  return is_rate(damped.gamma) ? std::optional<Formulation>(damped) : std::nullopt;
}

std::optional<Formulation> read_projected(Options& options) {
  ProjectedInvariants projected;
  projected.levels = options.integer("levels").value_or(projected.levels);
  projected.coupled = options.flag("coupled");
  projected.direction = read_direction(options);
  const bool transpose = std::holds_alternative<Transpose>(projected.direction);
  if (projected.levels < 1 || (projected.coupled && !transpose)) return {};
  return projected;
}

std::optional<Formulation> read_stabilized_ode(Options& options) {
  StabilizedOde stabilized;
  stabilized.gamma = options.number("gamma").value_or(stabilized.gamma);
  stabilized.direction = read_direction(options);
  return is_rate(stabilized.gamma) ? std::optional<Formulation>(stabilized) : std::nullopt;
}

std::optional<Formulation> read_overdetermined(Options& options) {
  Overdetermined o;
  o.inverse = options.choice("inverse", inverses).value_or(o.inverse);
  const int index = options.integer("index").value_or(1);
  o.accelerations = index == 1;
  return index == 1 || index == 2 ? std::optional<Formulation>(o) : std::nullopt;
}

std::optional<Formulation> read_state_space(Options& options) {
  StateSpace s;
  s.chart = options.choice("chart", charts).value_or(s.chart);
  s.every_step = options.flag("every-step");
  return s;
}

std::optional<Formulation> read_array(Options& options) {
  using Form = DerivativeArray::Form;
  const bool campbell_moore = options.flag("campbell-moore"), kunkel_mehrmann = options.flag("kunkel-mehrmann");
  if (campbell_moore && kunkel_mehrmann) return {};
  return DerivativeArray{kunkel_mehrmann ? Form::KunkelMehrmann : Form::CampbellMoore};
}

// Names of the literature: projected-invariants with one level, with two, and with two that are coupled.
std::optional<Formulation> read_short(const std::string& name, Options& options) {
  if (name != "pa" && name != "pb" && name != "pc") return {};
  ProjectedInvariants projected{.levels = name == "pa" ? 1 : 2, .direction = {}, .coupled = name == "pc"};
  if (name != "pc") projected.direction = read_direction(options);
  return projected;
}

std::optional<Formulation> read_named(const std::string& name, Options& options) {
  if (name == "dummy") return Dummy{};
  if (name == "minimal") return Minimal{};
  if (name == "index1") return Index1{};
  if (name == "index2") return Index2{};
  if (name == "original") return Original{};
  if (name == "baumgarte") return read_baumgarte(options);
  if (name == "ggl") return Ggl{read_direction(options)};
  if (name == "stabilized-index1") return StabilizedIndex1{read_direction(options)};
  if (name == "damped-index2") return read_damped(options);
  if (name == "projected-invariants") return read_projected(options);
  if (name == "stabilized-ode") return read_stabilized_ode(options);
  if (name == "overdetermined") return read_overdetermined(options);
  if (name == "state-space") return read_state_space(options);
  if (name == "euode") return Euode{};
  if (name == "derivative-array") return read_array(options);
  if (name == "auto") return Auto{};
  return read_short(name, options);
}

}  // namespace

const std::vector<std::string>& formulation_names() { return names; }

std::string to_string(const Formulation& formulation) {
  const std::string& name = names[formulation.index()];
  return std::visit(
      Overloaded{[&](const Baumgarte& b) { return written_baumgarte(name, b); },
                 [&](const DampedIndex2& d) { return written(name, {fmt::format("gamma={}", d.gamma)}); },
                 [&](const Ggl& g) { return written(name, {written_direction(g.direction)}); },
                 [&](const StabilizedIndex1& s) { return written(name, {written_direction(s.direction)}); },
                 [&](const ProjectedInvariants& p) {
                   return written(name, {fmt::format("levels={}", p.levels), written_direction(p.direction),
                                         p.coupled ? "coupled" : ""});
                 },
                 [&](const StabilizedOde& s) {
                   return written(name, {fmt::format("gamma={}", s.gamma), written_direction(s.direction)});
                 },
                 [&](const Overdetermined& o) {
                   return written(name, {o.inverse == Overdetermined{}.inverse
                                             ? ""
                                             : fmt::format("inverse={}", name_of(inverses, o.inverse)),
                                         o.accelerations ? "" : "index=2"});
                 },
                 [&](const StateSpace& s) {
                   return written(
                       name, {s.chart == StateSpace{}.chart ? "" : fmt::format("chart={}", name_of(charts, s.chart)),
                              s.every_step ? "every-step" : ""});
                 },
                 [&](const DerivativeArray& a) {
                   return written(name, {a.form == DerivativeArray{}.form ? "" : "kunkel-mehrmann"});
                 },
                 [&](const auto&) { return name; }},
      formulation);
}

std::optional<Formulation> parse_formulation(const std::string& text) {
  Options options(text);
  const auto formulation = read_named(options.name(), options);
  return options.all_used() ? formulation : std::nullopt;
}

}  // namespace driftless
