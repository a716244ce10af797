#include "driftless/integrate/states/selection.hpp"

#include <cmath>
#include <random>
#include <set>

#include <Eigen/Dense>

#include "driftless/integrate/states/forced_states.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using Eigen::MatrixXd;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double hysteresis = 2.0;

// One choice without a model: m rows, n candidates, the given pattern.
struct Bare {
  Reduced reduced;
  std::vector<std::vector<System::ChoiceEntry>> entries;

  Bare(const MatrixXd& pattern, const std::vector<double>& preference = {}) : entries(1) {
    Choice choice;
    for (int i = 0; i < pattern.rows(); ++i) choice.rows.push_back(i);
    for (int j = 0; j < pattern.cols(); ++j) {
      reduced.slots.push_back({});
      reduced.kinematics.push_back({.slot = j, .rate = {}});
      choice.kinematics.push_back(j);
      choice.preference.push_back(preference.empty() ? 1.0 : preference[j]);
    }
    for (int i = 0; i < pattern.rows(); ++i)
      for (int j = 0; j < pattern.cols(); ++j)
        if (pattern(i, j) != 0.0) entries[0].push_back({i, j});
    reduced.choices.push_back(std::move(choice));
  }

  std::vector<double> values(const MatrixXd& matrix) const {
    std::vector<double> list;
    for (const auto& [row, candidate] : entries[0]) list.push_back(matrix(row, candidate));
    return list;
  }
};

// The largest entry of T = M⁻¹ N; infinite if M is singular.
double largest_factor(const MatrixXd& b, const std::vector<int>& active) {
  std::vector<int> dependent;
  for (int j = 0; j < b.cols(); ++j)
    if (!std::ranges::binary_search(active, j)) dependent.push_back(j);
  const MatrixXd m = b(Eigen::all, dependent), n = b(Eigen::all, active);
  const Eigen::FullPivLU<MatrixXd> lu(m);
  return lu.isInvertible() ? lu.solve(n).cwiseAbs().maxCoeff() : HUGE_VAL;
}

MatrixXd random_matrix(std::mt19937_64& random, int m, int n) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(m, n, [&] { return normal(random); });
}

TEST(StateSelection, NoExchangeImprovesBeyondTheHysteresis) {
  std::mt19937_64 random(1);
  for (int sample = 0; sample < 300; ++sample) {
    const int m = 1 + static_cast<int>(random() % 12), n = m + 1 + static_cast<int>(random() % 8);
    const MatrixXd b = random_matrix(random, m, n);
    const Bare bare(b);
    StateSelection selection(bare.reduced, bare.entries, hysteresis);
    EXPECT_TRUE(selection.choose(bare.values(b)));
    selection.examine(bare.values(b));
    EXPECT_THAT(selection.active(), SizeIs(n - m));
    EXPECT_LE(largest_factor(b, selection.active()), hysteresis * (1.0 + 1e-9));
    EXPECT_THAT(selection.examine(bare.values(b)), IsEmpty());
  }
}

// The values change slowly; all exchanges are reported, and lead from the old states to the new ones.
TEST(StateSelection, FollowsChangingValues) {
  std::mt19937_64 random(2);
  int exchanged = 0;
  for (int sample = 0; sample < 20; ++sample) {
    const int m = 4, n = 9;
    MatrixXd b = random_matrix(random, m, n);
    const Bare bare(MatrixXd::Ones(m, n));
    StateSelection selection(bare.reduced, bare.entries, hysteresis);
    selection.choose(bare.values(b));
    selection.examine(bare.values(b));
    for (int step = 0; step < 200; ++step) {
      b += 0.05 * random_matrix(random, m, n);
      std::set<int> expected(selection.active().begin(), selection.active().end());
      for (const Exchange& exchange : selection.examine(bare.values(b))) {
        EXPECT_GT(exchange.margin, hysteresis);
        EXPECT_EQ(expected.erase(exchange.out), 1u);
        EXPECT_TRUE(expected.insert(exchange.in).second);
        ++exchanged;
      }
      EXPECT_THAT(selection.active(), testing::ElementsAreArray(expected));
      EXPECT_LE(largest_factor(b, selection.active()), hysteresis * (1.0 + 1e-9));
    }
  }
  EXPECT_GT(exchanged, 20);
}

