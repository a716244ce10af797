#include "driftless/linear/parts.hpp"

#include <btf.h>

#include <algorithm>

#include "driftless/linear/transversal.hpp"

namespace driftless::linear {

Parts::Parts(const Pattern& pattern) : of_row(pattern.size), of_column(pattern.size) {
  const int n = pattern.size;
  std::vector<int> columns = maximum_transversal(pattern);
  regular = std::ranges::find(columns, -1) == columns.end();
  if (!regular || n == 0) return;
  std::vector<int> rows(n), starts(n + 1), work(4 * static_cast<std::size_t>(n));
  // BTF only reads the pattern, although its interface is not const.
  const int parts = btf_strongcomp(n, const_cast<int*>(pattern.starts.data()), const_cast<int*>(pattern.rows.data()),
                                   columns.data(), rows.data(), starts.data(), work.data());
  for (int part = 0; part < parts; ++part) {
    for (int k = starts[part]; k < starts[part + 1]; ++k) of_row[rows[k]] = of_column[columns[k]] = part;
    lines.push_back(starts[part + 1] - starts[part]);
  }
}

}  // namespace driftless::linear
