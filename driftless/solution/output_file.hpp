// A file that is either written completely or not at all: the text goes to a temporary neighbour
// which takes the final name in commit(). Without a commit nothing remains. Devices and pipes
// (/dev/stdout) have no such neighbour and are written directly.
//
// Errors are sticky: write on, ask once at the end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace driftless {

class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  // buffered

  // Nothing if all is well, otherwise "cannot write 'x.csv': Permission denied".
  [[nodiscard]] std::optional<std::string> commit();

 private:
  void flush();
  void fail();  // keeps the first error; reads errno

  std::filesystem::path path_;
  std::filesystem::path destination_;  // path_ with symbolic links followed
  std::filesystem::path temporary_;    // empty when writing directly
  std::string buffer_;
  int descriptor_ = -1;
  int error_ = 0;
};

// The whole text at once; the same error text.
[[nodiscard]] std::optional<std::string> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace driftless
