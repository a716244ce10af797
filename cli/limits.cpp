#include "cli/limits.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <string>

#include "cli/interruption.hpp"

namespace driftless::cli {
namespace {

constexpr double largest_part = 0.9;  // of the memory that there is

// Of the container, in either version of control groups; a word instead of a number means that there is none.
double limit_in(const char* file) {
  double bytes = 0.0;
  std::ifstream in(file);
  return in >> bytes && bytes > 0.0 ? bytes : std::numeric_limits<double>::infinity();
}

}  // namespace

void keep_standard_streams() {
  // Writing to a descriptor that was opened for reading fails, as writing to a closed one does; so for both kinds.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  const double machine = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const double bytes = largest_part * std::min({machine, limit_in("/sys/fs/cgroup/memory.max"),
                                                limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
  struct rlimit limit {};
  if (!(bytes > 0.0) || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const auto wanted = static_cast<rlim_t>(bytes);
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= wanted) return;
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

void explain_terminations() {
  std::set_terminate([] {
    if (const std::exception_ptr current = std::current_exception()) try {
        std::rethrow_exception(current);
      } catch (const std::bad_alloc&) {
        end_at_once("out_of_memory", "out of memory");
      } catch (...) {
      }
    end_at_once("internal_error", "an internal error: please report it with the model");
  });
}

bool standard_output_arrived() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace driftless::cli
