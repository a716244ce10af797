#include "driftless/sweep/hdf5_table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace driftless::sweep {
namespace {

constexpr std::size_t message_size = 512, outcome_size = 24, code_size = 8;

enum Place : std::size_t {
  AtComplete,
  AtVaried,
  AtValues,
  AtKeptNames,
  AtResults,
  AtOutcome,
  AtCode,
  AtReached,
  AtMessage,
  AtFollowedNames,
  AtTime,
  AtTrajectories
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::size_t longest(const std::vector<std::string>& names) {
  std::size_t size = 1;
  for (const std::string& name : names) size = std::max(size, name.size());
  return size;
}

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const Variation& variation : plan.variations()) names.push_back(variation.name);
  return names;
}

std::vector<Hdf5Dataset> datasets_of(const Plan& plan, const std::vector<std::string>& kept, const Followed& followed) {
  using enum Hdf5Dataset::Type;
  const std::vector<std::string> varied = names_of(plan);
  const std::uint64_t runs = plan.runs();
  std::vector<Hdf5Dataset> datasets{{Integer, "complete", {1}},
                                    {Text, "varied", {varied.size()}, longest(varied)},
                                    {Number, "values", {runs, varied.size()}},
                                    {Text, "kept", {kept.size()}, longest(kept)},
                                    {Number, "results", {runs, kept.size()}},
                                    {Text, "outcome", {runs}, outcome_size},
                                    {Text, "code", {runs}, code_size},
                                    {Number, "reached", {runs}},
                                    {Text, "message", {runs}, message_size}};
  if (followed.names.empty()) return datasets;
  datasets.push_back({Text, "followed", {followed.names.size()}, longest(followed.names)});
  datasets.push_back({Number, "time", {followed.times.size()}});
  datasets.push_back({Number, "trajectories", {runs, followed.times.size(), followed.names.size()}});
  return datasets;
}

// At most `size` bytes, without splitting a character.
std::string cut(std::string text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U) --size;
  text.resize(size);
  return text;
}

}  // namespace

Hdf5Table::Hdf5Table(std::filesystem::path path, std::string identity, std::string model, const Plan& plan,
                     const std::vector<Kept>& kept, const Followed& followed)
    : path_(std::move(path)),
      part_(path_.string() + ".part"),
      mark_(path_.string() + ".sweep"),
      identity_(std::move(identity)),
      plan_(plan),
      followed_(followed),
      last_flush_(seconds()) {
  for (const Kept& one : kept) kept_.push_back(one.text);
  datasets_ = datasets_of(plan, kept_, followed);
  layout_ = hdf5_layout(datasets_, {{"model", std::move(model)}});
}

Hdf5Table::~Hdf5Table() {
  if (file_ < 0) return;
  flush();
  ::close(file_);
}

void Hdf5Table::fail() {
  if (error_ == 0) error_ = errno == 0 ? EIO : errno;
}

std::string Hdf5Table::problem() const {
  return error_ == 0 ? "" : fmt::format("cannot write '{}': {}", part_.string(), std::strerror(error_));
}

void Hdf5Table::put(std::size_t dataset, std::uint64_t element, const void* bytes, std::size_t size) {
  const std::uint64_t place = layout_.places[dataset] + element * datasets_[dataset].element_size();
  std::size_t done = 0;
  while (error_ == 0 && done < size) {
    const ssize_t now =
        ::pwrite(file_, static_cast<const char*>(bytes) + done, size - done, static_cast<off_t>(place + done));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return fail();
    done += static_cast<std::size_t>(now);
  }
}

// The rest of its place is already zero.
void Hdf5Table::put_text(std::size_t dataset, std::uint64_t element, const std::string& text) {
  const std::size_t room = datasets_[dataset].element_size();
  const std::string fits = cut(text, dataset == AtMessage ? room - 1 : room);
  if (!fits.empty()) put(dataset, element, fits.data(), fits.size());
}

void Hdf5Table::put_names() {
  const auto put_all = [&](std::size_t dataset, const std::vector<std::string>& names) {
    for (std::size_t k = 0; k < names.size(); ++k) put_text(dataset, k, names[k]);
  };
  put_all(AtVaried, names_of(plan_));
  put_all(AtKeptNames, kept_);
  if (followed_.names.empty()) return;
  put_all(AtFollowedNames, followed_.names);
  put(AtTime, 0, followed_.times.data(), followed_.times.size() * sizeof(double));
}

