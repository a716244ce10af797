#include "driftless/language/libraries/annotation_values.hpp"

namespace driftless::language {
namespace {

std::string text_of(const std::vector<ast::Modifier>& list, std::string_view name) {
  const ast::Modification* setting = find_setting(list, name);
  return setting && setting->value ? ast::to_string(*setting->value) : std::string();
}

}  // namespace

const std::vector<ast::Modifier>& annotation_of(const ast::ClassDefinition& definition) {
  const auto* body = std::get_if<ast::LongClass>(&definition.node);
  return body ? body->annotation : definition.comment.annotation;
}

const ast::Modification* find_setting(const std::vector<ast::Modifier>& list, std::string_view name) {
  for (const ast::Modifier& modifier : list) {
    const auto* change = std::get_if<ast::ElementModification>(&modifier.node);
    if (change && change->name.parts.size() == 1 && change->name.parts.front().text == name)
      return &change->modification;
  }
  return nullptr;
}

std::optional<std::string> string_setting(const std::vector<ast::Modifier>& list, std::string_view name) {
  const ast::Modification* setting = find_setting(list, name);
  const auto* text = setting && setting->value ? setting->value->as<ast::String>() : nullptr;
  return text ? std::optional(text->value) : std::nullopt;
}

std::vector<UsedLibrary> used_libraries(const ast::ClassDefinition& definition) {
  std::vector<UsedLibrary> list;
  const ast::Modification* uses = find_setting(annotation_of(definition), "uses");
  if (!uses) return list;
  for (const ast::Modifier& modifier : uses->modifiers)
    if (const auto* library = std::get_if<ast::ElementModification>(&modifier.node))
      list.push_back({ast::to_string(library->name),
                      string_setting(library->modification.modifiers, "version").value_or(""), modifier.range});
  return list;
}

std::vector<std::string> compatible_versions(const ast::ClassDefinition& definition) {
  std::vector<std::string> list;
  const ast::Modification* conversion = find_setting(annotation_of(definition), "conversion");
  if (!conversion) return list;
  for (const ast::Modifier& modifier : conversion->modifiers) {
    const auto* entry = std::get_if<ast::ElementModification>(&modifier.node);
    if (!entry || ast::to_string(entry->name) != "noneFromVersion" || !entry->modification.value) continue;
    if (const auto* text = entry->modification.value->as<ast::String>()) list.push_back(text->value);
  }
  return list;
}

std::optional<ExperimentText> experiment_of(const ast::ClassDefinition& definition) {
  const ast::Modification* experiment = find_setting(annotation_of(definition), "experiment");
  if (!experiment) return std::nullopt;
  const std::vector<ast::Modifier>& settings = experiment->modifiers;
  return ExperimentText{text_of(settings, "StartTime"), text_of(settings, "StopTime"), text_of(settings, "Tolerance"),
                        text_of(settings, "Interval")};
}

}  // namespace driftless::language
