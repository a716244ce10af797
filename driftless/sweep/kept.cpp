#include <algorithm>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {
namespace {

constexpr std::size_t most_unnamed = 100;  // variables that are kept although nobody named them

[[noreturn]] void refuse_kept(const Model& model, std::string message, Code code = Code::UnknownName) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, std::move(message));
  throw ModelError(diagnostics, *model.sources);
}

std::vector<std::string> names_of_results(const Model& model) {
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (!variable.auxiliary) names.push_back(variable.name);
  for (const InvariantOfModel& invariant : model.invariants) names.push_back(invariant.name);
  return names;
}

bool wraps(const std::string& text, const char* function) {
  return text.starts_with(function) && text.ends_with(')') && text[std::char_traits<char>::length(function)] == '(';
}

std::string within(const std::string& text) {
  const std::size_t open = text.find('(');
  return text.substr(open + 1, text.size() - open - 2);
}

}  // namespace

std::vector<Kept> kept(const Model& model, const std::vector<std::string>& texts) {
  const std::vector<std::string> names = names_of_results(model);
  std::vector<Kept> list;
  if (texts.empty()) {
    if (names.size() > most_unnamed)
      refuse_kept(model, fmt::format("{} has {} variables: name those to be kept", model.name, names.size()),
                  Code::WrongOptionValue);
    for (const std::string& name : names) list.push_back({.text = name, .name = name});
    return list;
  }
  for (const std::string& text : texts) {
    Kept one;
    one.text = one.name = text;
    if (wraps(text, "max"))
      one.what = Kept::What::Largest, one.name = within(text);
    else if (wraps(text, "min"))
      one.what = Kept::What::Smallest, one.name = within(text);
    std::string variable = one.name;
    while (wraps(variable, "der")) variable = within(variable);
    if (std::ranges::find(names, variable) == names.end()) {
      const std::vector<std::string_view> known(names.begin(), names.end());
      refuse_kept(model, fmt::format("{} has no variable '{}' that could be kept{}", model.name, variable,
                                     did_you_mean(variable, known)));
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace driftless::sweep
