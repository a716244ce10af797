// annotation(__Driftless(...)): what Modelica has no words for. An annotation under a vendor's own name is legal
// Modelica, which other tools skip.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

constexpr std::string_view vendor = "__Driftless";

struct Setting {
  std::string_view name;
  void (*read)(const Environment& at, const ast::ElementModification& setting, SourceRange range);
};
constexpr std::array settings{Setting{"invariants", read_invariants}, Setting{"finalEquations", read_final_equations},
                              Setting{"guess", read_guesses}};

void read_setting(const Environment& at, const ast::ElementModification& part, SourceRange range) {
  const std::string name = to_string(part.name);
  const auto* known = std::ranges::find(settings, name, &Setting::name);
  if (known != settings.end()) return known->read(at, part, range);
  std::vector<std::string_view> names;
  for (const Setting& setting : settings) names.push_back(setting.name);
  at.error(range, fmt::format("{} has no setting '{}'{}", vendor, name, did_you_mean(name, names)));
}

}  // namespace

void elaborate_own_annotation(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  const Environment at{all, model, locals, Purpose::Equation};
  for_each_item(annotation, [&](const ast::ElementModification& own, SourceRange) {
    if (to_string(own.name) != vendor) return;
    for_each_item(own.modification.modifiers,
                  [&](const ast::ElementModification& part, SourceRange range) { read_setting(at, part, range); });
  });
}

}  // namespace driftless::language
