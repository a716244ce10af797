// Here processes are threads of the test, and messages wait in lists; MPI itself is tested by tests/sweep.
#include "driftless/sweep/processes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "driftless/language/read.hpp"
#include "driftless/sweep/sweep.hpp"

namespace driftless::sweep {
namespace {

struct Post {
  explicit Post(int size) : boxes(size) {}
  std::mutex mutex;
  std::vector<std::deque<Processes::Letter>> boxes;
};

class Threads final : public Processes {
 public:
  Threads(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, std::vector<std::byte> bytes) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes[to].push_back({.from = rank_, .bytes = std::move(bytes)});
  }
  std::optional<Letter> receive() override {
    const std::lock_guard lock(post_.mutex);
    if (post_.boxes[rank_].empty()) return {};
    Letter letter = std::move(post_.boxes[rank_].front());
    post_.boxes[rank_].pop_front();
    return letter;
  }

 private:
  Post& post_;
  int rank_;
};

Compiled decay() {
  return compile(read_model_text("decay.mo", R"(
    model Decay
      parameter Real k = 1;
      Real x(start = 1, fixed = true);
    equation
      der(x) = -k*x;
      assert(k < 90, "too fast");
      annotation(experiment(StopTime = 1));
    end Decay;)"));
}

Plan plan_of(const std::string& vary, std::size_t runs) {
  return std::get<Plan>(Plan::make({std::get<Variation>(parse_variation(vary))}, {.runs = runs, .seed = 3}));
}

struct Together {
  std::vector<Row> rows;
  std::string failure;
};

// `limit`: the number of rows after which the leader stops. `plans`: of each process, the last for all others.
Together sweep_by(int size, const Compiled& compiled, const std::vector<Plan>& plans, std::size_t limit = 1'000'000,
                  int interrupted = -1) {
  Post post(size);
  Together together;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      Threads processes(post, rank);
      const Plan& plan = plans[std::min<std::size_t>(rank, plans.size() - 1)];
      Options options{.keep = {"x"}, .threads = rank == 1 ? 2U : 1U, .processes = &processes};
      options.goes_on = [&, rank] { return rank != interrupted; };
      try {
        run(compiled, plan, options, [&](const Row& row) {
          together.rows.push_back(row);
          return together.rows.size() < limit;
        });
      } catch (const std::exception& error) {
        if (rank == 0) together.failure = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return together;
}

void expect_same(const std::vector<Row>& rows, const std::vector<Row>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].run, k);
    EXPECT_EQ(rows[k].values, expected[k].values);
    EXPECT_EQ(rows[k].outcome, expected[k].outcome);
    EXPECT_EQ(rows[k].message, expected[k].message);
    EXPECT_EQ(std::memcmp(rows[k].results.data(), expected[k].results.data(), sizeof(double)), 0) << k;
  }
}

TEST(Processes, GiveTheRowsOfOneInTheSameOrder) {
  const Compiled compiled = decay();
  const std::vector<Plan> plan = {plan_of("k=uniform(1,100)", 700)};
  const Together alone = sweep_by(1, compiled, plan);
  ASSERT_EQ(alone.rows.size(), 700U);
  EXPECT_TRUE(std::ranges::any_of(alone.rows, [](const Row& row) { return !row.succeeded(); }));
  for (const int size : {2, 4}) expect_same(sweep_by(size, compiled, plan).rows, alone.rows);
}

TEST(Processes, MoreThanThereAreRunsEnd) {
  const Compiled compiled = decay();
  EXPECT_EQ(sweep_by(4, compiled, {plan_of("k=1,2", 2)}).rows.size(), 2U);
}

TEST(Processes, EndWhenTheLeaderTakesNoMoreRows) {
  const Compiled compiled = decay();
  const Together together = sweep_by(3, compiled, {plan_of("k=uniform(1,2)", 100'000)}, 50);
  EXPECT_EQ(together.rows.size(), 50U);
  EXPECT_EQ(together.failure, "");
}

TEST(Processes, EndWhenOneOfThemIsInterrupted) {
  const Compiled compiled = decay();
  const Together together = sweep_by(2, compiled, {plan_of("k=uniform(1,2)", 300'000)}, 1'000'000, 1);
  EXPECT_LT(together.rows.size(), 300'000U);
  for (std::size_t k = 0; k < together.rows.size(); ++k) ASSERT_EQ(together.rows[k].run, k);
}

TEST(Processes, WithOtherValuesAreRefused) {
  const Compiled compiled = decay();
  const Together together =
      sweep_by(2, compiled, {plan_of("k=uniform(1,2)", 300'000), plan_of("k=uniform(1,3)", 300'000)});
  EXPECT_THAT(together.failure, testing::HasSubstr("process 1 has another model, other values or other options"));
}

}  // namespace
}  // namespace driftless::sweep
