#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/interruption.hpp"

namespace driftless::cli {
namespace {
constexpr int width = 40;
}  // namespace

Progress::Progress(double start, double stop, std::string quantity)
    : start_(start),
      stop_(stop),
      quantity_(std::move(quantity)),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

bool Progress::update(double t) {
  announce_results();
  if (is_interrupted()) return false;
  if (!terminal_ || ++calls_ % 64 != 0) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return true;
  last_ = now;
  shown_ = true;
  const double part = std::clamp((t - start_) / (stop_ - start_), 0.0, 1.0);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < part * width ? "█" : "░";
  fmt::print(stderr, "\r{} {:3.0f} %  {} = {:<10.5g} {:.0f} s{}", bar, 100 * part, quantity_, t,
             std::chrono::duration<double>(now - begin_).count(),
             events_ > 0 ? fmt::format(", {} event{}", events_, events_ == 1 ? "" : "s") : "");
  std::fflush(stderr);
  return true;
}

void Progress::finish() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace driftless::cli