// Between two examinations the dependent columns may have become singular.
TEST(StateSelection, ChoosesAfreshWhenTheChoiceIsSingular) {
  MatrixXd before(1, 2), after(1, 2);
  before << 1.0, 0.1;
  after << 0.0, 1.0;
  const Bare bare(MatrixXd::Ones(1, 2));
  StateSelection selection(bare.reduced, bare.entries, hysteresis);
  selection.choose(bare.values(before));
  EXPECT_THAT(selection.active(), ElementsAre(1));
  EXPECT_THAT(selection.examine(bare.values(after)), SizeIs(1));
  EXPECT_THAT(selection.active(), ElementsAre(0));
}

TEST(StateSelection, PendulumChangesWhenOneCoordinateIsTwiceTheOther) {
  const auto reduced = samples::reduced(samples::pendulum());
  System system(reduced, Backend::Interpreter);
  StateSelection selection(*reduced, system.choice_entries(), hysteresis);
  std::vector<double> values(system.choice_values()), y(reduced->slots.size(), 0.0), yp(y);
  const auto look = [&](double phi) {
    y[reduced->slot_of({VarId{0}, 0})] = std::cos(phi);
    y[reduced->slot_of({VarId{1}, 0})] = std::sin(phi);
    system.choices({0.0, y, yp}, values);
  };
  look(0.0);
  ASSERT_TRUE(selection.choose(values));
  std::vector<double> angles, margins;
  const double step = 1e-4;
  for (double phi = 0.0; phi < 2.0 * M_PI; phi += step) {
    look(phi);
    if (const auto& exchanges = selection.examine(values); !exchanges.empty()) {
      angles.push_back(phi);
      margins.push_back(exchanges[0].margin);
      EXPECT_THAT(exchanges, SizeIs(2));  // position and velocity
    }
  }
  // |tan| passes 2 and 1/2 alternately: four times per revolution.
  const double a = std::atan(2.0), b = std::atan(0.5);
  ASSERT_THAT(angles, SizeIs(4));
  const double expected[] = {a, M_PI - b, M_PI + a, 2.0 * M_PI - b};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(angles[k], expected[k], 2.0 * step);
    EXPECT_NEAR(margins[k], hysteresis, 1e-3);
  }
}

TEST(StateSelection, PreferredStateStaysLonger) {
  for (const double preference : {1.0, 1e3}) {
    const Bare bare(MatrixXd::Ones(1, 2), {preference, 1.0});
    StateSelection selection(bare.reduced, bare.entries, hysteresis);
    MatrixXd b(1, 2);
    b << 0.1, 1.0;
    selection.choose(bare.values(b));
    ASSERT_THAT(selection.active(), ElementsAre(0));
    b << 1.0, 0.1;  // ten times better the other way round
    selection.examine(bare.values(b));
    EXPECT_THAT(selection.active(), ElementsAre(preference > 1.0 ? 0 : 1));
    b << 1.0, 1e-4;
    selection.examine(bare.values(b));
    EXPECT_THAT(selection.active(), ElementsAre(1));
  }
}

TEST(StateSelection, NoticesDependentRows) {
  std::mt19937_64 random(3);
  for (const int m : {2, 5, 40}) {
    MatrixXd b = random_matrix(random, m, m + 3);
    b.row(m - 1) = b.topRows(m - 1).colwise().sum();
    const Bare bare(b);
    StateSelection selection(bare.reduced, bare.entries, hysteresis);
    EXPECT_FALSE(selection.choose(bare.values(b))) << m;
    EXPECT_GE(selection.dependent_row(), 0);
    EXPECT_LT(selection.dependent_row(), m);
    EXPECT_THAT(selection.active(), SizeIs(3));
  }
}

