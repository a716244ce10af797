#include "driftless/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driftless/report/html.hpp"
#include "driftless/report/listing.hpp"
#include "driftless/solution/event_text.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_rows_of_table = 200;
constexpr std::size_t most_text = 400'000;  // bytes of all texts that are shown

// The texts of equations and variables, with the number from each. The model's own text has the smallest number: it was
// read first.
std::map<FileId, std::size_t> files_of(const Model& model) {
  std::map<FileId, std::size_t> files;
  for (const Equation& equation : model.equations)
    if (equation.range.known()) ++files[equation.range.file];
  for (const Variable& variable : model.variables)
    if (variable.range.known()) ++files[variable.range.file];
  for (const Parameter& parameter : model.parameters)
    if (parameter.range.known()) ++files[parameter.range.file];
  return files;
}

std::string text_of(const Subject& subject, FileId file, std::string_view prefix) {
  return listing(subject.model->sources->text(file), prefix);
}

std::string parameter_table(const Solution& solution) {
  std::string rows;
  std::size_t shown = 0;
  for (const Column& column : solution.columns) {
    if (!column.is_parameter || ++shown > most_rows_of_table) continue;
    rows += table_row({xml_escaped(column.name), fmt::format("{:.6g}", column.parameter_value),
                       xml_escaped(column.unit), xml_escaped(column.description)});
  }
  if (rows.empty()) return {};
  if (shown > most_rows_of_table)
    rows += fmt::format("<tr><td colspan=\"4\">and {} more</td></tr>", shown - most_rows_of_table);
  return fmt::format("<details><summary>{} parameter{}</summary>{}</details>", shown, shown == 1 ? "" : "s",
                     table({"parameter", "value", "unit", "meaning"}, rows));
}

// The equations of a model without a text, built through the API.
std::string equation_list(const Model& model) {
  std::string rows;
  for (std::size_t k = 0; k < std::min(model.equations.size(), most_rows_of_table); ++k)
    rows +=
        table_row({xml_escaped(model.equations[k].label), "<code>" + xml_escaped(model.equations[k].text) + "</code>"});
  if (model.equations.size() > most_rows_of_table)
    rows += fmt::format("<tr><td colspan=\"2\">and {} more</td></tr>", model.equations.size() - most_rows_of_table);
  return table({"name", "equation"}, rows);
}

std::string level_name(int level) {
  if (level == 0) return "as written";
  return fmt::format("derivative {}", level);
}

}  // namespace

Subject subject_of(std::shared_ptr<const Model> model) {
  Subject subject{.model = std::move(model), .analysis = {}, .no_analysis = {}};
  try {
    subject.analysis = analyze(subject.model);
  } catch (const ModelError& error) {
    subject.no_analysis = error.diagnostics().all().empty() ? "" : error.diagnostics().all().front().message;
  }
  if (const auto files = files_of(*subject.model); !files.empty()) {
    subject.main = files.begin()->first;
    const std::string& text = subject.model->sources->text(subject.main);
    subject.lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  }
  return subject;
}

std::string linked(const Subject& subject, std::string_view sentence) {
  return with_links(sentence, "L", subject.lines);
}

std::string failure_section(const Subject& subject, const Solution& solution) {
  if (solution.outcome == Outcome::Success) return {};
  const std::string message = solution.message.empty() ? to_string(solution.outcome) : solution.message;
  std::string html = fmt::format(
      "<section class=\"failure {}\"><h2>{}</h2><p>{}{}</p>", solution.outcome == Outcome::NotKept ? "warn" : "bad",
      solution.outcome == Outcome::NotKept ? "Constraints were not kept" : "The run failed",
      solution.code ? "<b>" + to_string(*solution.code) + "</b> " : "", linked(subject, message));
  for (const std::string& detail : solution.details) html += "<p>" + linked(subject, detail) + "</p>";
  if (!reached_end(solution.outcome))
    html += solution.points == 0
                ? "<p>No point was computed.</p>"
                : fmt::format("<p>What was computed up to t&nbsp;=&nbsp;{:.6g} of {:.6g} is shown below.</p>",
                              solution.reached, solution.stop);
  return html + "</section>";
}

