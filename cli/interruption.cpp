#include "cli/interruption.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include "cli/arguments.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless::cli {
namespace {

constexpr unsigned seconds_to_answer = 3;

std::atomic<bool> has_results{false}, asked{false}, prints_json{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void say(int descriptor, const char* text) {
  [[maybe_unused]] const ssize_t written = ::write(descriptor, text, std::strlen(text));
}

// Like to_string(code), but without heap memory: a signal may have arrived during an allocation.
std::array<char, 6> spelt(Code code) {
  std::array<char, 6> text{'D'};
  int number = static_cast<int>(code);
  for (int k = 4; k > 0; --k, number /= 10) text[static_cast<std::size_t>(k)] = static_cast<char>('0' + number % 10);
  return text;
}

void end_by_signal() {
  end_at_once(
      "interrupted", Code::Interrupted,
      has_results ? "interrupted: what has reached the disk is kept" : "interrupted before the first output point");
}

void on_signal(int) {
  if (!has_results || asked.exchange(true)) end_by_signal();
  ::alarm(seconds_to_answer);
}

// A signal that was ignored from the start (nohup, background jobs) stays ignored.
void watch(int signal, void (*handler)(int)) {
  struct sigaction before {};
  if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals(bool json) {
  prints_json = json;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) watch(signal, on_signal);
  watch(SIGALRM, [](int) { end_by_signal(); });
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit becomes a write error
}

void announce_results() { has_results = true; }

bool is_interrupted() {
  if (!asked) return false;
  ::alarm(0);
  return true;
}

void end_at_once(const char* outcome, Code code, const char* message) noexcept {
  end_output_files();
  if (::isatty(STDERR_FILENO) != 0) say(STDERR_FILENO, "\r\033[K");
  say(STDERR_FILENO, "driftless: error ");
  say(STDERR_FILENO, spelt(code).data());
  say(STDERR_FILENO, ": ");
  say(STDERR_FILENO, message);
  say(STDERR_FILENO, "\n");
  if (prints_json) {
    say(STDOUT_FILENO, "{\n  \"model\": null,\n  \"outcome\": \"");
    say(STDOUT_FILENO, outcome);
    say(STDOUT_FILENO, "\",\n  \"code\": \"");
    say(STDOUT_FILENO, spelt(code).data());
    say(STDOUT_FILENO, "\",\n  \"message\": \"");
    say(STDOUT_FILENO, message);
    say(STDOUT_FILENO, "\"\n}\n");
  }
  ::_exit(numerical_failure);
}

}  // namespace driftless::cli
