#include "driftless/structure/signature.hpp"

#include <algorithm>
#include <cassert>

namespace driftless::structure {

void Signature::add_row(std::span<const Entry> entries) {
  assert(std::ranges::all_of(entries, [&](const Entry& e) { return index(e.col) >= 0 && index(e.col) < cols_; }));
  assert(std::ranges::all_of(entries, [](const Entry& e) { return e.sigma >= 0; }));
  assert(std::ranges::is_sorted(entries, std::ranges::less_equal{}, [](const Entry& e) { return index(e.col); }));
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  starts_.push_back(entries_.size());
}

std::vector<int> highest_orders(const Signature& signature) {
  std::vector<int> orders(signature.cols());
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) {
      orders[index(entry.col)] = std::max(orders[index(entry.col)], entry.sigma);
    }
  }
  return orders;
}

}  // namespace driftless::structure
