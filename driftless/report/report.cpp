#include "driftless/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "driftless/reduce/signature.hpp"
#include "driftless/report/animation.hpp"
#include "driftless/report/encoding.hpp"
#include "driftless/report/kept_rows.hpp"
#include "driftless/report/page_files.hpp"
#include "driftless/report/run_data.hpp"
#include "driftless/report/sections.hpp"
#include "driftless/report/structure_data.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless {
namespace reporting {
namespace {

constexpr std::size_t most_values = 900'000;           // of all series
constexpr std::size_t most_animated_values = 500'000;  // of all coordinates
constexpr std::size_t most_shown = 6, fewest_shown = 3;

// Escapes <, which occurs in JSON in strings only, so that no text can end the element that contains the data.
std::string inert(const Json& data) {
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace), result;
  result.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  return result;
}

// Only our own script may run: a browser compares its hash.
std::string policy() {
  std::vector<std::uint8_t> hash;
  const std::string_view hex = script_sha256();
  for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
    hash.push_back(static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(k, 2)), nullptr, 16)));
  return fmt::format("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{}'",
                     base64(hash));
}

// Columns named by the user.
std::vector<std::string> wanted_columns(const Solution& solution, const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  if (names.empty()) return wanted;
  const auto curves = curves_of(solution.columns, names);
  if (const auto* list = std::get_if<std::vector<CurveNames>>(&curves))
    for (const CurveNames& curve : *list)
      for (const std::string& name : {curve.x, curve.y})
        if (name != "time" && std::ranges::find(wanted, name) == wanted.end()) wanted.push_back(name);
  return wanted;
}

// By default columns that vary: for a large model its states first, then variables in the order of the model.
std::vector<std::string> moving_columns(const KeptRows& rows, const std::optional<PossibleStates>& states) {
  std::vector<std::string> names;
  const auto add = [&](const Column& column, std::size_t k) {
    const std::vector<double> values = rows.values_of(k);
    const auto [low, high] = std::ranges::minmax(values);
    const bool moves = high - low > 1e-9 * std::max(std::abs(low), std::abs(high));
    if (moves && names.size() < most_shown && std::ranges::find(names, column.name) == names.end())
      names.push_back(column.name);
  };
  std::set<std::string> preferred;
  const std::size_t variables = static_cast<std::size_t>(
      std::ranges::count_if(rows.columns(), [](const Column& column) { return !column.is_derivative; }));
  if (states && variables > 2 * most_shown) {
    preferred.insert(states->always.begin(), states->always.end());
    for (const PossibleStates::Choice& choice : states->choices)
      preferred.insert(choice.candidates.begin(), choice.candidates.end());
  }
  for (const bool only_preferred : {true, false})
    for (std::size_t k = 0; k < rows.columns().size() && names.size() < most_shown; ++k) {
      const Column& column = rows.columns()[k];
      if (column.is_derivative || preferred.contains(column.name) != only_preferred) continue;
      if (only_preferred || names.size() < fewest_shown || preferred.empty()) add(column, k);
    }
  return names;
}

// How often each variable is differentiated once all hidden constraints are found.
std::vector<int> orders_of(const Model& model) {
  const structure::Signature signature = signature_of(model);
  const auto result = structure::analyze(signature);
  const auto* shape = std::get_if<structure::Structure>(&result);
  return shape ? shape->offsets.d : structure::highest_orders(signature);
}

std::string page(const Solution& solution, const std::string& body, const Json& data) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"Driftless\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{} – Driftless</title>\n<style>{}</style>\n</head>\n<body>\n{}\n"
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      policy(), xml_escaped(solution.model), style_text(), body, inert(data), script_text());
}

// Inserts links to the sections after the header.
std::string with_contents(const std::string& body) {
  std::string links;
  for (const auto& [id, title] :
       {std::pair("animation", "Motion"), std::pair("plots", "Trajectory"), std::pair("certificate", "Certificate"),
        std::pair("states", "States"), std::pair("constraints", "Constraints"), std::pair("structure", "Structure"),
        std::pair("model", "Model")})
    if (body.find(fmt::format("<section id=\"{}\">", id)) != body.npos)
      links += fmt::format("<a href=\"#{}\">{}</a>", id, title);
  const std::size_t end = body.find("</header>") + std::string_view("</header>").size();
  return body.substr(0, end) + "<nav>" + links + "</nav>" + body.substr(end);
}

