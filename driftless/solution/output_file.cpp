#include "driftless/solution/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace driftless {

namespace fs = std::filesystem;

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), destination_(path_) {
  std::error_code ignored;
  const fs::file_status existing = fs::status(path_, ignored);
  if (fs::is_symlink(fs::symlink_status(path_, ignored)) && fs::exists(existing)) {
    destination_ = fs::canonical(path_, ignored);
  }
  const bool replaces = fs::is_regular_file(existing);
  if (fs::exists(existing) && !replaces) {
    descriptor_ = ::open(destination_.c_str(), O_WRONLY);
  } else if (replaces && ::access(destination_.c_str(), W_OK) != 0) {
    fail();  // a write-protected file is not ours to replace, although rename could
  } else {
    temporary_ = destination_;
    temporary_ += fmt::format(".{}.part", ::getpid());
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (replaces && descriptor_ >= 0) fs::permissions(temporary_, existing.permissions(), ignored);
  }
  if (descriptor_ < 0) fail();
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail() {
  if (error_ == 0) error_ = errno;
}

void OutputFile::write(std::string_view bytes) {
  constexpr std::size_t enough = 1 << 18;
  buffer_ += bytes;
  if (buffer_.size() >= enough) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_ == 0) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail();
    }
  }
  buffer_.clear();
}

std::optional<std::string> OutputFile::commit() {
  flush();
  if (descriptor_ >= 0) {
    if (::close(descriptor_) != 0) fail();
    descriptor_ = -1;
    if (!temporary_.empty()) {
      if (error_ == 0 && ::rename(temporary_.c_str(), destination_.c_str()) != 0) fail();
      if (error_ != 0) ::unlink(temporary_.c_str());
    }
  }
  if (error_ == 0) return std::nullopt;
  return "cannot write '" + path_.string() + "': " + std::generic_category().message(error_);
}

std::optional<std::string> write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  return file.commit();
}

}  // namespace driftless
