#include "driftless/external/utilities.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace driftless::external {

namespace {

struct Call {
  std::jmp_buf back;
  std::string message;
};

thread_local Call* under_way = nullptr;
thread_local std::vector<std::unique_ptr<char[]>> allocated;

[[noreturn]] void leave(const char* message) {
  if (!under_way) std::abort();  // not inside a guarded call: there is no place to return to
  under_way->message = message;
  std::longjmp(under_way->back, 1);
}

char* allocate(std::size_t length) {
  allocated.push_back(std::make_unique<char[]>(length + 1));
  return allocated.back().get();
}

}  // namespace

std::optional<std::string> guarded(const std::function<void()>& call) {
  constexpr std::size_t kept = 64;  // texts of the last calls, as results of the present one have yet to be read
  if (allocated.size() > kept) allocated.clear();
  Call own;
  Call* const outer = under_way;
  under_way = &own;
  const bool ended = setjmp(own.back) == 0;
  if (ended) call();
  under_way = outer;
  return ended ? std::nullopt : std::optional(own.message);
}

}  // namespace driftless::external

// The names are those of the specification, for C code that is loaded.
extern "C" {

#define DRIFTLESS_FOR_C __attribute__((visibility("default"), used))

DRIFTLESS_FOR_C void ModelicaError(const char* text) { driftless::external::leave(text); }

DRIFTLESS_FOR_C void ModelicaVFormatError(const char* format, va_list values) {
  static thread_local char text[1000];
  std::vsnprintf(text, sizeof text, format, values);
  driftless::external::leave(text);
}

DRIFTLESS_FOR_C void ModelicaFormatError(const char* format, ...) {
  va_list values;
  va_start(values, format);
  ModelicaVFormatError(format, values);
}

DRIFTLESS_FOR_C void ModelicaMessage(const char* text) { std::fputs(text, stderr); }
DRIFTLESS_FOR_C void ModelicaWarning(const char* text) { std::fputs(text, stderr); }

DRIFTLESS_FOR_C void ModelicaVFormatMessage(const char* format, va_list values) {
  std::vfprintf(stderr, format, values);
}
DRIFTLESS_FOR_C void ModelicaVFormatWarning(const char* format, va_list values) {
  std::vfprintf(stderr, format, values);
}

DRIFTLESS_FOR_C void ModelicaFormatMessage(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
}

DRIFTLESS_FOR_C void ModelicaFormatWarning(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
}

DRIFTLESS_FOR_C char* ModelicaAllocateString(std::size_t length) { return driftless::external::allocate(length); }
DRIFTLESS_FOR_C char* ModelicaAllocateStringWithErrorReturn(std::size_t length) {
  return driftless::external::allocate(length);
}
DRIFTLESS_FOR_C char* ModelicaDuplicateString(const char* text) {
  char* copy = driftless::external::allocate(std::strlen(text));
  std::strcpy(copy, text);
  return copy;
}
DRIFTLESS_FOR_C char* ModelicaDuplicateStringWithErrorReturn(const char* text) { return ModelicaDuplicateString(text); }
}
