#include "driftless/sweep/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <cstring>
#include <sstream>

#include "driftless/language/read.hpp"
#include "driftless/sweep/numbers.hpp"
#include "driftless/sweep/table.hpp"

namespace driftless::sweep {
namespace {

Plan plan_of(const std::vector<std::string>& texts, const Plan::Options& options = {}) {
  std::vector<Variation> variations;
  for (const std::string& text : texts) variations.push_back(std::get<Variation>(parse_variation(text)));
  return std::get<Plan>(Plan::make(std::move(variations), options));
}

std::string problem_of(const std::vector<std::string>& texts, const Plan::Options& options = {}) {
  std::vector<Variation> variations;
  for (const std::string& text : texts) {
    auto parsed = parse_variation(text);
    if (const auto* problem = std::get_if<std::string>(&parsed)) return *problem;
    variations.push_back(std::get<Variation>(parsed));
  }
  auto made = Plan::make(std::move(variations), options);
  return std::holds_alternative<std::string>(made) ? std::get<std::string>(made) : "";
}

Compiled decay() {
  return compile(read_model_text("decay.mo", R"(
    model Decay
      parameter Real k = 1, limit = 100;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -k*x;
      assert(k*x < limit, "too fast");
      annotation(experiment(StopTime = 1));
    end Decay;)"),
                 {.tolerance = 1e-10});
}

std::vector<Row> rows_of(const Compiled& compiled, const Plan& plan, const Options& options) {
  std::vector<Row> rows;
  run(compiled, plan, options, [&](const Row& row) {
    rows.push_back(row);
    return true;
  });
  return rows;
}

bool same_bits(const Row& a, const Row& b) {
  const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), 8 * x.size()) == 0;
  };
  return a.run == b.run && a.outcome == b.outcome && a.code == b.code && a.message == b.message &&
         a.reached == b.reached && same(a.values, b.values) && same(a.results, b.results);
}

TEST(SweepNumbers, LogAndExpAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.7)
    EXPECT_NEAR(log_of(x), std::log(x), 4e-16 * std::abs(std::log(x)) + 3e-16);
  for (double x = -600; x < 600; x += 0.37) EXPECT_NEAR(exp_of(x) / std::exp(x), 1.0, 4e-15);
}

TEST(SweepNumbers, TheNormalQuantileInvertsItsDistribution) {
  for (double p = 1e-12; p < 0.5; p *= 1.3) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1.0, 2e-13) << p;
    EXPECT_NEAR(normal_quantile(1.0 - p), -x, 1e-3) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 2e-15);
}

TEST(SweepNumbers, DrawsAreForEver) {
  const std::uint64_t stream = stream_of(7, "m");
  EXPECT_EQ(uniform(stream, 0), 0.34117682231934715);  // computed by another program
  EXPECT_EQ(uniform(stream, 1), 0.34771187252969155);
  EXPECT_EQ(uniform(stream, 999), 0.2997591373914948);
  EXPECT_NEAR(normal_quantile(uniform(stream, 0)), -0.4092534886711288, 1e-15);
  EXPECT_NE(uniform(stream, 0), uniform(stream_of(7, "L"), 0));
  double sum = 0.0, square = 0.0;
  constexpr int n = 200'000;
  for (int k = 0; k < n; ++k) {
    const double z = normal_quantile(uniform(stream, static_cast<std::uint64_t>(k)));
    sum += z, square += z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1.0, 4.0 * std::sqrt(2.0 / n));
}

