// A file that is either written completely or not at all: the bytes go to a temporary neighbour, `x.csv.<random>.part`,
// which takes the final name in commit(). Until then an old file of that name stays as it is. Without a commit nothing
// remains. The neighbour is a new file, whatever lies in the folder: no link is followed, no other file is touched.
// Devices and pipes (/dev/stdout) have no such neighbour and are written directly.
//
// A file of rows is of use before it is complete. Its bytes are handed to the operating system at least once a second,
// in pieces that end where a write() ended, so a killed process leaves a neighbour that can be read.
//
// Errors are sticky: write on, ask once at the end.
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
    Whole,  // of no use unless complete
    Rows,   // what was written is kept under its temporary name if the disk is full
  };

  explicit OutputFile(std::filesystem::path path, Kind kind = Kind::Whole);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);                            // buffered
  void overwrite(std::size_t position, std::string_view bytes);  // what has reached the disk; not in devices and pipes
  void start_over();                                             // forgets all that was written
  void flush();

  bool failed() const { return error_ != 0; }
  std::size_t on_disk() const { return on_disk_; }  // bytes

  // Nothing if all is well, otherwise "cannot write 'x.csv': Permission denied".
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

// The whole text at once; the same error text.
[[nodiscard]] std::optional<std::string> write_file(const std::filesystem::path& path, std::string_view text);

// Why a file of this name could not be written, found out by creating its neighbour and removing it again.
[[nodiscard]] std::optional<std::string> write_problem(const std::filesystem::path& path);

// For a process that ends at once, in a signal handler too: files of rows take their final names, all others vanish.
void end_output_files() noexcept;

}  // namespace driftless