std::string notes_section(const Subject& subject, const Solution& solution) {
  std::string items;
  for (const std::string& remark : solution.remarks) items += "<li>" + linked(subject, remark) + "</li>";
  if (!subject.no_analysis.empty())
    items += "<li>the structure is not shown: " + linked(subject, subject.no_analysis) + "</li>";
  return items.empty() ? "" : "<ul class=\"notes\">" + items + "</ul>";
}

std::string states_list(const PossibleStates& states) {
  const std::size_t most = 24;
  const auto names = [most](const std::vector<std::string>& list) {
    std::string text;
    for (std::size_t k = 0; k < std::min(list.size(), most); ++k) text += (k == 0 ? "" : ", ") + xml_escaped(list[k]);
    return list.size() > most ? text + fmt::format(" and {} more", list.size() - most) : text;
  };
  std::string items;
  if (!states.always.empty()) items += "<li>at all times: " + names(states.always) + "</li>";
  for (std::size_t k = 0; k < std::min(states.choices.size(), most); ++k)
    items += fmt::format("<li>{} of: {}</li>", states.choices[k].number, names(states.choices[k].candidates));
  if (states.choices.size() > most) items += fmt::format("<li>and {} more choices</li>", states.choices.size() - most);
  return items.empty() ? "" : "<p>Quantities that can be states:</p><ul class=\"notes\">" + items + "</ul>";
}

std::string certificate_table(const Subject& subject, const Solution& solution) {
  if (solution.certificate.empty()) return {};
  std::string rows;
  for (std::size_t k = 0; k < std::min(solution.certificate.size(), most_rows_of_table); ++k) {
    const CertificateEntry& e = solution.certificate[k];
    rows += table_row({linked(subject, e.constraint), "<code>" + xml_escaped(e.text) + "</code>", level_name(e.level),
                       fmt::format("{:.1e}", e.max_residual), fmt::format("{:.1e}", e.max_relative),
                       fmt::format("{:.5g}", e.at_time), e.kept(solution.bound) ? "kept" : "<b>not kept</b>"});
  }
  if (solution.certificate.size() > most_rows_of_table)
    rows +=
        fmt::format("<tr><td colspan=\"7\">and {} more</td></tr>", solution.certificate.size() - most_rows_of_table);
  return fmt::format("<details><summary>{} entries as a table</summary>{}</details>", solution.certificate.size(),
                     table({"constraint", "equation", "level", "residual", "relative", "at t", "verdict"}, rows));
}

std::string events_table(const Solution& solution) {
  if (solution.events.empty()) return {};
  const EventText text(solution.columns);
  std::string rows;
  for (std::size_t k = 0; k < std::min(solution.events.size(), most_rows_of_table); ++k) {
    const Event& event = solution.events[k];
    rows += table_row({fmt::format("{:.7g}", event.time), xml_escaped(joined(event.causes, ", ")),
                       xml_escaped(joined(text.what_happened(event), "; "))});
  }
  const auto all = static_cast<std::size_t>(std::max<long>(solution.statistics.events, 0));
  if (all > most_rows_of_table)
    rows += fmt::format("<tr><td colspan=\"3\">and {} more</td></tr>", all - most_rows_of_table);
  return fmt::format("<details><summary>{} event{}</summary>{}</details>", all, all == 1 ? "" : "s",
                     table({"t", "cause", "what changed"}, rows));
}

std::string model_section(const Subject& subject, const Solution& solution) {
  std::string html = "<section id=\"model\"><h2>Model</h2>";
  const auto files = files_of(*subject.model);
  std::size_t bytes = 0;
  for (const auto& [file, uses] : files) {
    const std::string& text = subject.model->sources->text(file);
    bytes += text.size();
    const std::string name = xml_escaped(subject.model->sources->name(file));
    if (file == subject.main)
      html += fmt::format("<p class=\"file\">{}</p>", name) + text_of(subject, file, "L");
    else if (bytes <= most_text)
      html += fmt::format("<details><summary>{}</summary>{}</details>", name,
                          text_of(subject, file, fmt::format("F{}L", static_cast<int>(file))));
    else
      html += fmt::format("<p class=\"file\">{}: not shown, the report would become too large</p>", name);
  }
  if (files.empty()) html += equation_list(*subject.model);
  return html + parameter_table(solution) + "</section>";
}

}  // namespace driftless::reporting
