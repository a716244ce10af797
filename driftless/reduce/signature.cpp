#include "driftless/reduce/signature.hpp"

#include <vector>

#include "driftless/expr/calculus.hpp"

namespace driftless {

structure::Signature signature_of(const Model& model) {
  const Pool& pool = *model.pool;
  structure::Signature signature(static_cast<int>(model.variables.size()));
  std::vector<structure::Entry> entries;
  for (const Equation& equation : model.equations) {
    entries.clear();
    for (const NodeId leaf : variables_of(pool, equation.residual)) {  // ascending by (variable, order)
      const structure::Entry entry{structure::Col{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      if (!entries.empty() && entries.back().col == entry.col)
        entries.back() = entry;
      else
        entries.push_back(entry);
    }
    signature.add_row(entries);
  }
  return signature;
}

}  // namespace driftless
