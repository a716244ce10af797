#include "driftless/language/deep_stack.hpp"

#include <pthread.h>

#include <exception>

namespace driftless {
namespace {

constexpr std::size_t stack_size = 64 << 20;  // of address space; memory is allocated as it is used

struct Job {
  const std::function<void()>& work;
  std::exception_ptr thrown;
};

void* run(void* pointer) {
  Job& job = *static_cast<Job*>(pointer);
  try {
    job.work();
  } catch (...) {
    job.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void with_deep_stack(const std::function<void()>& work) {
  Job job{work, {}};
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  const bool started =
      pthread_attr_setstacksize(&attributes, stack_size) == 0 && pthread_create(&thread, &attributes, run, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    run(&job);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace driftless
