#include "driftless/solution/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>

namespace driftless {

namespace fs = std::filesystem;

namespace {

// Names of the files being written, for end_output_files: the texts belong to the OutputFile.
struct UnderWay {
  std::atomic<const char*> temporary{nullptr};
  const char* destination = nullptr;  // set before `temporary`
  std::atomic<bool> keep{false};      // there is something worth keeping
};
std::array<UnderWay, 32> under_way;
static_assert(std::atomic<const char*>::is_always_lock_free);

void enter(const fs::path& temporary, const fs::path& destination) {
  for (UnderWay& file : under_way) {
    if (file.temporary.load() != nullptr) continue;
    file.destination = destination.c_str();
    file.keep = false;
    file.temporary = temporary.c_str();
    return;
  }
}

UnderWay* entry_of(const fs::path& temporary) {
  for (UnderWay& file : under_way)
    if (file.temporary.load() == temporary.c_str()) return &file;
  return nullptr;
}

void leave(const fs::path& temporary) {
  if (UnderWay* file = entry_of(temporary)) file->temporary = nullptr;
}

// A random name, so that no file or link of this name can have been prepared.
fs::path neighbour_of(const fs::path& destination) {
  constexpr std::size_t longest_name = 255;
  static std::random_device random;
  const std::string ending = fmt::format(".{:08x}{:08x}.part", random(), random());
  std::string name = destination.filename().string();
  if (name.size() + ending.size() > longest_name) name.resize(longest_name - ending.size());
  return destination.parent_path() / (name + ending);
}

}  // namespace

OutputFile::OutputFile(fs::path path, Kind kind) : path_(std::move(path)), destination_(path_), kind_(kind) {
  std::error_code ignored;
  const fs::file_status existing = fs::status(path_, ignored);
  if (fs::is_symlink(fs::symlink_status(path_, ignored)) && fs::exists(existing)) {
    destination_ = fs::canonical(path_, ignored);
  }
  const bool replaces = fs::is_regular_file(existing);
  if (fs::exists(existing) && !replaces) {
    descriptor_ = ::open(destination_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } else if (replaces && ::access(destination_.c_str(), W_OK) != 0) {
    fail();  // a write-protected file is not replaced, although rename could
  } else {
    open_neighbour(existing.permissions(), replaces);
  }
  if (descriptor_ < 0) fail();
}

void OutputFile::open_neighbour(fs::perms permissions, bool replaces) {
  for (int attempt = 0; attempt < 16 && descriptor_ < 0; ++attempt) {
    temporary_ = neighbour_of(destination_);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) return;
  }
  if (descriptor_ < 0) return;
  if (replaces) ::fchmod(descriptor_, static_cast<mode_t>(permissions) & 0777);
  enter(temporary_, destination_);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  leave(temporary_);
}

void OutputFile::fail() {
  if (error_ == 0) error_ = errno;
}

void OutputFile::write(std::string_view bytes) {
  constexpr std::size_t enough = 1 << 18;
  constexpr std::chrono::seconds long_enough(1);
  buffer_ += bytes;
  if (buffer_.size() >= enough ||
      (kind_ == Kind::Rows && std::chrono::steady_clock::now() - last_flush_ >= long_enough))
    flush();
}

// After a failure the file ends where the last complete piece ended.
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
  if (error_ == 0)
    on_disk_ += buffer_.size();
  else if (!temporary_.empty() && descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(on_disk_)) != 0)
    on_disk_ = 0;
  if (kind_ == Kind::Rows && on_disk_ > 0)
    if (UnderWay* file = entry_of(temporary_)) file->keep = true;
  buffer_.clear();
  last_flush_ = std::chrono::steady_clock::now();
}

void OutputFile::overwrite(std::size_t position, std::string_view bytes) {
  if (error_ == 0 && ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position)) < 0) fail();
}

void OutputFile::start_over() {
  buffer_.clear();
  if (descriptor_ < 0 || temporary_.empty() || error_ != 0) return;
  on_disk_ = 0;
  if (::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0) fail();
}

std::string OutputFile::problem() const {
  return "cannot write '" + path_.string() + "': " + std::generic_category().message(error_);
}

std::optional<std::string> OutputFile::commit() {
  if (descriptor_ >= 0) {
    flush();
    if (::close(descriptor_) != 0) fail();
    descriptor_ = -1;
    if (!temporary_.empty()) {
      if (error_ == 0 && ::rename(temporary_.c_str(), destination_.c_str()) != 0) fail();
      leave(temporary_);
      if (error_ != 0 && kind_ == Kind::Rows && on_disk_ > 0)
        return problem() + "; what could be written is in '" + temporary_.string() + "'";
      if (error_ != 0) ::unlink(temporary_.c_str());
    }
  }
  if (error_ == 0) return std::nullopt;
  return problem();
}

std::optional<std::string> write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  return file.commit();
}

std::optional<std::string> write_problem(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status existing = fs::status(path, ignored);
  if (fs::is_directory(existing)) return "cannot write '" + path.string() + "': it is a folder";
  if (fs::exists(existing) && !fs::is_regular_file(existing)) return std::nullopt;  // opening a pipe would wait
  OutputFile file(path);
  if (!file.failed()) return std::nullopt;
  return file.commit();
}

// Uses only calls that are allowed in a signal handler.
void end_output_files() noexcept {
  for (UnderWay& file : under_way) {
    const char* temporary = file.temporary.exchange(nullptr);
    if (temporary == nullptr) continue;
    if (file.keep && ::rename(temporary, file.destination) == 0) continue;
    ::unlink(temporary);
  }
}

}  // namespace driftless
