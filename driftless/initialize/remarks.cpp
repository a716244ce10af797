// Remarks about the starts: which were used, and which moved.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/initialize/explain.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_items = 8;

std::string number(double v) { return fmt::format("{:.6g}", v); }

// Consecutive elements of an array with the same text are one item: "x[1:1900] = 1".
struct Item {
  std::string before, after;  // of the last subscript in the name: "der(x[", "])"
  int first = 0, last = 0;
  bool is_element = false;
  std::string rest;

  std::string text() const {
    if (!is_element) return before + rest;
    const std::string range = first == last ? std::to_string(first) : fmt::format("{}:{}", first, last);
    return before + range + after + rest;
  }
};

Item item_of(const std::string& name, std::string rest) {
  Item item;
  item.before = name;
  item.rest = std::move(rest);
  const std::size_t close = name.rfind(']');
  if (close == std::string::npos) return item;
  std::size_t open = close;
  while (open > 0 && std::isdigit(static_cast<unsigned char>(name[open - 1]))) --open;
  if (open == close || close - open > 9) return item;
  item.before = name.substr(0, open);
  item.after = name.substr(close);
  item.first = item.last = std::stoi(name.substr(open, close - open));
  item.is_element = true;
  return item;
}

class Items {
 public:
  void add(const std::string& name, std::string rest) {
    Item next = item_of(name, std::move(rest));
    for (auto item = items_.rbegin(); item != items_.rend() && item - items_.rbegin() < 4; ++item)
      if (item->is_element && next.is_element && item->last + 1 == next.first && item->before == next.before &&
          item->after == next.after && item->rest == next.rest) {
        item->last = next.last;
        return;
      }
    items_.push_back(std::move(next));
  }

  bool empty() const { return items_.empty(); }

  std::string text(const char* separator) const {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < items_.size() && k < most_items; ++k) texts.push_back(items_[k].text());
    if (items_.size() > most_items) texts.push_back(fmt::format("... and {} more", items_.size() - most_items));
    return fmt::format("{}", fmt::join(texts, separator));
  }

 private:
  std::vector<Item> items_;
};

// Unknowns that conditions alone determine, without held unknowns: their starts are guesses, so it is not reported that
// they moved.
std::vector<bool> set_by_conditions(const InitialProblem& problem, const FoundStart& found) {
  std::vector<bool> by_condition(problem.unknowns.size(), false), by_start(problem.unknowns.size(), false);
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
    by_start[k] = found.plan->row_of[k] < 0 && problem.unknowns[k].is_candidate();
  for (const StartPlan::Block& block : found.plan->blocks) {
    bool condition = false, start = false;
    for (const int row : block.rows) {
      condition |= problem.rows[row].kind != InitialRow::Kind::Equation;
      for (const auto& [col, derivative] : problem.gradients[row]) {
        condition |= by_condition[col];
        start |= by_start[col];
      }
    }
    for (const int col : block.cols) {
      by_condition[col] = condition;
      by_start[col] = start;
    }
  }
  for (std::size_t k = 0; k < by_start.size(); ++k) by_condition[k] = by_condition[k] && !by_start[k];
  return by_condition;
}

}  // namespace

std::vector<std::string> remarks_on(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found,
                                    int degrees_of_freedom) {
  std::vector<std::string> remarks;
  const int missing = degrees_of_freedom - problem.conditions;
  if (missing > 0) {
    Items taken, without;
    for (std::size_t k = 0; k < problem.unknowns.size(); ++k) {
      const InitialUnknown& unknown = problem.unknowns[k];
      if (unknown.grade >= start_grade::parameter && found.is_held(static_cast<int>(k)))
        taken.add(name_of(reduced, unknown), fmt::format(" = {}", number(found.values[k])));
      if (unknown.is_candidate() && !unknown.given && unknown.quantity.order == 0 && found.is_held(static_cast<int>(k)))
        without.add(name_of(reduced, unknown), "");
    }
    if (!taken.empty())
      remarks.push_back(fmt::format("{} of {} initial conditions {} given; taken from start values: {}",
                                    problem.conditions, degrees_of_freedom, problem.conditions == 1 ? "is" : "are",
                                    taken.text(", ")));
    if (!taken.empty() && !without.empty())
      remarks.back() += fmt::format(" (no start is given for {})", without.text(", "));
  } else if (missing < 0) {
    remarks.push_back(fmt::format("{} initial conditions for {} degree{} of freedom: they happen to agree",
                                  problem.conditions, degrees_of_freedom, degrees_of_freedom == 1 ? "" : "s"));
  }
  Items moved;
  const std::vector<bool> silent = missing > 0 ? set_by_conditions(problem, found)
                                               : std::vector<bool>(problem.unknowns.size(), problem.conditions > 0);
  for (const int k : moved_starts(problem, found.values)) {
    if (silent[k]) continue;
    const InitialUnknown& unknown = problem.unknowns[k];
    int row = found.plan->row_of[k];
    for (std::size_t i = 0; i < problem.rows.size() && row < 0; ++i)  // released: any row that it occurs in
      if (std::ranges::find(problem.gradients[i], k, [](const auto& entry) { return entry.first; }) !=
          problem.gradients[i].end())
        row = static_cast<int>(i);
    std::string why;
    if (row >= 0) why = fmt::format(" by {}", describe(reduced, problem.rows[row]));
    moved.add(name_of(reduced, unknown),
              fmt::format(" = {} was moved to {} (by {}){}", number(unknown.guess), number(found.values[k]),
                          number(found.values[k] - unknown.guess), why));
  }
  if (!moved.empty()) remarks.push_back(fmt::format("starts that the equations do not allow: {}", moved.text("; ")));
  return remarks;
}

}  // namespace driftless