TEST(SweepPlan, GridsAreCombinedTheLastFastest) {
  const Plan plan = plan_of({"a=1,2", "b=0:1:3"});
  ASSERT_EQ(plan.runs(), 6U);
  EXPECT_EQ(plan.values(1), (std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(plan.values(3), (std::vector<double>{2.0, 0.0}));
}

TEST(SweepPlan, RangesWithAConstantRatio) {
  const Plan plan = plan_of({"a=0.01:100:5:log"});
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_NEAR(plan.values(k)[0] / std::pow(10.0, static_cast<double>(k) - 2.0), 1.0, 4e-15);
}

TEST(SweepPlan, DistributionsHaveTheirMeans) {
  const Plan plan = plan_of({"u=uniform(2,4)", "n=normal(1,0.1,seed=7)", "l=lognormal(2,1.5)", "t=triangular(0,1,3)"},
                            {.runs = 100'000, .seed = 3});
  std::vector<double> mean(4, 0.0);
  int below_median = 0;
  for (std::size_t k = 0; k < plan.runs(); ++k) {
    const std::vector<double> values = plan.values(k);
    for (std::size_t j = 0; j < 4; ++j) mean[j] += values[j] / static_cast<double>(plan.runs());
    below_median += values[2] < 2.0;
    ASSERT_TRUE(values[0] > 2.0 && values[0] < 4.0 && values[3] > 0.0 && values[3] < 3.0);
  }
  EXPECT_NEAR(mean[0], 3.0, 0.01);
  EXPECT_NEAR(mean[1], 1.0, 0.002);
  EXPECT_NEAR(below_median / 1e5, 0.5, 0.007);
  EXPECT_NEAR(mean[3], 4.0 / 3.0, 0.01);
}

TEST(SweepPlan, SaysWhatIsWrong) {
  using ::testing::HasSubstr;
  EXPECT_THAT(problem_of({"a"}), HasSubstr("name=values"));
  EXPECT_THAT(problem_of({"a=1:2"}), HasSubstr("first:last:count"));
  EXPECT_THAT(problem_of({"a=1:2:0"}), HasSubstr("not between 1 and"));
  EXPECT_THAT(problem_of({"a=1:x:3"}), HasSubstr("are not three numbers"));
  EXPECT_THAT(problem_of({"a=-1:1:3:log"}), HasSubstr("positive ends"));
  EXPECT_THAT(problem_of({"a=1,b"}), HasSubstr("'b' is not a number"));
  EXPECT_THAT(problem_of({"a=gauss(0,1)"}), HasSubstr("no distribution 'gauss'"));
  EXPECT_THAT(problem_of({"a=normal(0)"}), HasSubstr("needs 2 numbers"));
  EXPECT_THAT(problem_of({"a=normal(0,0)"}), HasSubstr("positive deviation"));
  EXPECT_THAT(problem_of({"a=normal(0,1,seed=-1)"}), HasSubstr("whole number"));
  EXPECT_THAT(problem_of({"a=normal(0,1)"}), HasSubstr("need a number of runs"));
  EXPECT_THAT(problem_of({"a=1,2", "a=3"}), HasSubstr("varies twice"));
  EXPECT_THAT(problem_of({"a=1:2:3"}, {.runs = 6}), HasSubstr("nothing is random"));
  EXPECT_THAT(problem_of({"a=1:2:3", "b=uniform(0,1)"}, {.runs = 7}), HasSubstr("not a multiple"));
}

TEST(Sweep, RunsAreThoseOfTheClosedForm) {
  const Plan plan = plan_of({"k=0.5:2:7", "x=1,3"});
  const std::vector<Row> rows = rows_of(decay(), plan, {.keep = {"x", "max(x)", "min(x)"}});
  ASSERT_EQ(rows.size(), 14U);
  for (const Row& row : rows) {
    ASSERT_TRUE(row.succeeded()) << row.message;
    EXPECT_NEAR(row.results[0], row.values[1] * std::exp(-row.values[0]), 1e-8);
    EXPECT_EQ(row.results[1], row.values[1]);
    EXPECT_EQ(row.results[2], row.results[0]);
  }
}

TEST(Sweep, AnyNumberOfThreadsGivesTheSameBitsInTheSameOrder) {
  const Compiled compiled = decay();
  const Plan plan = plan_of({"k=normal(1,0.2)", "x=uniform(1,2)"}, {.runs = 300, .seed = 1});
  const std::vector<Row> one = rows_of(compiled, plan, {.threads = 1});
  for (const unsigned threads : {2U, 5U}) {
    const std::vector<Row> many = rows_of(compiled, plan, {.threads = threads});
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t k = 0; k < one.size(); ++k) ASSERT_TRUE(same_bits(one[k], many[k])) << k;
  }
}

TEST(Sweep, FailuresAreRowsWithReasons) {
  const std::vector<Row> rows = rows_of(decay(), plan_of({"k=1,200,2"}), {});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].succeeded() && rows[2].succeeded());
  EXPECT_EQ(rows[1].outcome, "assertion_violated");
  EXPECT_EQ(rows[1].code, "D0711");
  EXPECT_THAT(rows[1].message, ::testing::HasSubstr("too fast"));
  EXPECT_TRUE(std::isnan(rows[1].results[0]));
}

TEST(Sweep, ValuesThatTheModelForbidsAreRefused) {
  const Compiled compiled = compile(read_model_text("m.mo", R"(
    model M
      parameter Real k = 1;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -k*x;
      assert(k < 100, "too fast");
    end M;)"));
  const std::vector<Row> rows = rows_of(compiled, plan_of({"k=1,200"}), {});
  EXPECT_TRUE(rows[0].succeeded());
  EXPECT_EQ(rows[1].outcome, "refused");
  EXPECT_EQ(rows[1].code, "D0238");
  EXPECT_THAT(rows[1].message, ::testing::HasSubstr("too fast"));
}

TEST(Sweep, UnknownNamesAreRefusedBeforeTheFirstRun) {
  const Compiled compiled = decay();
  const auto nothing = [](const Row&) { return true; };
  EXPECT_THROW(run(compiled, plan_of({"kk=1,2"}), {}, nothing), ModelError);
  EXPECT_THROW(run(compiled, plan_of({"k=1,2"}), {.keep = {"y"}}, nothing), ModelError);
}

TEST(Sweep, EndsWhenItIsTold) {
  const Plan plan = plan_of({"k=uniform(1,2)"}, {.runs = 5'000'000});
  std::size_t taken = 0;
  const std::size_t done = run(decay(), plan, {.threads = 2}, [&](const Row&) { return ++taken < 10; });
  EXPECT_EQ(done, 10U);
  int asked_for = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto goes_on = [&] { return ++asked_for < 3; };
  const std::size_t asked = run(decay(), plan, {.threads = 2, .goes_on = goes_on}, [](const Row&) { return true; });
  EXPECT_EQ(asked_for, 3);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(300));
  EXPECT_LT(asked, plan.runs());
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Interrupted after any number of rows, and within a line, a sweep can be continued to the same bytes.
TEST(SweepTable, AnInterruptedSweepGoesOnToTheSameBytes) {
  const std::filesystem::path folder = ::testing::TempDir();
  const Compiled compiled = decay();
  const Plan plan = plan_of({"k=normal(1,0.2)", "limit=1,100"}, {.runs = 40});
  const std::vector<Kept> keep = kept(compiled.model(), {});
  const auto write_all = [&](TableFile& file, std::size_t first, std::size_t most) {
    std::size_t count = 0;
    run(compiled, plan, {.threads = 2, .first = first},
        [&](const Row& row) { return file.write(row) && ++count < most; });
  };
  TableFile whole(folder / "whole.csv", "id", plan, keep);
  write_all(whole, 0, 1000);
  ASSERT_EQ(whole.commit(), std::nullopt);
  const std::string expected = text_of(folder / "whole.csv");
  for (const std::size_t stop : {1U, 13U, 39U}) {
    const std::filesystem::path path = folder / "part.csv";
    {
      TableFile file(path, "id", plan, keep);
      write_all(file, 0, stop);
    }
    std::ofstream(path.string() + ".part", std::ios::app) << "17,0.9";  // a line that was being written
    TableFile again(path, "id", plan, keep);
    const auto known = again.resume();
    ASSERT_TRUE(std::holds_alternative<std::vector<Row>>(known)) << std::get<std::string>(known);
    ASSERT_EQ(std::get<0>(known).size(), stop);
    write_all(again, stop, 1000);
    ASSERT_EQ(again.commit(), std::nullopt);
    EXPECT_EQ(text_of(path), expected);
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".sweep"));
  }
}

