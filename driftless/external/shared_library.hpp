// A shared library of the system, loaded during the lifetime of this object.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <variant>

namespace driftless::external {

class SharedLibrary {
 public:
  // The library, or the reason why it cannot be loaded. A name without a slash is searched in the system's library
  // path.
  static std::variant<std::shared_ptr<SharedLibrary>, std::string> open(const std::string& file);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  void* find(const std::string& symbol) const;  // null if it has none of this name
  const std::string& file() const { return file_; }
  // C functions may not be thread-safe: only one call at a time.
  std::mutex& one_at_a_time() const { return mutex_; }

 private:
  SharedLibrary(std::string file, void* handle) : file_(std::move(file)), handle_(handle) {}

  std::string file_;
  void* handle_;
  mutable std::mutex mutex_;
};

// C text, compiled to a shared library by `cc` or by the compiler named in the environment variable CC. Otherwise the
// compiler's messages.
struct CText {
  std::string text;
  std::string folder_of_headers = {};  // empty: none
};
std::variant<std::shared_ptr<SharedLibrary>, std::string> compile(const CText& text);

}  // namespace driftless::external
