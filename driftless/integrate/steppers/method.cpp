#include "driftless/integrate/steppers/method.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/choices/options.hpp"

#include "driftless/archive/archive.hpp"

namespace driftless {
namespace {

using namespace method;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

const char* name_of(Explicit tableau) {
  switch (tableau) {
    case Explicit::Euler: return "explicit-euler";
    case Explicit::Heun3: return "heun3";
    case Explicit::Rk4: return "rk4";
    case Explicit::Dopri5: return "dopri5";
    case Explicit::Dop853: return "dop853";
    case Explicit::Adaptive: return "explicit";
  }
  return "";
}

const char* name_of(HalfExplicitTableau tableau) {
  switch (tableau) {
    case HalfExplicitTableau::Euler: return "half-explicit1";
    case HalfExplicitTableau::Midpoint: return "half-explicit2";
    case HalfExplicitTableau::Hem3: return "half-explicit3";
    case HalfExplicitTableau::Hem4: return "half-explicit4";
    case HalfExplicitTableau::Hem5: return "half-explicit5";
    case HalfExplicitTableau::Heun3: return "half-explicit-heun3";
    case HalfExplicitTableau::Extrapolation: return "half-explicit-extrapolation";
  }
  return "";
}

std::string name_of(const HalfExplicit& half) {
  std::vector<std::string> options;
  if (half.columns > 0) options.push_back(fmt::format("columns={}", half.columns));
  if (half.euler) options.emplace_back("base=euler");
  const char* name = name_of(half.tableau);
  return options.empty() ? name : fmt::format("{}:{}", name, fmt::join(options, ","));
}

std::string name_of(const Symplectic& symplectic) {
  switch (symplectic.kind) {
    case SymplecticKind::Euler: return "symplectic-euler";
    case SymplecticKind::StoermerVerlet: return "stoermer-verlet";
    case SymplecticKind::Shake: return "shake";
    case SymplecticKind::Rattle: return "rattle";
    case SymplecticKind::LobattoPair: return fmt::format("lobatto-pair{}", symplectic.stages);
  }
  return "";
}

const char* name_of(Precision precision) {
  switch (precision) {
    case Precision::Double: return "double";
    case Precision::Extended: return "extended";
    case Precision::Quadruple: return "quadruple";
  }
  return "";
}

std::string name_of(const Taylor& taylor) {
  std::vector<std::string> options;
  if (taylor.order > 0) options.push_back(fmt::format("order={}", taylor.order));
  if (taylor.precision != Precision::Double) options.push_back(fmt::format("precision={}", name_of(taylor.precision)));
  return options.empty() ? "taylor" : fmt::format("taylor:{}", fmt::join(options, ","));
}

// All methods without parameters, and an abbreviation for each family.
struct Catalogue {
  std::vector<std::string> families;
  std::vector<std::pair<std::string, Method>> methods;

  void add(const Method& method) {
    methods.emplace_back(to_string(method), method);
    families.push_back(methods.back().first);
  }