TEST(SweepTable, FilesOfOtherSweepsAreNotContinued) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "other.csv";
  const Plan plan = plan_of({"k=1,2"});
  const std::vector<Kept> keep = kept(decay().model(), {});
  {
    TableFile file(path, "one", plan, keep);
    Row row;
    row.values = {1.0}, row.outcome = "success", row.results = {0.5};
    file.write(row);
  }
  TableFile other(path, "two", plan, keep);
  EXPECT_TRUE(std::holds_alternative<std::string>(other.resume()));
}

TEST(SweepSummary, QuantilesInterpolate) {
  Summary summary({Kept{.text = "x", .name = "x"}});
  Row row;
  row.outcome = "success";
  for (const double x : {4.0, 1.0, 2.0, 3.0}) {
    row.results = {x};
    summary.add(row);
  }
  row.run = 4, row.outcome = "step_too_small", row.code = "D0703", row.message = "stiff";
  summary.add(row);
  EXPECT_EQ(summary.quantile(0, 0.0), 1.0);
  EXPECT_EQ(summary.quantile(0, 0.5), 2.5);
  EXPECT_EQ(summary.quantile(0, 1.0), 4.0);
  EXPECT_EQ(summary.mean(0), 2.5);
  EXPECT_THAT(summary.text(), ::testing::HasSubstr("1 x step_too_small D0703: stiff (first: run 4)"));
}

TEST(SweepModel, FingerprintsTellModelsApart) {
  const auto of = [](const std::string& k, const std::string& right, const std::string& body) {
    return fingerprint(read_model_text("m.mo", "model M function f input Real x; output Real y; algorithm " + body +
                                                   " end f; parameter Real k = " + k +
                                                   "; Real x; equation der(x) = " + right + "; end M;"));
  };
  const std::string plain = "y := x + 1;", loop = "y := x; while y < 5 loop y := y + 1; end while;";
  EXPECT_EQ(of("1", "f(x)", plain), of("1", "f(x)", plain));
  EXPECT_NE(of("1", "f(x)", plain), of("2", "f(x)", plain));
  EXPECT_NE(of("1", "f(x)", plain), of("1", "f(x) + 1", plain));
  EXPECT_NE(of("1", "f(x)", plain), of("1", "f(x)", "y := x + 2;"));  // the text of the equation is the same
  EXPECT_NE(of("1", "f(x)", loop), of("1", "f(x)", "y := x; while y < 6 loop y := y + 1; end while;"));
  EXPECT_NE(of("1", "f(x)", loop), of("1", "f(x)", "y := x; while y < 5 loop y := y + 2; end while;"));
}

// Compiling adds expressions to the pool of a model, which are not part of it.
TEST(SweepModel, FingerprintsDoNotChangeByCompilation) {
  const auto model = std::make_shared<const Model>(read_model_text(
      "m.mo", "model M Real x(start = 1), y; equation der(x) = -y; y = sin(x) + (if x < 0.5 then 1 else 2); end M;"));
  const std::uint64_t before = fingerprint(*model);
  const Compiled first = compile(model);
  const Compiled again = compile(model);
  EXPECT_EQ(fingerprint(*model), before);
}

}  // namespace
}  // namespace driftless::sweep
