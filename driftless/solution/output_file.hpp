// A file that is either written completely or not at all: the bytes go to a temporary neighbour, `x.csv.<random>.part`,
// which takes the final name in commit(). Until then an old file of that name stays as it is. Without a commit nothing
// remains. The temporary file is always new: no link is followed, no other file is touched. Devices and pipes
// (/dev/stdout) are written directly.
//
// A file of rows is of use before it is complete. Its bytes are handed to the operating system at least once a second,
// in pieces that end where a write() ended, so a killed process leaves a temporary file that can be read.
//
// Errors are sticky: callers may go on writing and check once at the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace driftless {

class OutputFile {
 public:
  enum class Kind {
    Whole,  // useless unless complete
    Rows,   // if the disk is full, the rows written so far are kept under the temporary name
  };

  explicit OutputFile(std::filesystem::path path, Kind kind = Kind::Whole);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);                            // buffered
  void overwrite(std::size_t position, std::string_view bytes);  // bytes already on disk; not for devices and pipes
  void start_over();                                             // discards everything written
  void flush();

  bool failed() const { return error_ != 0; }
  std::size_t on_disk() const { return on_disk_; }  // bytes

  // Nothing on success, otherwise "cannot write 'x.csv': Permission denied".
  [[nodiscard]] std::optional<std::string> commit();

 private:
  void open_neighbour(std::filesystem::perms permissions, bool replaces);
  void fail();  // keeps the first error; reads errno
  std::string problem() const;

  std::filesystem::path path_;
  std::filesystem::path destination_;  // path_ with symbolic links followed
  std::filesystem::path temporary_;    // empty when writing directly
  std::string buffer_;
  Kind kind_;
  std::size_t on_disk_ = 0;
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
  int descriptor_ = -1;
  int error_ = 0;
};

// Writes the whole text at once; the same error text.
[[nodiscard]] std::optional<std::string> write_file(const std::filesystem::path& path, std::string_view text);

// Why a file of this name could not be written, found by creating its temporary file and removing it again.
[[nodiscard]] std::optional<std::string> write_problem(const std::filesystem::path& path);

// For a process that ends at once, in a signal handler too: files of rows take their final names, all others vanish.
void end_output_files() noexcept;

}  // namespace driftless
