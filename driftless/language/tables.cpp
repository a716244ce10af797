#include "driftless/language/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/language/piece_choice.hpp"

namespace driftless::language {

std::vector<double> Table::column(std::size_t k) const {
  std::vector<double> result(rows);
  for (std::size_t i = 0; i < rows; ++i) result[i] = at(i, k);
  return result;
}

namespace {

bool ascends(std::span<const double> x, bool strictly) {
  for (std::size_t k = 1; k < x.size(); ++k)
    if (strictly ? !(x[k - 1] < x[k]) : !(x[k - 1] <= x[k])) return false;
  return true;
}

bool is_spline(Smoothness s) { return s != Smoothness::Linear && s != Smoothness::Constant; }

std::string mistake_of_two_dimensions(const Table& table) {
  if (table.rows < 2 || table.columns < 2) return "a table of two dimensions needs at least 2 rows and 2 columns";
  const std::vector<double> x = table.column(0);
  const std::span<const double> first_row(table.values.data(), table.columns);
  if (!ascends(std::span(x).subspan(1), true)) return "the first column of the table is not strictly ascending";
  if (!ascends(first_row.subspan(1), true)) return "the first row of the table is not strictly ascending";
  return {};
}

NodeId number(Pool& pool, double value) { return pool.constant(value); }

NodeId polynomial(Pool& pool, const Polynomial& p, NodeId u) {
  const int degree = p.degree();
  const NodeId s = pool.sub(u, number(pool, p.origin));
  NodeId value = number(pool, p.c[static_cast<std::size_t>(degree)]);
  for (int k = degree; k-- > 0;) value = pool.add(number(pool, p.c[static_cast<std::size_t>(k)]), pool.mul(s, value));
  return value;
}

// u - k T in [x_1, x_1 + T) with an integer k.
NodeId reduced(Pool& pool, NodeId u, double first, double period) {
  const NodeId turns = pool.unary(Op::Floor, pool.div(pool.sub(u, number(pool, first)), number(pool, period)));
  return pool.sub(u, pool.mul(turns, number(pool, period)));
}

// Promises that the pieces agree up to this derivative.
void promise(Elaboration& all, Smoothness smoothness, NodeId value) {
  if (smoothness != Smoothness::Constant && !all.pool.is_constant(value))
    all.model.smooth.push_back({value, is_spline(smoothness) ? 1 : 0});
}

// Adds an assertion, as the table has no values outside.
void require_inside(Elaboration& all, NodeId u, double first, double last, SourceRange range) {
  Pool& pool = all.pool;
  const NodeId inside = conjunction(pool, pool.binary(Op::LessEqual, number(pool, first), u),
                                    pool.binary(Op::LessEqual, u, number(pool, last)));
  auto& list = all.model.assertions;
  if (std::ranges::any_of(list, [&](const Assertion& other) { return other.condition == inside; })) return;
  list.push_back({.condition = inside,
                  .message = fmt::format("a table without extrapolation holds from {} to {}", first, last),
                  .label = fmt::format("line {}", all.sources.line_of(range)),
                  .text = fmt::format("{} <= u and u <= {}", first, last),
                  .range = range});
}

}  // namespace

std::string Table::mistake() const {
  if (rows == 0 || columns == 0) return "the table is empty";
  if (kind == Kind::TwoDimensions) return mistake_of_two_dimensions(*this);
  if (columns < 2 && !used.empty()) return "the table has no column beside its points";
  for (const std::int64_t k : used)
    if (k < 1 || k > static_cast<std::int64_t>(columns))
      return fmt::format("column {} is asked for, but the table has {}", k, columns);
  const bool strictly = kind == Kind::OneDimension || is_spline(smoothness);
  if (ascends(column(0), strictly)) return {};
  return strictly ? "the first column of the table is not strictly ascending"
                  : "the first column of the table descends";
}

NodeId table_value(Elaboration& all, const Table& table, std::int64_t k, NodeId u, SourceRange range) {
  Pool& pool = all.pool;
  const std::vector<double> x = table.column(0);
  const Piecewise pieces =
      interpolate(x, table.column(static_cast<std::size_t>(table.used[static_cast<std::size_t>(k - 1)] - 1)),
                  table.smoothness, table.extrapolation);
  if (table.extrapolation == Extrapolation::None) require_inside(all, u, x.front(), x.back(), range);
  if (table.extrapolation == Extrapolation::Periodic && x.size() > 1)
    u = reduced(pool, u, x.front(), x.back() - x.front());
  const auto make = [&](std::span<const NodeId> arguments) {
    const NodeId at = arguments.front();
    return PieceChoice{
        pieces.pieces.size(),
        [&pool, &pieces, at](std::size_t j) { return pool.binary(Op::Less, at, number(pool, pieces.breaks[j])); },
        [&pool, &pieces, at](std::size_t j) { return polynomial(pool, pieces.pieces[j], at); }};
  };
  const NodeId value = by_pieces(pool, pieces.pieces.size(), {&u, 1}, "table", make);
  if (table.extrapolation != Extrapolation::Periodic) promise(all, table.smoothness, value);
  return value;
}

namespace {

// One direction of a table of two dimensions: its points, and the argument reduced to their range.
struct Axis {
  std::vector<double> x;
  NodeId u{};
};

NodeId taken_inside(Elaboration& all, const Table& table, const std::vector<double>& x, NodeId u, SourceRange range) {
  Pool& pool = all.pool;
  switch (table.extrapolation) {
    case Extrapolation::Hold:
      return pool.binary(Op::Min, pool.binary(Op::Max, u, number(pool, x.front())), number(pool, x.back()));
    case Extrapolation::LastSlope: return u;
    case Extrapolation::Periodic: return x.size() > 1 ? reduced(pool, u, x.front(), x.back() - x.front()) : u;
    case Extrapolation::None: require_inside(all, u, x.front(), x.back(), range); return u;
  }
  return u;
}

// y00 + a s + b r + c s r on the cell (i, j); a table with one row or column is constant in that argument.
NodeId bilinear(Pool& pool, const Table& table, const Axis& first, const Axis& second, std::size_t i, std::size_t j) {
  const std::size_t i1 = std::min(i + 1, first.x.size() - 1), j1 = std::min(j + 1, second.x.size() - 1);
  const auto y = [&](std::size_t a, std::size_t b) { return table.at(a + 1, b + 1); };
  const double h = i1 > i ? first.x[i1] - first.x[i] : 1.0, k = j1 > j ? second.x[j1] - second.x[j] : 1.0;
  const double a = (y(i1, j) - y(i, j)) / h, b = (y(i, j1) - y(i, j)) / k;
  const double c = (y(i1, j1) - y(i1, j) - y(i, j1) + y(i, j)) / (h * k);
  const NodeId s = pool.sub(first.u, number(pool, first.x[i])), r = pool.sub(second.u, number(pool, second.x[j]));
  const NodeId along_r = pool.mul(r, pool.add(number(pool, b), pool.mul(number(pool, c), s)));
  return pool.add(pool.add(number(pool, y(i, j)), pool.mul(number(pool, a), s)), along_r);
}

// The intervals between the points; each point begins one where values are held.
std::size_t intervals(const Axis& axis, Smoothness smoothness) {
  return smoothness == Smoothness::Constant ? axis.x.size() : std::max<std::size_t>(axis.x.size() - 1, 1);
}

}  // namespace

NodeId table_value(Elaboration& all, const Table& table, NodeId u1, NodeId u2, SourceRange range) {
  Pool& pool = all.pool;
  Axis first, second;
  for (std::size_t i = 1; i < table.rows; ++i) first.x.push_back(table.at(i, 0));
  for (std::size_t j = 1; j < table.columns; ++j) second.x.push_back(table.at(0, j));
  first.u = taken_inside(all, table, first.x, u1, range);
  second.u = taken_inside(all, table, second.x, u2, range);
  const std::size_t rows = intervals(first, table.smoothness), columns = intervals(second, table.smoothness);
  const NodeId arguments[] = {first.u, second.u};
  // The cells row by row: the break after the last cell of a row is a break of the first argument.
  const auto make = [&](std::span<const NodeId> given) {
    Axis own1 = first, own2 = second;
    own1.u = given[0];
    own2.u = given[1];
    const auto row = [&pool, &table, columns, own1, own2](std::size_t i) {
      return PieceChoice{
          columns, [&pool, own2](std::size_t j) { return pool.binary(Op::Less, own2.u, number(pool, own2.x[j + 1])); },
          [&pool, &table, own1, own2, i](std::size_t j) {
            return table.smoothness == Smoothness::Constant ? number(pool, table.at(i + 1, j + 1))
                                                            : bilinear(pool, table, own1, own2, i, j);
          }};
    };
    return PieceChoice{
        rows, [&pool, own1](std::size_t i) { return pool.binary(Op::Less, own1.u, number(pool, own1.x[i + 1])); },
        [&pool, row](std::size_t i) { return choose_piece(pool, row(i)); }};
  };
  const NodeId value = by_pieces(pool, rows * columns, arguments, "table", make);
  if (table.extrapolation != Extrapolation::Periodic) promise(all, table.smoothness, value);
  return value;
}

namespace {

// The instants in the time of the table at which pieces meet and an event takes place, ascending.
std::vector<double> events_of(const Table& table) {
  const std::vector<double> x = table.column(0);
  const bool periodic = table.extrapolation == Extrapolation::Periodic;
  std::vector<double> list;
  if (table.events == TimeEvents::Never || x.size() < 2) return list;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool jumps = (k > 0 && x[k - 1] == x[k]) || (k + 1 < x.size() && x[k] == x[k + 1]);
    const bool wanted = table.events == TimeEvents::Always || jumps || (periodic && k + 1 == x.size());
    if (!wanted || (!list.empty() && list.back() == x[k])) continue;
    if (periodic ? x[k] > x.front() : x[k] + table.shift > table.start) list.push_back(x[k]);
  }
  return list;
}

// Halfway to the next event: there is no event in between, so rounding does not matter.
double threshold(const std::vector<double>& events, std::size_t k) {
  return k + 1 < events.size() ? (events[k] + events[k + 1]) / 2 : events[k] + std::max(1.0, std::abs(events[k]));
}

double period_of(const Table& table) { return table.at(table.rows - 1, 0) - table.at(0, 0); }

bool is_periodic(const Table& table) {
  return table.extrapolation == Extrapolation::Periodic && period_of(table) > 0.0;
}

constexpr double never = std::numeric_limits<double>::max();

// Instants that differ by less are equal.
double rounding(const Table& table, double instant) {
  return 1e-13 * std::max({std::abs(instant), std::abs(instant + table.shift), period_of(table)});
}

// The first event after the start of the table.
double first_event(const Table& table, const std::vector<double>& events) {
  if (events.empty()) return never;
  if (!is_periodic(table)) return events.front() + table.shift;
  const double period = period_of(table), local = table.start - table.shift;
  const double turns = std::floor((local - table.at(0, 0)) / period) * period;
  for (const double event : events)
    if (event > local - turns + rounding(table, event)) return event + turns + table.shift;
  return events.front() + turns + period + table.shift;
}

}  // namespace

