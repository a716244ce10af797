#include "driftless/connections/streams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace driftless::connections {
namespace {

using ::testing::ElementsAre;
using Form = Mixture::Form;

constexpr StreamConnector inside{Side::Inside}, outside{Side::Outside};

TEST(Streams, SpecialCasesNeedNoFlows) {
  EXPECT_EQ(mixtures(std::vector{inside})[0].form, Form::Own);
  for (const auto& set : {std::vector{inside, inside}, std::vector{inside, outside}, std::vector{outside, outside}}) {
    const auto all = mixtures(set);
    EXPECT_EQ(all[0].form, Form::Single);
    EXPECT_THAT(all[0].feeding, ElementsAre(1));
    EXPECT_EQ(all[1].form, Form::Single);
    EXPECT_THAT(all[1].feeding, ElementsAre(0));
  }
  // min ≥ 0 changes nothing between two.
  EXPECT_EQ(mixtures(std::vector{inside, StreamConnector{Side::Inside, false}})[0].form, Form::Single);
}

TEST(Streams, ConnectorsThatCannotFeedTakeNoPart) {
  const StreamConnector sink{Side::Inside, false}, drain{Side::Outside, false};
  const auto three = mixtures(std::vector{inside, sink, sink});
  EXPECT_EQ(three[0].form, Form::Own);  // nothing can flow into the only feeding connector
  EXPECT_EQ(three[1].form, Form::Single);
  EXPECT_THAT(three[1].feeding, ElementsAre(0));
  const auto with_outside = mixtures(std::vector{sink, sink, outside});
  EXPECT_EQ(with_outside[2].form, Form::Zero);
  EXPECT_EQ(with_outside[0].form, Form::Single);
  EXPECT_THAT(mixtures(std::vector{inside, inside, drain, outside})[0].feeding, ElementsAre(1, 3));
}

// The balance of which the mixture is the solution: 0 = sum m_j (if m_j > 0 or j = i then h_i else h_j), for flows into
// components, with the sign turned for outside connectors.
TEST(Streams, MixturesBalanceWhatFlows) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> flow(-2.0, 2.0), value(-5.0, 5.0);
  int judged = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n = 3 + random() % 4;
    std::vector<StreamConnector> set;
    std::vector<double> m(n), h(n);
    double total = 0.0;  // of what leaves the volume
    for (std::size_t k = 0; k < n; ++k) {
      set.push_back(random() % 2 ? inside : outside);
      m[k] = flow(random);
      h[k] = value(random);
      if (k + 1 == n) m[k] = set[k].side == Side::Inside ? -total : total;
      total += -fed_flow(set[k].side, m[k]);
    }
    ASSERT_NEAR(total, 0.0, 1e-12);
    for (std::size_t i = 0; i < n; ++i) {
      if (fed_flow(set[i].side, m[i]) > -1e-3) continue;  // the balance determines h_i only where flow enters i
      const double mixed = evaluate(mixtures(set)[i], set, m, h, h[i], 1e-6);
      double balance = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        const double into_component = -fed_flow(set[j].side, m[j]);
        balance += into_component * (into_component > 0 || j == i ? mixed : h[j]);
      }
      EXPECT_NEAR(balance, 0.0, 1e-12);
      ++judged;
    }
  }
  EXPECT_GT(judged, 2000);
}

TEST(Streams, MixturesAreContinuousWhereAllFlowsVanish) {
  const std::vector<StreamConnector> set(4, inside);
  const std::vector<double> h = {0.0, 1.0, 2.0, 6.0};
  const Mixture mixture = mixtures(set)[0];
  const double eps = 1e-8;
  const auto at = [&](double scale) {
    return evaluate(mixture, set, std::vector{scale, -0.25 * scale, -0.75 * scale, 0.0}, h, h[0], eps);
  };
  EXPECT_DOUBLE_EQ(at(0.0), 3.0);                  // the mean: all weights are eps
  EXPECT_DOUBLE_EQ(at(1.0), 0.25 * 1 + 0.75 * 2);  // what flows
  EXPECT_DOUBLE_EQ(at(eps), at(1.0));              // not regularized from s = eps on
  double last = at(0.0);
  for (int k = 1; k <= 4000; ++k) {
    const double next = at(k * eps / 2000);
    EXPECT_LT(std::abs(next - last), 2e-3);
    last = next;
  }
}

}  // namespace
}  // namespace driftless::connections
