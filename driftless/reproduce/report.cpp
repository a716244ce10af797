#include "driftless/reproduce/report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/solution/text_table.hpp"

namespace driftless::reproduce {
namespace {

std::string mark(const Cell& cell) {
  const Verdict v = verdict(cell);
  return v == Verdict::Agrees ? " ✓" : v == Verdict::Differs ? " ✗" : "";
}

std::string printed_text(const Cell& cell) {
  const std::string note = cell.note.empty() ? "" : fmt::format(" [{}]", cell.note);
  return (cell.printed.empty() ? cell.ours ? "-" : "" : cell.printed) + note;
}

std::string recomputed_text(const Cell& cell) {
  return cell.recomputed ? number_text(*cell.recomputed) : cell.ours ? "-" : "";
}

std::string ours_text(const Cell& cell) { return cell.ours ? number_text(*cell.ours) + mark(cell) : ""; }

std::string rule_of(const Table& table, std::size_t column) {
  std::vector<std::string> rules;
  for (const Row& row : table.rows) {
    if (!row.cells[column].ours) continue;
    const std::string rule = to_string(row.cells[column].rule);
    if (!rule.empty() && std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
  return rules.empty() ? "shown only" : rules.size() == 1 ? rules[0] : "by row";
}

std::string rule_text(const Table& table, std::size_t column, const Cell& cell) {
  return rule_of(table, column) == "by row" && cell.ours ? to_string(cell.rule) : "";
}

bool any_by_row(const Table& table) {
  for (std::size_t k = 0; k < table.heads.size(); ++k)
    if (rule_of(table, k) == "by row") return true;
  return false;
}

bool any_printed(const Table& table) {
  for (const Row& row : table.rows)
    for (const Cell& cell : row.cells)
      if (!cell.printed.empty() && cell.printed != "-") return true;
  return false;
}

bool any_recomputed(const Table& table) {
  for (const Row& row : table.rows)
    for (const Cell& cell : row.cells)
      if (cell.recomputed) return true;
  return false;
}

constexpr Gaps gaps{.before = "  ", .between = "   "};

// Cells end with a blank or a mark, so that the digits are aligned.
std::string room(const std::string& text) { return text.ends_with("✓") || text.ends_with("✗") ? text : text + "  "; }

// Three lines for every row: printed, recomputed, ours; without lines that are empty in all rows.
std::string table_text(const Table& table) {
  const std::size_t labels = table.label_heads.size();
  std::vector<driftless::Line> lines;
  driftless::Line head = table.label_heads, rules(labels);
  head.emplace_back();
  rules.emplace_back("agrees if");
  for (std::size_t k = 0; k < table.heads.size(); ++k) {
    head.push_back(room(table.heads[k]));
    rules.push_back(room(rule_of(table, k)));
  }
  lines.push_back(head);
  lines.push_back(rules);
  for (const Row& row : table.rows) {
    driftless::Line printed(labels), recomputed(labels), ours(labels), rule(labels);
    printed.emplace_back("printed");
    recomputed.emplace_back("recomputed");
    ours.emplace_back("ours");
    rule.emplace_back("agrees if");
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      printed.push_back(room(printed_text(row.cells[k])));
      recomputed.push_back(room(recomputed_text(row.cells[k])));
      ours.push_back(room(ours_text(row.cells[k])));
      rule.push_back(room(rule_text(table, k, row.cells[k])));
    }
    std::vector<driftless::Line> shown;
    if (any_printed(table)) shown.push_back(printed);
    if (any_recomputed(table)) shown.push_back(recomputed);
    shown.push_back(ours);
    std::ranges::copy(row.labels, shown[0].begin());
    lines.insert(lines.end(), shown.begin(), shown.end());
    if (any_by_row(table)) lines.push_back(rule);
  }
  std::string text = table.title + "\n" + aligned(lines, labels + 1, gaps);
  for (const Row& row : table.rows)
    if (!row.failure.empty()) text += fmt::format("  {}: {}\n", fmt::join(row.labels, ", "), row.failure);
  for (const auto& [key, note] : table.notes) text += fmt::format("  [{}] {}\n", key, note);
  return text;
}

std::string table_markdown(const Table& table) {
  std::string text = fmt::format("**{}**\n\n|", table.title);
  for (const std::string& head : table.label_heads) text += fmt::format(" {} |", head);
  for (std::size_t k = 0; k < table.heads.size(); ++k)
    text += fmt::format(" {} ({}) |", table.heads[k], rule_of(table, k));
  text += "\n|";
  for (std::size_t k = 0; k < table.label_heads.size() + table.heads.size(); ++k) text += "---|";
  text += "\n";
  for (const Row& row : table.rows) {
    text += "|";
    for (const std::string& label : row.labels) text += fmt::format(" {} |", label);
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      const Cell& cell = row.cells[k];
      if (!cell.ours) {
        text += " |";
        continue;
      }
      const std::string rule = rule_text(table, k, cell);
      text += fmt::format(" {} / {} / {}{} |", printed_text(cell), recomputed_text(cell), ours_text(cell),
                          rule.empty() ? "" : fmt::format(" ({})", rule));
    }
    text += "\n";
  }
  for (const Row& row : table.rows)
    if (!row.failure.empty()) text += fmt::format("\n{}: {}\n", fmt::join(row.labels, ", "), row.failure);
  for (const auto& [key, note] : table.notes) text += fmt::format("\n[{}] {}\n", key, note);
  return text;
}

std::string verdict_text(const Score& score) {
  std::string text = fmt::format("{} agree", score.agree);
  if (score.differ > 0) text += fmt::format(", {} DIFFER", score.differ);
  if (score.shown > 0) text += fmt::format(", {} shown", score.shown);
  return text;
}

std::string statement_text(const Statement& statement) {
  return fmt::format("{} {}{}", statement.holds ? "✓" : "✗", statement.text,
                     statement.measured.empty() ? "" : fmt::format(" ({})", statement.measured));
}

}  // namespace

std::string text_of(const Finished& finished) {
  const Report& report = finished.report;
  std::string text = fmt::format("{}   {}\n", finished.experiment->name, finished.experiment->title);
  for (const Table& table : report.tables) text += fmt::format("\n{}", table_text(table));
  if (!report.statements.empty()) text += "\n";
  for (const Statement& statement : report.statements) text += fmt::format("  {}\n", statement_text(statement));
  return text + fmt::format("\n  {}; {:.1f} s\n", verdict_text(report.score()), finished.seconds);
}

std::string summary_of(const std::vector<Finished>& all) {
  std::vector<driftless::Line> lines;
  Score sum;
  double seconds = 0.0;
  for (const Finished& one : all) {
    const Score score = one.report.score();
    lines.push_back({one.experiment->name, score.differ == 0 ? "✓" : "✗", verdict_text(score), one.experiment->title});
    sum += score;
    seconds += one.seconds;
  }
  return aligned(lines, 4, gaps) +
         fmt::format("\n{} experiments: {}; {:.1f} s\n", all.size(), verdict_text(sum), seconds);
}

std::string markdown_of(const std::vector<Finished>& all, const std::string& pictures) {
  std::string text;
  for (const Finished& one : all) {
    text += fmt::format("\n### {}: {}\n", one.experiment->name, one.experiment->title);
    if (!one.report.text.empty()) text += "\n" + one.report.text + "\n";
    for (const Table& table : one.report.tables) text += fmt::format("\n{}", table_markdown(table));
    if (!one.report.statements.empty()) text += "\n";
    for (const Statement& statement : one.report.statements) text += fmt::format("- {}\n", statement_text(statement));
    for (const Figure& figure : one.report.figures)
      if (!pictures.empty()) text += fmt::format("\n![{}]({}/{}.svg)\n", figure.title, pictures, figure.name);
    if (!one.report.commands.empty()) text += "\nOne of the runs by itself:\n\n";
    for (const std::string& command : one.report.commands) text += "    " + command + "\n";
  }
  return text;
}

}  // namespace driftless::reproduce
