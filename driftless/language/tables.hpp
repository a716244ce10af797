// Tables of numbers that are known when the model is read, as expressions: pieces of polynomials, and conditions that
// choose among them (docs/tables.md). They replace the external objects of Modelica.Blocks.Types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/interpolate/piecewise.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// Modelica.Blocks.Types.TimeEvents.
enum class TimeEvents { Always = 1, AtDiscontinuities = 2, Never = 3 };

struct Table {
  enum class Kind { OneDimension, TwoDimensions, Time };
  Kind kind = Kind::OneDimension;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;      // row by row
  std::vector<std::int64_t> used;  // the requested columns, counted from 1
  Smoothness smoothness = Smoothness::Linear;
  Extrapolation extrapolation = Extrapolation::LastSlope;
  double start = 0.0, shift = 0.0;  // of time
  TimeEvents events = TimeEvents::Always;

  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
  std::vector<double> column(std::size_t k) const;
  // The error in the table; empty if there is none.
  std::string mistake() const;
};

// The k-th of the used columns, counted from 1, at u. If the table has no extrapolation, an assertion keeps u inside.
NodeId table_value(Elaboration& all, const Table& table, std::int64_t k, NodeId u, SourceRange range);
// The value at (u1, u2) of a table whose first column and first row are the points.
NodeId table_value(Elaboration& all, const Table& table, NodeId u1, NodeId u2, SourceRange range);
// The value at time t; `next` is the next event, which changes at events only and selects pieces that are separated by
// events.
NodeId time_table_value(Elaboration& all, const Table& table, std::int64_t k, NodeId t, NodeId next, SourceRange range);
// The first event after t, or the largest number.
NodeId next_time_event(Elaboration& all, const Table& table, NodeId t);

}  // namespace driftless::language
