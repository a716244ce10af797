// Functions of LAPACK that libraries call (Anderson et al. 1999): systems of linear equations, the factors of a matrix,
// its inverse, least squares. The first three work on expressions, with row exchanges by their values during the run;
// least squares need numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "driftless/language/external.hpp"

namespace driftless::language {

namespace {

// Row by row.
struct Matrix {
  Pool& pool;
  std::size_t rows, columns;
  std::vector<NodeId> entries;

  NodeId& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }

  void exchange_if(NodeId condition, std::size_t one, std::size_t other) {
    if (pool.is_constant(condition, 0.0)) return;
    for (std::size_t j = 0; j < columns; ++j) {
      const NodeId a = (*this)(one, j), b = (*this)(other, j);
      (*this)(one, j) = pool.if_else(condition, b, a);
      (*this)(other, j) = pool.if_else(condition, a, b);
    }
  }
};

std::optional<Matrix> matrix_of(ExternalCall& call, std::size_t place) {
  const Value* value = place < call.arguments.size() ? &call.arguments[place] : nullptr;
  if (!value || !value->valid() || !value->is_numeric() || value->rank() < 1 || value->rank() > 2) {
    call.refuse(fmt::format("argument {} of {} must be a matrix of numbers", place + 1, call.name));
    return std::nullopt;
  }
  const auto elements = value->elements();
  const auto rows = static_cast<std::size_t>(value->shape()[0]);
  const std::size_t columns = value->rank() == 2 ? static_cast<std::size_t>(value->shape()[1]) : 1;
  return Matrix{call.pool(), rows, columns, {elements.begin(), elements.end()}};
}

Value as_output(const ExternalCall& call, std::size_t place, const Matrix& matrix) {
  return {Type::Real, call.arguments[place].shape(), matrix.entries};
}

Value integer(const ExternalCall& call, double number) { return {Type::Integer, call.pool().constant(number)}; }

// Replaces the matrix by L and U. Returns for each row the one with which it was exchanged, counted from 1: that with
// the largest entry.
std::vector<NodeId> factorize(Matrix& a) {
  Pool& pool = a.pool;
  std::vector<NodeId> exchanged;
  for (std::size_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    NodeId largest = pool.unary(Op::Abs, a(k, k)), row = pool.constant(static_cast<double>(k + 1));
    for (std::size_t i = k + 1; i < a.rows; ++i) {
      const NodeId size = pool.unary(Op::Abs, a(i, k)), larger = pool.binary(Op::Less, largest, size);
      largest = pool.if_else(larger, size, largest);
      row = pool.if_else(larger, pool.constant(static_cast<double>(i + 1)), row);
    }
    exchanged.push_back(row);
    for (std::size_t i = k + 1; i < a.rows; ++i)
      a.exchange_if(pool.binary(Op::Equal, row, pool.constant(static_cast<double>(i + 1))), k, i);
    if (pool.is_constant(a(k, k), 0.0)) continue;  // singular, reported by info
    for (std::size_t i = k + 1; i < a.rows; ++i) {
      const NodeId factor = a(i, k) = pool.div(a(i, k), a(k, k));
      for (std::size_t j = k + 1; j < a.columns; ++j) a(i, j) = pool.sub(a(i, j), pool.mul(factor, a(k, j)));
    }
  }
  return exchanged;
}

// The place of the first zero on the diagonal of U among known numbers, counted from 1; 0 if there is none.
double first_zero(Matrix& lu) {
  for (std::size_t k = 0; k < std::min(lu.rows, lu.columns); ++k)
    if (lu.pool.is_constant(lu(k, k), 0.0)) return static_cast<double>(k + 1);
  return 0.0;
}

// Replaces b by the solution of L U x = P b.
void substitute(Matrix& lu, const std::vector<NodeId>& exchanged, Matrix& b) {
  Pool& pool = lu.pool;
  const std::size_t n = lu.rows;
  for (std::size_t k = 0; k < exchanged.size(); ++k)
    for (std::size_t i = k + 1; i < n; ++i)
      b.exchange_if(pool.binary(Op::Equal, exchanged[k], pool.constant(static_cast<double>(i + 1))), k, i);
  for (std::size_t j = 0; j < b.columns; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) b(i, j) = pool.sub(b(i, j), pool.mul(lu(i, k), b(k, j)));
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b(i, j) = pool.sub(b(i, j), pool.mul(lu(i, k), b(k, j)));
      b(i, j) = pool.div(b(i, j), lu(i, i));
    }
  }
}

