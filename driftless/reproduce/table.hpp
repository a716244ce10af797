// Tables of numerical experiments with three numbers in every cell: as printed in the literature, as recomputed
// independently from the discrete equations or with a code of the same family, and ours. A rule decides whether ours
// agrees; it belongs to the cell and is shown with it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace driftless::reproduce {

struct Shown {};  // shown only, without comparison
struct Within {
  double relative;  // |ours - target| <= relative |target|
};
struct Factor {
  double factor;  // |ours| between |target| / factor and |target| factor
};
struct Below {
  double bound;  // |ours| < bound
};
// The discrete solution does not exist: a very large number, or a run that stops.
struct Breaks {
  double bound;
};
using Rule = std::variant<Shown, Within, Factor, Below, Breaks>;
std::string to_string(const Rule& rule);  // "±20 %", "factor 3", "< 1e-08", ""

struct Cell {
  std::string printed{};               // as printed in the literature; empty: not printed
  std::optional<double> recomputed{};  // the target; otherwise the printed number is
  std::optional<double> ours{};        // nothing: does not apply
  Rule rule = Shown{};
  std::string note{};  // a key of Table::notes
};

enum class Verdict { Shown, Agrees, Differs };
Verdict verdict(const Cell& cell);

struct Row {
  std::vector<std::string> labels{};
  std::vector<Cell> cells{};
  std::string failure{};  // why the run stopped; empty if it did not
};

struct Table {
  std::string title{};
  std::vector<std::string> label_heads{};
  std::vector<std::string> heads{};
  std::vector<Row> rows{};
  std::vector<std::pair<std::string, std::string>> notes{};  // key, text
};

// A statement about the numbers, and whether it holds.
struct Statement {
  std::string text;
  bool holds = false;
  std::string measured{};
};

struct Score {
  int agree = 0, differ = 0, shown = 0;
  Score& operator+=(const Score& other);
};
Score score(const Table& table);

// Whole numbers exactly, others with four digits.
std::string number_text(double value);

}  // namespace driftless::reproduce