NodeId next_time_event(Elaboration& all, const Table& table, NodeId t) {
  Pool& pool = all.pool;
  const std::vector<double> events = events_of(table);
  const NodeId local = pool.sub(t, number(pool, table.shift));
  NodeId turns = pool.zero();  // the time of the periods that have passed
  if (is_periodic(table) && !events.empty()) {
    const double period = period_of(table), first = table.at(0, 0);
    const NodeId passed = pool.div(pool.sub(local, number(pool, first - rounding(table, first))), number(pool, period));
    turns = pool.mul(pool.unary(Op::Floor, passed), number(pool, period));
  }
  const NodeId arguments[] = {pool.sub(local, turns), pool.add(turns, number(pool, table.shift))};
  const auto make = [&](std::span<const NodeId> given) {
    const NodeId at = given[0], beyond = given[1];
    return PieceChoice{events.size() + 1,
                       [&, at](std::size_t k) {
                         return pool.binary(Op::Less, at, number(pool, events[k] - rounding(table, events[k])));
                       },
                       [&, beyond](std::size_t k) {
                         return k < events.size() ? pool.add(number(pool, events[k]), beyond) : number(pool, never);
                       }};
  };
  const NodeId behind = by_pieces(pool, events.size() + 1, arguments, "nextTimeEvent", make);
  const double start = table.start - rounding(table, table.start - table.shift);
  return pool.if_else(pool.binary(Op::Less, t, number(pool, start)), number(pool, table.start), behind);
}

