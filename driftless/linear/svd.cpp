#include "driftless/linear/svd.hpp"

#include <algorithm>
#include <limits>
#include <vector>

// LAPACK's divide and conquer. Fortran compilers pass the length of a string after all other arguments.
extern "C" void dgesdd_(const char* parts, const int* rows, const int* cols, double* a, const int* stride_of_a,
                        double* values, double* u, const int* stride_of_u, double* vt, const int* stride_of_vt,
                        double* work, const int* size_of_work, int* integer_work, int* info, std::size_t);

namespace driftless::linear {
namespace {

enum class Wanted : char { All = 'A', Values = 'N' };

// NaN if the matrix has entries that are NaN or infinite, or if the iteration does not converge.
Svd decompose(Eigen::MatrixXd a, Wanted wanted) {
  const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols()), k = std::min(m, n);
  Svd result;
  result.values.setZero(k);
  Eigen::MatrixXd vt;
  if (wanted == Wanted::All) {
    result.U.setIdentity(m, m);
    vt.setIdentity(n, n);
  }
  if (k > 0) {
    const char parts = static_cast<char>(wanted);
    const int stride_of_a = m, stride_of_u = std::max<int>(1, static_cast<int>(result.U.rows())),
              stride_of_vt = std::max<int>(1, static_cast<int>(vt.rows()));
    std::vector<int> integers(8 * static_cast<std::size_t>(k));
    std::vector<double> work(1);
    int size = -1, info = 0;  // this size queries the required memory
    for (int call = 0; call < 2; ++call) {
      dgesdd_(&parts, &m, &n, a.data(), &stride_of_a, result.values.data(), result.U.data(), &stride_of_u, vt.data(),
              &stride_of_vt, work.data(), &size, integers.data(), &info, 1);
      if (info != 0) break;
      if (call == 0) work.resize(static_cast<std::size_t>(size = static_cast<int>(work[0])));
    }
    if (info != 0) {
      const double nothing = std::numeric_limits<double>::quiet_NaN();
      result.values.setConstant(nothing);
      result.U.setConstant(nothing);
      vt.setConstant(nothing);
    }
  }
  result.V = vt.transpose();
  return result;
}

}  // namespace

Svd svd(const Eigen::MatrixXd& matrix) { return decompose(matrix, Wanted::All); }

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) { return decompose(matrix, Wanted::Values).values; }

double norm2(const Eigen::MatrixXd& matrix) { return matrix.size() == 0 ? 0.0 : singular_values(matrix)(0); }

}  // namespace driftless::linear