Value pivots_value(const std::vector<NodeId>& exchanged) {
  return {Type::Integer, Shape{static_cast<std::int64_t>(exchanged.size())}, exchanged};
}

Value done() { return {Type::Integer, Shape{0}, {}}; }

bool is_square(ExternalCall& call, const Matrix& a, const Matrix& b) {
  if (a.rows == a.columns && a.rows == b.rows) return true;
  call.refuse(fmt::format("{} needs a square matrix, and right sides of its size", call.name));
  return false;
}

// dgesv(n, nrhs, A, lda, ipiv, B, ldb, info): A X = B.
Value dgesv(ExternalCall& call) {
  auto a = matrix_of(call, 2), b = matrix_of(call, 5);
  if (!a || !b || !is_square(call, *a, *b)) return {};
  const std::vector<NodeId> exchanged = factorize(*a);
  const double zero = first_zero(*a);
  if (zero == 0.0) substitute(*a, exchanged, *b);
  call.outputs[5] = as_output(call, 5, *b);
  call.outputs[7] = integer(call, zero);
  return done();
}

// dgetrf(m, n, A, lda, ipiv, info): P A = L U.
Value dgetrf(ExternalCall& call) {
  auto a = matrix_of(call, 2);
  if (!a) return {};
  const std::vector<NodeId> exchanged = factorize(*a);
  call.outputs[2] = as_output(call, 2, *a);
  call.outputs[4] = pivots_value(exchanged);
  call.outputs[5] = integer(call, first_zero(*a));
  return done();
}

// dgetrs("N", n, nrhs, LU, lda, ipiv, B, ldb, info).
Value dgetrs(ExternalCall& call) {
  const auto transposed = call.text(0);
  auto lu = matrix_of(call, 3), pivots = matrix_of(call, 5), b = matrix_of(call, 6);
  if (!transposed || !lu || !pivots || !b || !is_square(call, *lu, *b)) return {};
  if (*transposed != "N") return call.refuse(fmt::format("dgetrs with \"{}\" is not supported yet", *transposed));
  substitute(*lu, pivots->entries, *b);
  call.outputs[6] = as_output(call, 6, *b);
  call.outputs[8] = integer(call, 0.0);
  return done();
}

// dgetri(n, LU, lda, ipiv, work, lwork, info).
Value dgetri(ExternalCall& call) {
  auto lu = matrix_of(call, 1), pivots = matrix_of(call, 3);
  if (!lu || !pivots || !is_square(call, *lu, *lu)) return {};
  Matrix inverse{call.pool(), lu->rows, lu->rows, {}};
  for (std::size_t i = 0; i < lu->rows; ++i)
    for (std::size_t j = 0; j < lu->rows; ++j) inverse.entries.push_back(call.pool().constant(i == j ? 1.0 : 0.0));
  const double zero = first_zero(*lu);
  if (zero == 0.0) substitute(*lu, pivots->entries, inverse);
  call.outputs[1] = as_output(call, 1, inverse);
  call.outputs[6] = integer(call, zero);
  return done();
}

// --- least squares, in numbers

struct Numbers {
  std::size_t rows, columns;
  std::vector<double> entries;
  double& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
};

std::optional<Numbers> numbers_of(ExternalCall& call, std::size_t place) {
  const auto matrix = matrix_of(call, place);
  if (!matrix) return std::nullopt;
  Numbers numbers{matrix->rows, matrix->columns, {}};
  for (const NodeId entry : matrix->entries) {
    const auto known = known_number(call.pool(), entry);
    if (!known) {
      call.refuse(fmt::format("argument {} of {} must be known before the run", place + 1, call.name));
      return std::nullopt;
    }
    numbers.entries.push_back(*known);
  }
  return numbers;
}

// Reflects rows k and below of both such that column `column` of a vanishes below row k.
void reflect(Numbers& a, Numbers& b, std::size_t k, std::size_t column) {
  double size = 0.0;
  for (std::size_t i = k; i < a.rows; ++i) size = std::hypot(size, a(i, column));
  if (size == 0.0) return;
  std::vector<double> normal;
  for (std::size_t i = k; i < a.rows; ++i) normal.push_back(a(i, column));
  normal.front() += std::copysign(size, normal.front());
  double square = 0.0;
  for (const double entry : normal) square += entry * entry;
  for (Numbers* matrix : {&a, &b})
    for (std::size_t j = 0; j < matrix->columns; ++j) {
      double product = 0.0;
      for (std::size_t i = k; i < a.rows; ++i) product += normal[i - k] * (*matrix)(i, j);
      for (std::size_t i = k; i < a.rows; ++i) (*matrix)(i, j) -= 2.0 * product / square * normal[i - k];
    }
}

