#include "driftless/language/vendor_annotation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

constexpr std::string_view vendor = "__Driftless";
const std::vector<std::string_view> known = {"invariants",  "lagrangian",     "coordinates", "constraints", "forces",
                                             "multipliers", "finalEquations", "guess",       "animation"};

}  // namespace

std::vector<VendorSetting> vendor_settings(const std::vector<ast::Modifier>& annotation) {
  std::vector<VendorSetting> settings;
  for (const ast::Modifier& entry : annotation) {
    const auto* own = std::get_if<ast::ElementModification>(&entry.node);
    if (!own || to_string(own->name) != vendor) continue;
    for (const ast::Modifier& part : own->modification.modifiers)
      if (const auto* item = std::get_if<ast::ElementModification>(&part.node))
        settings.push_back({to_string(item->name), &item->modification, part.range});
  }
  return settings;
}

void check_vendor_settings(Elaboration& all, const std::vector<ast::Modifier>& annotation) {
  for (const VendorSetting& setting : vendor_settings(annotation))
    if (std::ranges::find(known, setting.name) == known.end())
      all.error(Code::UnknownAttribute, setting.range,
                fmt::format("{} has no setting '{}'{}", vendor, setting.name, did_you_mean(setting.name, known)));
}

}  // namespace driftless::language
