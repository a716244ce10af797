// All roots of a polynomial in an interval.
//
// The polynomial is given by its coefficients in the Bernstein basis of degree n on [0, 1]. The number of their changes
// of sign is an upper bound of the number of roots in (0, 1), and differs from it by an even number: none means no
// root, one means one root (Descartes' rule in the Bernstein basis; Rouillier and Zimmermann 2004). Otherwise the
// interval is halved by de Casteljau's algorithm, which is stable, and both halves are searched.
#pragma once

#include <span>
#include <vector>

namespace driftless {

class Roots {
 public:
  // Roots in [0, 1], ascending. Coefficients up to `noise` count as zero, as values below it are rounding errors. Roots
  // too close for the halving to separate count as one root.
  std::span<const double> find(std::span<const double> bernstein, double noise);

 private:
  struct Piece {
    double low, high;
    int depth;
    std::size_t first;  // of its coefficients
  };
  void halve(const Piece& piece);
  double refine(const Piece& piece, double noise) const;  // the root of a piece with one change of sign
  void add(double root);

  std::size_t count_ = 0;             // of coefficients of a piece
  std::vector<double> coefficients_;  // of all pieces on the stack
  std::vector<Piece> stack_;
  std::vector<double> roots_;
  mutable std::vector<double> work_;
};

// The value at x of [0, 1], by de Casteljau's algorithm; `work` has as many elements as there are coefficients.
double bernstein_value(std::span<const double> coefficients, double x, std::span<double> work);

}  // namespace driftless