// The solution of least norm of least squares: A is reduced to a triangle by reflections with exchanges of columns,
// until the remainder is below rcond times the first diagonal entry; the triangle of full row rank is then reflected
// from the right, that is, its transpose from the left.
struct LeastSquares {
  Numbers solution;
  std::size_t rank = 0;
};

LeastSquares least_squares(Numbers a, Numbers b, double rcond) {
  const std::size_t m = a.rows, n = a.columns;
  std::vector<std::size_t> order(n);
  for (std::size_t j = 0; j < n; ++j) order[j] = j;
  const double least = std::max(rcond, std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(m, n)));
  std::size_t rank = 0;
  for (double first = 0.0; rank < std::min(m, n); ++rank) {
    std::size_t best = rank;
    double largest = -1.0;
    for (std::size_t j = rank; j < n; ++j) {
      double size = 0.0;
      for (std::size_t i = rank; i < m; ++i) size = std::hypot(size, a(i, j));
      if (size > largest) largest = size, best = j;
    }
    if (rank == 0) first = largest;
    if (!(largest > least * first)) break;
    for (std::size_t i = 0; i < m; ++i) std::swap(a(i, rank), a(i, best));
    std::swap(order[rank], order[best]);
    reflect(a, b, rank, rank);
  }
  // R = [R11 R12] with `rank` rows: R^T = Q [T; 0], so R x = c has the solution x = Q [T^-T c; 0] of least norm.
  Numbers transposed{n, rank, std::vector<double>(n * rank)};
  for (std::size_t i = 0; i < rank; ++i)
    for (std::size_t j = i; j < n; ++j) transposed(j, i) = a(i, j);
  Numbers unit{n, n, std::vector<double>(n * n, 0.0)};  // becomes the transpose of Q
  for (std::size_t i = 0; i < n; ++i) unit(i, i) = 1.0;
  for (std::size_t k = 0; k < rank; ++k) reflect(transposed, unit, k, k);
  LeastSquares result{{n, b.columns, std::vector<double>(n * b.columns, 0.0)}, rank};
  for (std::size_t j = 0; j < b.columns; ++j) {
    std::vector<double> z(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      double rest = b(i, j);
      for (std::size_t k = 0; k < i; ++k) rest -= transposed(k, i) * z[k];
      z[i] = rest / transposed(i, i);
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < rank; ++k) result.solution(order[i], j) += unit(k, i) * z[k];
  }
  return result;
}

// dgelsy(m, n, nrhs, A, lda, B, ldb, jpvt, rcond, rank, work, lwork, info); B has max(m, n) rows, of which the first m
// are the right-hand sides, and the first n the solution.
Value dgelsy(ExternalCall& call) {
  const auto a = numbers_of(call, 3);
  auto b = a ? numbers_of(call, 5) : std::nullopt;
  const auto rcond = b ? call.number(8) : std::nullopt;
  if (!rcond) return {};
  if (b->rows < std::max(a->rows, a->columns)) return call.refuse("dgelsy needs max(m, n) rows of right sides");
  Numbers right{a->rows,
                b->columns,
                {b->entries.begin(), b->entries.begin() + static_cast<std::ptrdiff_t>(a->rows * b->columns)}};
  LeastSquares found = least_squares(*a, right, *rcond);
  for (std::size_t i = 0; i < b->rows; ++i)
    for (std::size_t j = 0; j < b->columns; ++j) (*b)(i, j) = i < a->columns ? found.solution(i, j) : 0.0;
  std::vector<NodeId> entries;
  for (const double number : b->entries) entries.push_back(call.pool().constant(number));
  call.outputs[5] = Value(Type::Real, call.arguments[5].shape(), std::move(entries));
  call.outputs[9] = integer(call, static_cast<double>(found.rank));
  call.outputs[12] = integer(call, 0.0);
  return done();
}

}  // namespace

ExternalFunction find_linear_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"dgesv", dgesv}, {"dgetrf", dgetrf}, {"dgetrs", dgetrs}, {"dgetri", dgetri}, {"dgelsy", dgelsy}};
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace driftless::language
