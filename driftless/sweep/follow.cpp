#include "driftless/sweep/follow.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "driftless/sweep/letters.hpp"
#include "driftless/sweep/one_run.hpp"

namespace driftless::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double seconds_of_a_block = 0.05;  // short compared to a sweep, long compared to a message
constexpr std::uint64_t longest_block = 512;
constexpr auto between_letters = std::chrono::milliseconds(1);
constexpr auto between_questions = std::chrono::milliseconds(100);
constexpr std::size_t rows_of_a_letter = 64;

// Threads execute the runs of a queue; the calling thread sends messages.
class Follower {
 public:
  Follower(const Compiled& compiled, const Plan& plan, const Options& options)
      : options_(options),
        leader_(*options.processes),
        threads_(std::max(options.threads, 1U)),
        one_run_(compiled, plan, options, [this] { return !stops_; }) {
    send(leader_, 0, {.kind = Message::Kind::Hello, .text = identity_of(compiled, plan, options)});
  }

  void run() {
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < threads_; ++k) threads.emplace_back([this] { work(); });
    converse();
    for (std::thread& thread : threads) thread.join();
    send_rows(0);
    send(leader_, 0, {.kind = Message::Kind::Farewell, .text = failure_});
  }

 private:
  void converse() {
    Clock::time_point question = Clock::now() + between_questions;
    while (!stops_) {
      while (auto letter = leader_.receive()) obey(read_message(*letter));
      request();
      send_rows(rows_of_a_letter);
      if (Clock::now() >= question) {
        question = Clock::now() + between_questions;
        send_rows(0);
        if (options_.goes_on && !options_.goes_on()) stop();
      }
      std::unique_lock lock(mutex_);
      if (is_last_ && queue_.empty() && busy_ == 0) stops_ = true;
      if (!stops_) changed_.wait_for(lock, between_letters);
    }
    stop();
  }

  void obey(const Message& message) {
    const std::lock_guard lock(mutex_);
    if (message.kind == Message::Kind::Stop) stops_ = true;
    if (message.kind == Message::Kind::NoRuns) is_last_ = true;
    if (message.kind == Message::Kind::Runs) {
      is_waiting_ = false;
      for (std::uint64_t k = 0; k < message.count; ++k) queue_.push_back(message.first + k);
      changed_.notify_all();
    }
  }

  // Requests as many runs as keep the threads busy until the next message.
  void request() {
    std::uint64_t count = threads_;
    {
      const std::lock_guard lock(mutex_);
      if (is_waiting_ || is_last_) return;
      if (done_ > 0) {
        const double each = seconds_ / static_cast<double>(done_);
        const double block = seconds_of_a_block * threads_ / std::max(each, 1e-9);
        count = static_cast<std::uint64_t>(std::clamp(block, static_cast<double>(threads_), double(longest_block)));
      }
      if (queue_.size() > count / 2) return;
      is_waiting_ = true;
    }
    send(leader_, 0, {.kind = Message::Kind::Request, .count = count});
  }

  // Sends rows if there are more than `few`, or if no runs are left.
  void send_rows(std::size_t few) {
    Message message{.kind = Message::Kind::Rows};
    {
      const std::lock_guard lock(mutex_);
      if (rows_.empty() || (rows_.size() <= few && !queue_.empty())) return;
      message.rows.swap(rows_);
    }
    send(leader_, 0, std::move(message));
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    changed_.notify_all();
  }

  void work() {
    try {
      while (const auto run = next()) {
        const Clock::time_point begin = Clock::now();
        Row row = one_run_(*run);
        const std::chrono::duration<double> spent = Clock::now() - begin;
        const std::lock_guard lock(mutex_);
        --busy_;
        if (stops_ && row.outcome == to_code(Outcome::Interrupted)) return;
        seconds_ += spent.count();
        ++done_;
        rows_.push_back(std::move(row));
        if (queue_.empty()) changed_.notify_all();
      }
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      if (failure_.empty()) failure_ = error.what();
      stops_ = true;
      changed_.notify_all();
    }
  }

  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stops_ || !queue_.empty(); });
    if (stops_) return {};
    const std::size_t run = queue_.front();
    queue_.pop_front();
    ++busy_;
    return run;
  }

  const Options& options_;
  Processes& leader_;
  const unsigned threads_;
  std::atomic<bool> stops_ = false;
  const OneRun one_run_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> queue_;
  unsigned busy_ = 0;  // threads
  std::vector<Row> rows_;
  std::size_t done_ = 0;
  double seconds_ = 0.0;
  bool is_waiting_ = false;  // for the answer to a request
  bool is_last_ = false;     // no more runs will come for this process
  std::string failure_;
};

}  // namespace

void follow(const Compiled& compiled, const Plan& plan, const Options& options) {
  Follower(compiled, plan, options).run();
}

}  // namespace driftless::sweep
