// A progress bar on a terminal, for runs that take longer than a second. Elsewhere it prints nothing.
#pragma once

#include <chrono>
#include <string>

namespace driftless::cli {

class Progress {
 public:
  Progress(double start, double stop, std::string quantity = "t");
  ~Progress() { finish(); }

  bool update(double t);  // false after Ctrl-C or another signal: the run must stop and keep its results
  void count_event() { ++events_; }
  void finish();  // removes the bar

 private:
  double start_, stop_;
  std::string quantity_;
  bool terminal_, shown_ = false;
  int calls_ = 0;
  long events_ = 0;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace driftless::cli
