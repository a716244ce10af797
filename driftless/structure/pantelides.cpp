// Pantelides (1988), Algorithm 4.1. The chains of derivative variables and derivative equations of the paper are
// counters here: of variable j only the derivative d_j can be matched, of equation i only the version
// differentiated c_i times, and that contains x_j^(d_j) exactly when c_i + sigma_ij = d_j. The assignment automatically
// carries over from a variable and an equation to their derivatives, since it is stored by index.
#include <utility>
#include <vector>

#include "driftless/structure/analysis.hpp"

namespace driftless::structure {

namespace {

class Pantelides {
 public:
  explicit Pantelides(const Signature& signature)
      : signature_(signature),
        offsets_{std::vector<int>(signature.rows()), highest_orders(signature)},
        assigned_(signature.rows(), signature.cols()),
        coloured_from_(signature.cols(), no_row) {}

  Offsets run() {
    for (int i = 0; i < signature_.rows(); ++i) {
      while (!augment(Row{i})) differentiate_coloured();
    }
    return std::move(offsets_);
  }

 private:
  // Looks for an augmenting path from the row, colouring visited rows and columns.
  bool augment(Row root) {
    for (const Col col : coloured_cols_) coloured_from_[index(col)] = no_row;
    coloured_cols_.clear();
    coloured_rows_.assign(1, root);
    for (std::size_t head = 0; head < coloured_rows_.size(); ++head) {
      const Row row = coloured_rows_[head];
      for (const Entry& entry : signature_.row(row)) {
        const bool highest = offsets_.c[index(row)] + entry.sigma == offsets_.d[index(entry.col)];
        if (!highest || coloured_from_[index(entry.col)] != no_row) continue;
        coloured_from_[index(entry.col)] = row;
        coloured_cols_.push_back(entry.col);
        if (assigned_.row_of(entry.col) == no_row) {
          assign_back_from(entry.col);
          return true;
        }
        coloured_rows_.push_back(assigned_.row_of(entry.col));
      }
    }
    return false;
  }

  void assign_back_from(Col col) {
    while (col != no_col) {
      const Row row = coloured_from_[index(col)];
      assigned_.row_of_col[index(col)] = row;
      std::swap(assigned_.col_of_row[index(row)], col);
    }
  }

  // The coloured rows, one more than the coloured columns, are minimally structurally singular.
  void differentiate_coloured() {
    for (const Row row : coloured_rows_) ++offsets_.c[index(row)];
    for (const Col col : coloured_cols_) ++offsets_.d[index(col)];
  }

  const Signature& signature_;
  Offsets offsets_;
  Matching assigned_;
  std::vector<Row> coloured_from_;  // the row through which a column was coloured
  std::vector<Row> coloured_rows_;
  std::vector<Col> coloured_cols_;
};

}  // namespace

Offsets pantelides(const Signature& signature) { return Pantelides(signature).run(); }

}  // namespace driftless::structure
