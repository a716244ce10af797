// Linear complementarity problems w = M z + q, w >= 0, z >= 0, w z = 0, at random: each relation says which of w_i and
// z_i is zero, a singular submatrix of M is a combination without a solution.
#include "driftless/events/branch_search.hpp"

#include <random>

#include <Eigen/Dense>
#include <gmock/gmock.h>

namespace driftless {
namespace {

struct Complementarity {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;

  // Sets z_i = 0 where the value is 0, w_i = 0 where it is 1; returns the places that disagree, none if there is no
  // solution.
  std::optional<std::vector<std::pair<std::size_t, double>>> look_at(const BranchSearch::Values& values) const {
    std::vector<int> basic;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] != 0.0) basic.push_back(static_cast<int>(k));
    Eigen::VectorXd z = Eigen::VectorXd::Zero(q.size());
    if (!basic.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(M(basic, basic));
      if (!lu.isInvertible()) return {};
      z(basic) = lu.solve(-q(basic));
    }
    const Eigen::VectorXd w = M * z + q;
    std::vector<std::pair<std::size_t, double>> other;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      if (values[k] != 0.0 ? z[i] < -1e-12 : w[i] < -1e-12) other.emplace_back(k, 1.0 - values[k]);
    }
    return other;
  }

  // The number of combinations that were tried, or 0.
  int solve(int most) const {
    const auto n = static_cast<std::size_t>(q.size());
    std::vector<std::size_t> all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = k;
    BranchSearch search(BranchSearch::Values(n, 0.0), all, most);
    while (const auto values = search.next()) {
      const auto other = look_at(*values);
      if (other && other->empty()) return search.tried();
      if (other)
        search.disagree(*other);
      else
        search.has_no_solution(1);
    }
    return 0;
  }
};

Complementarity random_problem(std::mt19937& random, int n, int rank) {
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  Complementarity problem;
  Eigen::MatrixXd B(n, rank), S(n, n);
  for (double& b : B.reshaped()) b = u(random);
  for (double& s : S.reshaped()) s = u(random);
  problem.M = B * B.transpose() + 0.3 * (S - S.transpose());
  problem.q.resize(n);
  for (double& q : problem.q) q = u(random);
  return problem;
}

TEST(BranchSearch, SolvesComplementarityWithPositiveDefiniteMatrices) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 30);
    const int tried = random_problem(random, n, n).solve(5000);
    EXPECT_GT(tried, 0) << n;
    EXPECT_LT(tried, 1000) << n;
  }
}

// Gapped ladders of ideal diodes: most combinations are singular.
TEST(BranchSearch, PassesThroughCombinationsWithoutSolution) {
  std::mt19937 random(4);
  int solved = 0, with_solution = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Complementarity problem = random_problem(random, 8, 2);
    problem.M -= 0.3 * (problem.M - problem.M.transpose()) / 0.6;  // symmetric, of rank 2
    bool exists = false;
    for (unsigned c = 0; c < 256 && !exists; ++c) {
      BranchSearch::Values values(8);
      for (unsigned k = 0; k < 8; ++k) values[k] = c >> k & 1u;
      const auto other = problem.look_at(values);
      exists = other && other->empty();
    }
    with_solution += exists;
    solved += problem.solve(5000) > 0;
  }
  EXPECT_EQ(solved, with_solution);
  EXPECT_GT(with_solution, 20);
}

TEST(BranchSearch, TriesEveryCombinationOnceBeforeItGivesUp) {
  BranchSearch search({0.0, 1.0, 0.0, 0.0}, {0, 1, 2, 3}, 5000);
  std::set<BranchSearch::Values> seen;
  while (const auto values = search.next()) {
    EXPECT_TRUE(seen.insert(*values).second);
    if (seen.size() % 3 == 0)
      search.has_no_solution(1, std::vector<std::size_t>{1});
    else
      search.disagree(std::vector<std::pair<std::size_t, double>>{{2, 1.0 - (*values)[2]}});
  }
  EXPECT_EQ(seen.size(), 16u);
  EXPECT_TRUE(search.tried_all());
}

TEST(BranchSearch, EndsAfterAsManyAsAllowed) {
  std::vector<std::size_t> all(40);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  BranchSearch search(BranchSearch::Values(40, 0.0), all, 100);
  int tried = 0;
  while (search.next()) ++tried, search.has_no_solution(1);
  EXPECT_EQ(tried, 100);
  EXPECT_FALSE(search.tried_all());
}

}  // namespace
}  // namespace driftless