// A section that the script fills.
std::string drawn_section(std::string_view id, std::string_view title, std::string_view more = {}) {
  return fmt::format("<section id=\"{}\"><h2>{}</h2><div class=\"drawn\"></div>{}</section>", id, title, more);
}

}  // namespace
}  // namespace reporting

using namespace reporting;

struct Report::Parts {
  std::shared_ptr<const Model> model;
  ReportOptions options;
  std::vector<std::string> shown;
  Animation animation;
  std::optional<KeptRows> rows = {};
  const Solution* head = nullptr;

  void add(double time, std::span<const double> series) {
    rows->row(time, series);
    animation.row(time, series);
  }
};

Report::Report(std::shared_ptr<const Model> model, ReportOptions options) {
  Animation animation(*model, mechanism_of(*model, orders_of(*model), options.animation));
  parts_.reset(new Parts{std::move(model), std::move(options), {}, std::move(animation)});
}

Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;
Report::~Report() = default;

void Report::begin(const Solution& head) {
  parts_->head = &head;
  parts_->shown = wanted_columns(head, parts_->options.shown);
  parts_->rows.emplace(head, parts_->shown);
  parts_->animation.begin(head);
}

void Report::row(double time, std::span<const double> series) {
  if (!parts_->rows) return;
  const Solution& head = *parts_->head;
  if (head.drift_levels > 0 && head.constraint_drift.size() >= head.drift_levels)
    parts_->rows->drift(std::span(head.constraint_drift).last(head.drift_levels));
  parts_->add(time, series);
}

std::string Report::html(const Solution& solution) {
  Parts& p = *parts_;
  const Subject subject = subject_of(p.model);
  Json data = {{"model", solution.model},
               {"start", solution.start},
               {"stop", solution.stop},
               {"reached", solution.reached},
               {"failed", !reached_end(solution.outcome)}};
  std::string body = header_section(subject, solution) + failure_section(subject, solution);
  std::optional<PossibleStates> possible;
  if (subject.analysis) possible = possible_states(*subject.analysis->reduced);
  const bool has_points = p.rows && !p.rows->times().empty();
  if (has_points) {
    p.animation.shrink(most_animated_values);
    p.rows->shrink(most_values);
    if (p.shown.empty()) p.shown = moving_columns(*p.rows, possible);
    data["series"] = series_data(*p.rows, p.shown);
    data["happened"] = events_data(solution);
    if (Json animation = animation_data(p.animation); !animation.is_null()) {
      data["animation"] = std::move(animation);
      body += drawn_section("animation", "Motion");
    } else if (!p.animation.obstacle().empty()) {
      body += "<section><h2>Motion</h2><p>" + xml_escaped(p.animation.obstacle()) + "</p></section>";
    }
    body += drawn_section("plots", "Trajectory", events_table(solution));
  }
  if (!solution.certificate.empty()) {
    data["certificate"] = certificate_data(solution);
    body += drawn_section("certificate", "Certificate", certificate_table(subject, solution));
  }
  // Modes of a model with events have choices of their own.
  const bool has_modes = solution.statistics.modes > 1;
  const std::string list = possible && !has_modes ? states_list(*possible) : "";
  if (Json states = states_data(solution, has_modes ? std::nullopt : possible); !states.is_null()) {
    data["states"] = std::move(states);
    body += drawn_section("states", "States", list);
  } else if (!list.empty()) {
    body += "<section id=\"states\"><h2>States</h2>" + list + "</section>";
  }
  body += constraints_section(subject);
  if (subject.analysis)
    if (Json structure = structure_data(*subject.analysis); !structure.is_null()) {
      data["structure"] = std::move(structure);
      body += drawn_section("structure", "Structure");
    }
  body += model_section(subject, solution);
  return page(solution, "<main>" + with_contents(body) + "</main>", data);
}

std::string html_report(std::shared_ptr<const Model> model, const Solution& solution, ReportOptions options) {
  Report report(std::move(model), std::move(options));
  if (!solution.columns.empty()) report.begin(solution);
  for (std::size_t row = 0; row < solution.times.size(); ++row) {
    const auto part = [row](const std::vector<double>& all, std::size_t width) {
      return std::span(all).subspan(row * width, width);
    };
    report.parts_->rows->drift(part(solution.constraint_drift, solution.drift_levels));
    report.parts_->add(solution.times[row], part(solution.values, solution.series()));
  }
  return report.html(solution);
}

}  // namespace driftless