// Many pendulums side by side in one choice: the best choice for each is the best for all, for any number of them.
TEST(StateSelection, LargeChoicesAreMadeLikeSmallOnes) {
  std::mt19937_64 random(4);
  for (const int m : {10, 24, 25, 60, 250}) {
    MatrixXd b = MatrixXd::Zero(m, 2 * m);
    std::vector<int> expected;
    for (int i = 0; i < m; ++i) {
      const double phi = std::uniform_real_distribution<double>(0.0, 6.283)(random);
      b(i, 2 * i) = std::cos(phi), b(i, 2 * i + 1) = std::sin(phi);
      expected.push_back(std::abs(b(i, 2 * i)) >= std::abs(b(i, 2 * i + 1)) ? 2 * i + 1 : 2 * i);
    }
    const Bare bare(b);
    StateSelection selection(bare.reduced, bare.entries, hysteresis);
    EXPECT_TRUE(selection.choose(bare.values(b)));
    EXPECT_EQ(selection.active(), expected);
  }
}

// A chain of links: each constraint contains its own and the previous point.
TEST(StateSelection, LargeChoicesStayWellConditioned) {
  std::mt19937_64 random(5);
  const int m = 80;
  std::vector<double> angle(m, 0.3);
  const auto matrix = [&] {
    MatrixXd b = MatrixXd::Zero(m, 2 * m);
    for (int i = 0; i < m; ++i) {
      const double dx = std::cos(angle[i]), dy = std::sin(angle[i]);
      b(i, 2 * i) = dx, b(i, 2 * i + 1) = dy;
      if (i > 0) b(i, 2 * i - 2) = -dx, b(i, 2 * i - 1) = -dy;
    }
    return b;
  };
  const Bare bare(matrix());
  StateSelection selection(bare.reduced, bare.entries, hysteresis);
  ASSERT_TRUE(selection.choose(bare.values(matrix())));
  for (int step = 0; step < 100; ++step) {
    for (double& a : angle) a += std::uniform_real_distribution<double>(-0.2, 0.2)(random);
    selection.examine(bare.values(matrix()));
    EXPECT_THAT(selection.active(), SizeIs(m));
    EXPECT_LT(largest_factor(matrix(), selection.active()), 20.0);
  }
}

// A small and a large choice. If values have changed little, a large one is not examined again: this depends on the
// last examination.
TEST(StateSelection, ExaminesTheSameWhereItIsRead) {
  std::mt19937_64 random(5);
  for (const int m : {2, 30}) {
    const Bare bare(MatrixXd::Ones(m, m + 3));
    StateSelection writes(bare.reduced, bare.entries, hysteresis);
    MatrixXd b = random_matrix(random, m, m + 3);
    ASSERT_TRUE(writes.choose(bare.values(b)));
    int exchanges = 0;
    for (int k = 0; k < 200; ++k) {
      Archive writer;
      writes.archive(writer);
      StateSelection reads(bare.reduced, bare.entries, hysteresis);
      Archive reader(writer.bytes());
      reads.archive(reader);
      EXPECT_EQ(reads.active(), writes.active());
      const MatrixXd change = random_matrix(random, m, m + 3);
      b = k % 4 == 0 ? change : MatrixXd(b + 0.01 * change);
      const std::vector<Exchange> expected = writes.examine(bare.values(b)), found = reads.examine(bare.values(b));
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t e = 0; e < found.size(); ++e) {
        EXPECT_EQ(found[e].in, expected[e].in);
        EXPECT_EQ(found[e].margin, expected[e].margin);
      }
      EXPECT_EQ(reads.active(), writes.active());
      exchanges += static_cast<int>(expected.size());
    }
    EXPECT_GT(exchanges, 5) << m;
  }
}

// The determinant changes its sign between the point before writing and the one after reading.
TEST(ForcedStates, NoticeASingularityBehindTheirReading) {
  const auto reduced = samples::reduced(samples::pendulum());
  System system(reduced, Backend::Interpreter);
  std::vector<double> values(system.choice_values(), 1.0);
  ForcedStates writes(*reduced, system.choice_entries(), true), reads(*reduced, system.choice_entries(), true);
  StateSelection selection(*reduced, system.choice_entries(), hysteresis);
  ASSERT_TRUE(selection.choose(values));
  EXPECT_FALSE(writes.passed(values, selection.active()));
  Archive writer;
  writes.archive(writer);
  Archive reader(writer.bytes());
  reads.archive(reader);
  for (double& value : values) value = -value;
  EXPECT_TRUE(reads.passed(values, selection.active()));
}

}  // namespace
}  // namespace driftless
