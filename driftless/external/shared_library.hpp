// A shared library of the system, loaded for as long as somebody holds it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <variant>

namespace driftless::external {

class SharedLibrary {
 public:
  // The library, or why it cannot be loaded. A name without a slash is looked for where the system keeps libraries.
  static std::variant<std::shared_ptr<SharedLibrary>, std::string> open(const std::string& file);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  void* find(const std::string& symbol) const;  // null if it has none of this name
  const std::string& file() const { return file_; }
  // C functions need not be fit for several threads: one call at a time.
  std::mutex& one_at_a_time() const { return mutex_; }

 private:
  SharedLibrary(std::string file, void* handle) : file_(std::move(file)), handle_(handle) {}

  std::string file_;
  void* handle_;
  mutable std::mutex mutex_;
};

// A C text made into a shared library by the compiler `cc`, or the one that the variable CC of the environment names.
// What it says if it refuses the text.
struct CText {
  std::string text;
  std::string folder_of_headers = {};  // empty: none
};
std::variant<std::shared_ptr<SharedLibrary>, std::string> compile(const CText& text);

}  // namespace driftless::external
