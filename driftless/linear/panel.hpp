// Subtracts a panel, some consecutive columns of L, from the columns after it: A -= L U, in tiles that stay in
// registers and caches while all columns of the panel are subtracted. Every entry undergoes the same operations in the
// same order as if the columns were subtracted one by one.
#pragma once

#include "driftless/linear/full_columns.hpp"

namespace driftless::linear {

constexpr int widest_panel = 64;  // columns

// Updates columns begin, ..., a.n - 1 by the panel first, ..., end - 1 of at most `widest_panel` columns, of which L is
// known down to the last row.
void subtract_panel(const Columns<1>& a, int first, int end, int begin);

}  // namespace driftless::linear
