#include "driftless/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "driftless/sweep/follow.hpp"
#include "driftless/sweep/letters.hpp"
#include "driftless/sweep/one_run.hpp"

namespace driftless::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_ahead = 4096;  // completed runs that may wait for an earlier one
constexpr auto between_questions = std::chrono::milliseconds(100);
constexpr auto between_letters = std::chrono::milliseconds(1);
constexpr auto patience = std::chrono::milliseconds(500);  // how long to wait for processes that were told to stop

// Threads of this process take the next free run; other processes take blocks of them.
class Leader {
 public:
  Leader(const Compiled& compiled, const Plan& plan, const Options& options,
         const std::function<bool(const Row&)>& take)
      : plan_(plan),
        options_(options),
        take_(take),
        one_run_(compiled, plan, options, [this] { return !stops_; }),
        others_(options.processes),
        followers_(others_ ? others_->size() - 1 : 0) {
    next_ = turn_ = options.first;
    if (others_) identity_ = identity_of(compiled, plan, options);
    given_.resize(followers_ + 1);
  }

  std::size_t run() {
    std::vector<std::thread> threads;
    const std::size_t left = plan_.runs() > options_.first ? plan_.runs() - options_.first : 0;
    const auto count = static_cast<unsigned>(std::min<std::size_t>(std::max(options_.threads, 1U), left));
    active_ = count;
    for (unsigned k = 0; k < count; ++k) threads.emplace_back([this] { work(); });
    watch();
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return turn_ - options_.first;
  }

 private:
  // For the calling thread: checks whether the sweep goes on, and answers the other processes.
  void watch() {
    Clock::time_point question = Clock::now() + between_questions;
    std::unique_lock lock(mutex_);
    while (active_ > 0 || followers_ > 0) {
      changed_.wait_until(lock, others_ ? std::min(question, Clock::now() + between_letters) : question);
      lock.unlock();
      if (others_) attend();
      if (Clock::now() >= question) {
        question = Clock::now() + between_questions;
        if (!stops_ && options_.goes_on && !options_.goes_on()) stop();
      }
      lock.lock();
      if (active_ == 0 && told_to_stop_ && Clock::now() > *told_to_stop_ + patience) break;
    }
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    changed_.notify_all();
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stops_ = true;
    changed_.notify_all();
  }

  void attend() {
    while (auto letter = others_->receive()) {
      try {
        obey(letter->from, read_message(*letter));
      } catch (...) {
        fail(std::current_exception());
      }
    }
    if (stops_ && !told_to_stop_) {
      told_to_stop_ = Clock::now();
      for (int rank = 1; rank < others_->size(); ++rank) send(*others_, rank, {.kind = Message::Kind::Stop});
    }
    while (!stops_ && !requests_.empty() && give(requests_.front().first, requests_.front().second))
      requests_.pop_front();
  }

  void obey(int from, Message message) {
    switch (message.kind) {
      case Message::Kind::Hello:
        if (message.text != identity_)
          throw ProcessError(
              fmt::format("process {} has another model, other values or other options than process 0", from));
        break;
      case Message::Kind::Request: requests_.emplace_back(from, message.count); break;
      case Message::Kind::Rows:
        given_[from] -= message.rows.size();
        for (Row& row : message.rows) hand_over(std::move(row));
        break;
      case Message::Kind::Farewell:
        --followers_;
        if (!message.text.empty()) throw ProcessError(fmt::format("process {}: {}", from, message.text));
        if (given_[from] > 0) stop();  // it was interrupted, and its rows will be missing
        break;
      case Message::Kind::Runs:
      case Message::Kind::NoRuns:
      case Message::Kind::Stop: break;
    }
  }

  // False if the process has to wait until earlier rows have arrived.
  bool give(int to, std::uint64_t count) {
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= turn_ + most_ahead && next_ < plan_.runs()) return false;
    }
    const std::size_t first = next_.fetch_add(count);
    Message answer{.kind = Message::Kind::NoRuns};
    if (first < plan_.runs())
      answer = {
          .kind = Message::Kind::Runs, .first = first, .count = std::min<std::uint64_t>(count, plan_.runs() - first)};
    given_[to] += answer.count;
    send(*others_, to, std::move(answer));
    return true;
  }

  void work() {
    try {
      for (;;) {
        const std::size_t run = next_.fetch_add(1);
        if (run >= plan_.runs()) break;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] { return stops_ || run < turn_ + most_ahead; });
        }
        if (stops_) break;
        Row row = one_run_(run);
        if (stops_ && row.outcome == to_code(Outcome::Interrupted)) break;
        hand_over(std::move(row));
      }
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    --active_;
    changed_.notify_all();
  }

  // Passes on a row, which waits until all earlier ones are passed on.
  void hand_over(Row row) {
    const std::lock_guard lock(mutex_);
    const std::size_t run = row.run;
    waiting_.emplace(run, std::move(row));
    while (!stops_ && !waiting_.empty() && waiting_.begin()->first == turn_) {
      const auto first = waiting_.extract(waiting_.begin());
      if (!take_(first.mapped())) stops_ = true;
      ++turn_;
    }
    changed_.notify_all();
  }

  const Plan& plan_;
  const Options& options_;
  const std::function<bool(const Row&)>& take_;
  const OneRun one_run_;
  std::atomic<std::size_t> next_ = 0;  // the first free run, taken by the next idle thread
  std::atomic<bool> stops_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;  // the run whose row is passed on next
  std::map<std::size_t, Row> waiting_;
  unsigned active_ = 0;
  std::exception_ptr failure_;

  // Used by the calling thread only.
  Processes* others_;
  int followers_;  // that have not sent Farewell
  std::string identity_;
  std::deque<std::pair<int, std::uint64_t>> requests_;  // process and number of runs
  std::vector<std::size_t> given_;                      // by process: number of runs whose rows have not arrived
  std::optional<Clock::time_point> told_to_stop_;
};

}  // namespace

std::size_t run(const Compiled& compiled, const Plan& plan, const Options& options,
                const std::function<bool(const Row& row)>& take) {
  if (options.processes && !options.processes->leads()) {
    follow(compiled, plan, options);
    return 0;
  }
  return Leader(compiled, plan, options, take).run();
}

std::vector<Row> run_block(const Compiled& compiled, const Plan& plan, const Options& options, std::size_t first,
                           std::size_t count) {
  const OneRun one_run(compiled, plan, options, [] { return true; });
  std::vector<Row> rows;
  for (std::size_t run = first; run < first + count && run < plan.runs(); ++run) rows.push_back(one_run(run));
  return rows;
}

}  // namespace driftless::sweep