NodeId time_table_value(Elaboration& all, const Table& table, std::int64_t k, NodeId t, NodeId next,
                        SourceRange range) {
  Pool& pool = all.pool;
  const std::vector<double> x = table.column(0), events = events_of(table);
  const Piecewise pieces =
      interpolate(x, table.column(static_cast<std::size_t>(table.used[static_cast<std::size_t>(k - 1)] - 1)),
                  table.smoothness, table.extrapolation);
  if (table.extrapolation == Extrapolation::None)
    require_inside(all, t, x.front() + table.shift, x.back() + table.shift, range);
  NodeId at = pool.sub(t, number(pool, table.shift)), coming = pool.sub(next, number(pool, table.shift));
  if (is_periodic(table)) {
    const double period = period_of(table);
    if (events.empty()) {
      at = reduced(pool, at, x.front(), period);
    } else {  // the period that contains the next event or ends with it
      const double half = (events.front() - x.front()) / 2;
      const NodeId passed = pool.div(pool.sub(coming, number(pool, x.front() + half)), number(pool, period));
      const NodeId turns = pool.mul(pool.unary(Op::Floor, passed), number(pool, period));
      at = pool.sub(at, turns);
      coming = pool.sub(coming, turns);
    }
  }
  const NodeId arguments[] = {at, coming};
  const auto make = [&](std::span<const NodeId> given) {
    const NodeId here = given[0], ahead = given[1];
    const auto is_before = [&, here, ahead](std::size_t j) {
      const double point = pieces.breaks[j];
      const auto event = std::ranges::lower_bound(events, point);
      if (event == events.end() || *event != point) return pool.binary(Op::Less, here, number(pool, point));
      const auto place = static_cast<std::size_t>(event - events.begin());
      return pool.binary(Op::Less, ahead, number(pool, threshold(events, place)));
    };
    return PieceChoice{pieces.pieces.size(), is_before,
                       [&, here](std::size_t j) { return polynomial(pool, pieces.pieces[j], here); }};
  };
  NodeId value = by_pieces(pool, pieces.pieces.size(), arguments, "timeTable", make);
  // Before the start the value is 0; the start is an event.
  const double behind = first_event(table, events);
  const double limit = behind < never ? (table.start + behind) / 2 : table.start + std::max(1.0, std::abs(table.start));
  value = pool.if_else(pool.binary(Op::Less, next, number(pool, limit)), pool.zero(), value);
  return value;
}

}  // namespace driftless::language