  template <class Make>
  void add(int first, int last, Make make) {
    for (int k = first; k <= last; ++k) methods.emplace_back(to_string(Method(make(k))), make(k));
    families.push_back(fmt::format("{}..{}", to_string(Method(make(first))), to_string(Method(make(last)))));
  }
};

Catalogue make_catalogue() {
  Catalogue all;
  all.add(Bdf{});
  all.add(Ida{});
  all.add(ConstantBdf{1});
  all.add(2, 6, [](int order) { return ConstantBdf{order}; });
  all.families.push_back("multistep:alpha=..,beta=..");
  all.add(Radau{0});
  all.add(1, 7, [](int stages) { return Radau{stages}; });
  all.add(1, 5, [](int stages) { return Gauss{stages}; });
  all.add(1, 5, [](int stages) { return Gauss{stages, true}; });
  all.add(2, 4, [](int stages) { return Lobatto{LobattoKind::A, stages}; });
  all.add(2, 4, [](int stages) { return Lobatto{LobattoKind::C, stages}; });
  for (const auto tableau :
       {Explicit::Euler, Explicit::Heun3, Explicit::Rk4, Explicit::Dopri5, Explicit::Dop853, Explicit::Adaptive})
    all.add(ExplicitRungeKutta{tableau});
  all.add(1, 5, [](int order) { return HalfExplicit{static_cast<HalfExplicitTableau>(order - 1)}; });
  all.add(HalfExplicit{HalfExplicitTableau::Heun3});
  all.add(HalfExplicit{HalfExplicitTableau::Extrapolation});
  for (const auto kind :
       {SymplecticKind::Euler, SymplecticKind::StoermerVerlet, SymplecticKind::Shake, SymplecticKind::Rattle})
    all.add(Symplectic{kind});
  all.add(2, 4, [](int stages) { return Symplectic{SymplecticKind::LobattoPair, stages}; });
  all.add(Taylor{});
  all.add(Auto{});
  return all;
}

const Catalogue& catalogue() {
  static const Catalogue all = make_catalogue();
  return all;
}

std::optional<Method> parse_multistep(Options& options) {
  const auto alpha = options.numbers("alpha"), beta = options.numbers("beta");
  if (!alpha || !beta || alpha->size() != beta->size() || alpha->size() < 2 || alpha->front() == 0.0) return {};
  return Multistep{*alpha, *beta};
}

std::optional<Method> parse_extrapolation(Options& options) {
  static const std::map<std::string, bool> bases = {{"euler", true}};
  HalfExplicit extrapolation{HalfExplicitTableau::Extrapolation};
  if (const auto columns = options.integer("columns")) {
    if (*columns < 2 || *columns > 10) return {};
    extrapolation.columns = *columns;
  }
  if (const auto euler = options.choice("base", bases)) extrapolation.euler = *euler;
  return extrapolation;
}

std::optional<Method> parse_taylor(Options& options) {
  static const std::map<std::string, Precision> precisions = {
      {"double", Precision::Double}, {"extended", Precision::Extended}, {"quadruple", Precision::Quadruple}};
  Taylor taylor;
  if (const auto order = options.integer("order")) taylor.order = *order;
  if (const auto precision = options.choice("precision", precisions)) taylor.precision = *precision;
  if (taylor.order != 0 && (taylor.order < 4 || taylor.order > 64)) return {};
  return taylor;
}

}  // namespace

std::string to_string(const Method& method) {
  return std::visit(
      Overloaded{
          [](const Bdf&) -> std::string { return "bdf"; },
          [](const Ida&) -> std::string { return "ida"; },
          [](const ConstantBdf& bdf) { return bdf.order == 1 ? "backward-euler" : fmt::format("bdf{}", bdf.order); },
          [](const Multistep& m) {
            return fmt::format("multistep:alpha={},beta={}", fmt::join(m.alpha, "/"), fmt::join(m.beta, "/"));
          },
          [](const Radau& radau) { return radau.stages == 0 ? "radau" : fmt::format("radau{}", radau.stages); },
          [](const Gauss& gauss) {
            return fmt::format("gauss{}{}", gauss.stages, gauss.projected ? "-projected" : "");
          },
          [](const Lobatto& lobatto) {
            return fmt::format("lobatto-iii{}{}", lobatto.kind == LobattoKind::A ? 'a' : 'c', lobatto.stages);
          },
          [](const ExplicitRungeKutta& rk) -> std::string { return name_of(rk.tableau); },
          [](const HalfExplicit& half) { return name_of(half); },
          [](const Symplectic& symplectic) { return name_of(symplectic); },
          [](const Taylor& taylor) { return name_of(taylor); },
          [](const Auto&) -> std::string { return "auto"; },
      },
      method);
}

std::optional<Method> parse_method(const std::string& text) {
  if (text == "half-explicit") return HalfExplicit{HalfExplicitTableau::Hem5};
  if (text == "bdf1") return ConstantBdf{1};
  Options options(text);
  std::optional<Method> method;
  if (options.name() == "multistep") {
    method = parse_multistep(options);
  } else if (options.name() == "taylor") {
    method = parse_taylor(options);
  } else if (options.name() == name_of(HalfExplicitTableau::Extrapolation)) {
    method = parse_extrapolation(options);
  } else {
    for (const auto& [name, known] : catalogue().methods)
      if (options.name() == name) method = known;
  }
  return options.all_used() ? method : std::nullopt;
}

void archive(Archive& archive, Method& method) {
  std::string text = to_string(method);
  archive(text);
  if (!archive.is_reading()) return;
  std::optional<Method> found = parse_method(text);
  if (!found) throw ArchiveError("the saved run has the unknown method " + text);
  method = std::move(*found);
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, method] : catalogue().methods) all.push_back(name);
    return all;
  }();
  return names;
}

const std::vector<std::string>& method_families() { return catalogue().families; }

bool controls_step(const Method& method) {
  if (const auto* rk = std::get_if<ExplicitRungeKutta>(&method)) return rk->tableau >= Explicit::Dopri5;
  if (const auto* radau = std::get_if<Radau>(&method))
    return radau->stages == 0 || radau->stages == 3 || radau->stages == 5 || radau->stages == 7;
  if (const auto* half = std::get_if<HalfExplicit>(&method))
    return half->tableau == HalfExplicitTableau::Hem5 || half->tableau == HalfExplicitTableau::Extrapolation;
  return std::holds_alternative<Bdf>(method) || std::holds_alternative<Ida>(method) ||
         std::holds_alternative<Taylor>(method) || std::holds_alternative<Auto>(method);
}

bool is_explicit(const Method& method) {
  return std::holds_alternative<ExplicitRungeKutta>(method) || std::holds_alternative<HalfExplicit>(method) ||
         std::holds_alternative<Taylor>(method);
}

std::optional<std::string> step_problem(const Method& method, const std::optional<double>& step) {
  if (!step && !controls_step(method))
    return fmt::format("{} has no error test and needs a step size: give one, as in --step 0.01", to_string(method));
  const auto* radau = std::get_if<Radau>(&method);
  if (step && (std::holds_alternative<Bdf>(method) || std::holds_alternative<Ida>(method) ||
               std::holds_alternative<Taylor>(method) || (radau && radau->stages == 0)))
    return fmt::format(
        "{} chooses its steps by the tolerance: give a tolerance instead of a step size, or a method "
        "that takes constant steps, such as bdf2 or radau3",
        to_string(method));
  return {};
}

}  // namespace driftless
