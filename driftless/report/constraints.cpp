// Constraints and their derivatives, typeset.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/report/mathml.hpp"
#include "driftless/report/sections.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_constraints = 24;  // equations, with all their levels
constexpr std::size_t most_bytes = 400'000;

std::string level_word(int level) {
  constexpr const char* words[] = {"as written", "differentiated once", "differentiated twice"};
  return level < 3 ? words[level] : fmt::format("differentiated {} times", level);
}

std::string formula(const Model& model, const Constraint& constraint) {
  const Names names = names_of(model);
  if (const auto math = mathml_equation(*model.pool, constraint.residual, names))
    return fmt::format("<div class=\"formula\"><math display=\"block\">{}</math></div>", *math);
  return fmt::format("<div class=\"formula long\"><code>{} = 0</code></div>",
                     xml_escaped(shortened(to_string(*model.pool, constraint.residual, names), 600)));
}

std::string heading(const Subject& subject, const Model& model, const Equation& equation) {
  const int line =
      equation.range.known() && equation.range.file == subject.main ? model.sources->line_of(equation.range) : 0;
  const std::string label = xml_escaped(equation.label);
  return line > 0 ? fmt::format("<a href=\"#L{}\">{}</a>", line, label) : label;
}

// Is it the generated equation of an input? It is not a constraint of the model, and its names are internal.
bool is_given(const Equation& equation) {
  return equation.label.starts_with("input ") && equation.text == equation.label;
}

}  // namespace

std::string constraints_section(const Subject& subject) {
  if (!subject.analysis) return {};
  const Reduced& reduced = *subject.analysis->reduced;
  const Model& model = *reduced.model;
  std::vector<EqnId> equations;
  for (const Constraint& constraint : reduced.constraints)
    if (!is_given(model[constraint.equation]) && (equations.empty() || equations.back() != constraint.equation))
      equations.push_back(constraint.equation);
  std::ranges::sort(equations);
  equations.erase(std::ranges::unique(equations).begin(), equations.end());
  if (equations.empty()) return {};

  const auto hidden = std::ranges::count_if(
      reduced.constraints, [&](const Constraint& c) { return c.level > 0 && !is_given(model[c.equation]); });
  std::string html = fmt::format(
      "<section id=\"constraints\"><h2>Constraints</h2><p>{} equation{} without the highest derivatives; {} hidden "
      "constraint{} follow{} by differentiation.</p>",
      equations.size(), equations.size() == 1 ? "" : "s", hidden, hidden == 1 ? "" : "s", hidden == 1 ? "s" : "");
  std::size_t shown = 0;
  for (const EqnId equation : equations) {
    if (shown == most_constraints || html.size() > most_bytes) break;
    html += fmt::format("<div class=\"constraint\"><h3>{}</h3>", heading(subject, model, model[equation]));
    for (const Constraint& constraint : reduced.constraints)
      if (constraint.equation == equation)
        html += fmt::format("<p class=\"level\">{}</p>", level_word(constraint.level)) + formula(model, constraint);
    html += "</div>";
    ++shown;
  }
  if (shown < equations.size())
    html += fmt::format("<p>and {} more; <code>driftless analyze</code> lists all.</p>", equations.size() - shown);
  return html + "</section>";
}

}  // namespace driftless::reporting
