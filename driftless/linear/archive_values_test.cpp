// Factors that are written and read into a new factorization of the same pattern give identical solutions, and so do
// later matrices with the pivots chosen for earlier ones.
#include "driftless/linear/archive_values.hpp"

#include <cmath>
#include <functional>

#include "driftless/linear/complex_factorization.hpp"
#include "driftless/linear/elimination.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/linear/markowitz.hpp"

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

struct Matrices {
  int size;
  std::vector<Coordinate> entries;

  // Entries, including the diagonal, change with time, so that other pivots would be chosen later.
  double at(std::size_t k, double time) const {
    return std::sin(1.3 * static_cast<double>(k) + time) +
           (entries[k].row == entries[k].col ? 2.0 * std::cos(time) : 0.0);
  }
  std::vector<double> real(double time, const std::vector<int>& position) const {
    std::vector<double> values(entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) values[position.empty() ? k : position[k]] = at(k, time);
    return values;
  }
  std::vector<Complex> complex(double time, const std::vector<int>& position) const {
    std::vector<Complex> values(entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) values[position[k]] = {at(k, time), 0.3 * at(k, 2.0 * time + 1.0)};
    return values;
  }
};

// Couples each unknown with the unknowns at the given distances before and after it.
Matrices neighbours(int size, const std::vector<int>& distances) {
  Matrices matrices{size, {}};
  for (int k = 0; k < size; ++k) {
    matrices.entries.push_back({k, k});
    for (const int distance : distances)
      if (k + distance < size)
        matrices.entries.push_back({k, k + distance}), matrices.entries.push_back({k + distance, k});
  }
  return matrices;
}

std::vector<double> right_side(int size) {
  std::vector<double> b(size);
  for (int i = 0; i < size; ++i) b[i] = std::cos(1.0 + i);
  return b;
}

template <class T>
std::vector<std::byte> bytes_of(T& value) {
  Archive writer;
  value.archive(writer);
  return writer.bytes();
}

// `make()`: a new one; `use(one, time)`: factorizes the matrix of that time, if it is not negative, and solves.
template <class Make, class Use>
void expect_same_use(Make make, Use use) {
  auto original = make();
  use(*original, 0.0);
  use(*original, 0.4);
  const std::vector<std::byte> bytes = bytes_of(*original);
  ASSERT_EQ(bytes_of(*original), bytes) << "writing changes nothing";

  auto copy = make();
  Archive reader(bytes);
  copy->archive(reader);
  EXPECT_EQ(reader.bytes_left(), 0u);
  EXPECT_TRUE(bytes_of(*copy) == bytes);
  EXPECT_EQ(use(*copy, -1.0), use(*original, -1.0)) << "without another factorization";
  for (const double time : {0.45, 0.5, 3.0, 0.5}) EXPECT_EQ(use(*copy, time), use(*original, time)) << time;
  EXPECT_TRUE(bytes_of(*copy) == bytes_of(*original));

  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 50) {
    auto another = make();
    Archive cut(std::span<const std::byte>(bytes).first(size));
    EXPECT_THROW(another->archive(cut), ArchiveError);
  }
}

void expect_same_bits(const Matrices& matrices,
                      const std::function<std::unique_ptr<Factorization>(const Pattern&)>& make) {
  const Assembly assembly = assemble(matrices.size, matrices.entries);
  expect_same_use([&] { return make(assembly.pattern); },
                  [&](Factorization& one, double time) {
                    if (time >= 0.0) {
                      EXPECT_TRUE(one.factorize(matrices.real(time, assembly.position)));
                    }
                    std::vector<double> x = right_side(matrices.size), y = x;
                    one.solve(x);
                    one.solve_transposed(y);
                    x.insert(x.end(), y.begin(), y.end());
                    x.push_back(one.pivot_ratio());
                    return x;
                  });
}

void expect_same_bits(const Matrices& matrices,
                      const std::function<std::unique_ptr<ComplexFactorization>(const Pattern&)>& make) {
  const Assembly assembly = assemble(matrices.size, matrices.entries);
  expect_same_use([&] { return make(assembly.pattern); },
                  [&](ComplexFactorization& one, double time) {
                    if (time >= 0.0) {
                      EXPECT_TRUE(one.factorize(matrices.complex(time, assembly.position)));
                    }
                    std::vector<double> re = right_side(matrices.size), im(matrices.size, 0.5);
                    one.solve(re, im);
                    re.insert(re.end(), im.begin(), im.end());
                    return re;
                  });
}

TEST(ArchivedFactors, OfDenseMatricesSolveWithTheSameBits) {
  for (const int size : {1, 2, 7, 30}) {
    expect_same_bits(neighbours(size, {1, 2, 3}), make_dense);
    expect_same_bits(neighbours(size, {1, 2, 3}), make_complex_dense);
  }
}

TEST(ArchivedFactors, OfSparseMatricesSolveWithTheSameBits) {
  for (const int size : {2, 30, 150}) {
    expect_same_bits(neighbours(size, {1, 7, 11}), make_sparse);
    expect_same_bits(neighbours(size, {1, 7, 11}), make_complex_sparse);
  }
}

TEST(ArchivedFactors, InFrontsSolveWithTheSameBits) {
  const Matrices lattice = neighbours(40 * 40, {1, 40, 41, 2, 80});
  const Assembly assembly = assemble(lattice.size, lattice.entries);
  const auto probe = make_sparse(assembly.pattern);
  ASSERT_TRUE(probe->factorize(lattice.real(0.0, assembly.position)));
  ASSERT_TRUE(probe->pivots()->fronts);
  expect_same_bits(lattice, make_sparse);
  expect_same_bits(lattice, make_complex_sparse);
}

// By rows, along a chain, and in fronts.
TEST(ArchivedFactors, OfEliminationsSolveWithTheSameBits) {
  for (const Matrices& matrices :
       {neighbours(20, {1, 3}), neighbours(20, {1}), neighbours(40 * 40, {1, 40, 41, 2, 80})})
    expect_same_use([&] { return std::make_unique<Elimination>(matrices.size, matrices.entries); },
                    [&](Elimination& one, double time) {
                      if (time >= 0.0) {
                        EXPECT_TRUE(one.factorize(matrices.real(time, {})));
                      }
                      std::vector<double> x = right_side(matrices.size);
                      one.solve(x);
                      x.push_back(static_cast<double>(one.choices()));
                      return x;
                    });
}

TEST(ArchivedFactors, OfAnotherSizeAreRefused) {
  const auto make = [](int size) { return make_dense(assemble(size, neighbours(size, {1}).entries).pattern); };
  const auto small = make(3), large = make(4);
  const std::vector<std::byte> bytes = bytes_of(*small);
  Archive reader(bytes);
  EXPECT_THROW(large->archive(reader), ArchiveError);
}

TEST(ArchivedMatrices, KeepTheirSize) {
  Eigen::MatrixXd before = Eigen::MatrixXd::Random(3, 5), after, none(0, 4);
  Archive writer;
  archive_matrix(writer, before);
  archive_matrix(writer, none);
  Archive reader(writer.bytes());
  archive_matrix(reader, after);
  EXPECT_EQ(after, before);
  archive_matrix(reader, after);
  EXPECT_EQ(after.rows(), 0);
  EXPECT_EQ(after.cols(), 4);
}

}  // namespace
}  // namespace driftless::linear
