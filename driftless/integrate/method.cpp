#include "driftless/integrate/method.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/diagnostics/options.hpp"

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
  }
  return "";
}

const char* name_of(HalfExplicitTableau tableau) {
  switch (tableau) {
    case HalfExplicitTableau::Euler: return "half-explicit1";
    case HalfExplicitTableau::Midpoint: return "half-explicit2";
    case HalfExplicitTableau::Hem3: return "half-explicit3";
    case HalfExplicitTableau::Hem4: return "half-explicit4";
    case HalfExplicitTableau::Heun3: return "half-explicit-heun3";
  }
  return "";
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

// All methods without parameters, and how each family is called in a few words.
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
  all.add(Ida{});
  all.add(Bdf{1});
  all.add(2, 6, [](int order) { return Bdf{order}; });
  all.families.push_back("multistep:alpha=..,beta=..");
  all.add(1, 5, [](int stages) { return Radau{stages}; });
  all.add(1, 5, [](int stages) { return Gauss{stages}; });
  all.add(1, 5, [](int stages) { return Gauss{stages, true}; });
  all.add(2, 4, [](int stages) { return Lobatto{LobattoKind::A, stages}; });
  all.add(2, 4, [](int stages) { return Lobatto{LobattoKind::C, stages}; });
  for (const auto tableau : {Explicit::Euler, Explicit::Heun3, Explicit::Rk4, Explicit::Dopri5})
    all.add(ExplicitRungeKutta{tableau});
  all.add(1, 4, [](int order) { return HalfExplicit{static_cast<HalfExplicitTableau>(order - 1)}; });
  all.add(HalfExplicit{HalfExplicitTableau::Heun3});
  for (const auto kind :
       {SymplecticKind::Euler, SymplecticKind::StoermerVerlet, SymplecticKind::Shake, SymplecticKind::Rattle})
    all.add(Symplectic{kind});
  all.add(2, 4, [](int stages) { return Symplectic{SymplecticKind::LobattoPair, stages}; });
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

}  // namespace

std::string to_string(const Method& method) {
  return std::visit(
      Overloaded{
          [](const Ida&) -> std::string { return "ida"; },
          [](const Bdf& bdf) { return bdf.order == 1 ? "backward-euler" : fmt::format("bdf{}", bdf.order); },
          [](const Multistep& m) {
            return fmt::format("multistep:alpha={},beta={}", fmt::join(m.alpha, "/"), fmt::join(m.beta, "/"));
          },
          [](const Radau& radau) { return fmt::format("radau{}", radau.stages); },
          [](const Gauss& gauss) {
            return fmt::format("gauss{}{}", gauss.stages, gauss.projected ? "-projected" : "");
          },
          [](const Lobatto& lobatto) {
            return fmt::format("lobatto-iii{}{}", lobatto.kind == LobattoKind::A ? 'a' : 'c', lobatto.stages);
          },
          [](const ExplicitRungeKutta& rk) -> std::string { return name_of(rk.tableau); },
          [](const HalfExplicit& half) -> std::string { return name_of(half.tableau); },
          [](const Symplectic& symplectic) { return name_of(symplectic); },
          [](const Auto&) -> std::string { return "auto"; },
      },
      method);
}

std::optional<Method> parse_method(const std::string& text) {
  if (text == "bdf") return Ida{};
  if (text == "bdf1") return Bdf{1};
  Options options(text);
  std::optional<Method> method;
  if (options.name() == "multistep") method = parse_multistep(options);
  for (const auto& [name, known] : catalogue().methods)
    if (options.name() == name) method = known;
  return options.all_used() ? method : std::nullopt;
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
  if (const auto* rk = std::get_if<ExplicitRungeKutta>(&method)) return rk->tableau == Explicit::Dopri5;
  if (const auto* radau = std::get_if<Radau>(&method)) return radau->stages == 3;
  return std::holds_alternative<Ida>(method) || std::holds_alternative<Auto>(method);
}

std::optional<std::string> step_problem(const Method& method, const std::optional<double>& step) {
  if (!step && !controls_step(method))
    return fmt::format("{} has no error test and needs a step size: give one, as in --step 0.01", to_string(method));
  if (step && std::holds_alternative<Ida>(method))
    return "ida chooses its steps by the tolerance: give a tolerance instead of a step size, or a method that takes "
           "constant steps, such as bdf2 or radau3";
  return {};
}

}  // namespace driftless
