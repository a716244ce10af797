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

constexpr double largest_part = 0.9;   // of the memory that is free
constexpr double least_limit = 256e6;  // bytes: with less the program cannot work

constexpr double unlimited = std::numeric_limits<double>::infinity();

// The number in a file, or after a word in it; a word instead of a number means no limit.
double number_in(const char* file, const std::string& name = {}) {
  std::ifstream in(file);
  for (std::string word; !name.empty() && in >> word && word != name;) continue;
  double number = 0.0;
  return in >> number ? number : unlimited;
}

// The free memory of the machine and of the container, for both versions of control groups.
double free_memory() {
  const double machine = 1024.0 * number_in("/proc/meminfo", "MemAvailable:");
  const double group = number_in("/sys/fs/cgroup/memory.max");
  const double old_group = number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  double free = machine;
  if (group < unlimited) free = std::min(free, group - number_in("/sys/fs/cgroup/memory.current"));
  if (old_group < unlimited)
    free = std::min(free, old_group - number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
  return free;
}

}  // namespace

void keep_standard_streams() {
  // Opened in the wrong mode, so that reading or writing fails as for a closed descriptor.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
  const double bytes = std::max(largest_part * free_memory(), least_limit);
  struct rlimit limit {};
  if (!(bytes < unlimited) || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const auto wanted = static_cast<rlim_t>(bytes);
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= wanted) return;
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

void raise_stack_limit() {
  constexpr rlim_t usual = 8 << 20;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= usual) return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? usual : std::min(usual, limit.rlim_max);
  ::setrlimit(RLIMIT_STACK, &limit);
}

void explain_terminations() {
  std::set_terminate([] {
    constexpr const char* message = "an internal error: please report it with the model";
    if (const std::exception_ptr current = std::current_exception()) try {
        std::rethrow_exception(current);
      } catch (const std::bad_alloc&) {
        end_at_once("out_of_memory", Code::OutOfMemory, "out of memory");
      } catch (...) {
        end_at_once("internal_error", Code::InternalError, message);
      }
    end_at_once("internal_error", Code::InternalError, message);
  });
}

bool standard_output_arrived() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

}  // namespace driftless::cli