bool Hdf5Table::create() {
  errno = 0;
  std::ofstream mark(mark_, std::ios::trunc);
  mark << identity_ << "\n";
  mark.close();
  if (!mark) fail();
  errno = 0;
  file_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(layout_.size)) != 0) fail();
  if (error_ != 0) return false;
  if (::pwrite(file_, layout_.head.data(), layout_.head.size(), 0) != static_cast<ssize_t>(layout_.head.size())) fail();
  put_names();
  return error_ == 0;
}

bool Hdf5Table::write(const Row& row) {
  if (file_ < 0 && !create()) return false;
  put(AtValues, row.run * row.values.size(), row.values.data(), row.values.size() * sizeof(double));
  put(AtResults, row.run * row.results.size(), row.results.data(), row.results.size() * sizeof(double));
  put_text(AtOutcome, row.run, row.outcome);
  put_text(AtCode, row.run, row.code);
  put(AtReached, row.run, &row.reached, sizeof(double));
  put_text(AtMessage, row.run, row.message);
  if (!followed_.names.empty())
    put(AtTrajectories, row.run * row.trajectory.size(), row.trajectory.data(), row.trajectory.size() * sizeof(double));
  if (error_ == 0) complete_ = row.run + 1;
  if (seconds() - last_flush_ > 0.5) flush();
  return error_ == 0;
}

// A row counts as complete when all of it has been written.
void Hdf5Table::flush() {
  last_flush_ = seconds();
  if (file_ >= 0) put(AtComplete, 0, &complete_, sizeof complete_);
}

std::string Hdf5Table::get(std::size_t dataset, std::uint64_t element, std::size_t elements) {
  std::string bytes(elements * datasets_[dataset].element_size(), '\0');
  const std::uint64_t place = layout_.places[dataset] + element * datasets_[dataset].element_size();
  if (::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(place)) != static_cast<ssize_t>(bytes.size()))
    fail();
  return bytes;
}

std::string Hdf5Table::get_text(std::size_t dataset, std::uint64_t element) {
  return std::string(get(dataset, element, 1).c_str());
}

std::vector<double> Hdf5Table::get_numbers(std::size_t dataset, std::uint64_t element, std::size_t count) {
  const std::string bytes = get(dataset, element, count);
  std::vector<double> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

std::variant<std::vector<Row>, std::string> Hdf5Table::resume(bool with_trajectories) {
  file_ = ::open(part_.c_str(), O_RDWR | O_CLOEXEC);
  if (file_ < 0) return std::vector<Row>();
  std::string line;
  std::ifstream mark(mark_);
  const auto refuse = [&](std::string reason) {
    ::close(std::exchange(file_, -1));
    return reason;
  };
  if (!std::getline(mark, line) || line != identity_)
    return refuse(
        fmt::format("'{}' is of another sweep: its model, values, options or the version of the program were different",
                    part_.string()));
  std::string head(layout_.head.size(), '\0');
  const ssize_t read = ::pread(file_, head.data(), head.size(), 0);
  if (read != static_cast<ssize_t>(head.size()) || head != layout_.head ||
      ::lseek(file_, 0, SEEK_END) != static_cast<off_t>(layout_.size))
    return refuse(fmt::format("'{}' is damaged", part_.string()));
  std::memcpy(&complete_, get(AtComplete, 0, 1).data(), sizeof complete_);
  std::vector<Row> rows;
  for (std::size_t run = 0; run < std::min<std::uint64_t>(complete_, plan_.runs()); ++run) {
    Row row;
    row.run = run;
    const std::size_t varied = plan_.variations().size();
    row.values = get_numbers(AtValues, run * varied, varied);
    if (row.values != plan_.values(run))
      return refuse(fmt::format("run {} of '{}' has other values than it should have", run, part_.string()));
    row.results = get_numbers(AtResults, run * kept_.size(), kept_.size());
    row.outcome = get_text(AtOutcome, run);
    row.code = get_text(AtCode, run);
    row.reached = get_numbers(AtReached, run, 1)[0];
    row.message = get_text(AtMessage, run);
    const std::size_t in_run = followed_.times.size() * followed_.names.size();
    if (with_trajectories && in_run > 0) row.trajectory = get_numbers(AtTrajectories, run * in_run, in_run);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<std::string> Hdf5Table::commit() {
  flush();
  if (file_ >= 0 && ::close(std::exchange(file_, -1)) != 0) fail();
  if (error_ == 0 && std::rename(part_.c_str(), path_.c_str()) != 0) fail();
  if (error_ != 0) return problem();
  std::error_code ignored;
  std::filesystem::remove(mark_, ignored);
  return {};
}

}  // namespace driftless::sweep
