#include "driftless/solution/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "driftless/solution/sample_solution.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const ScratchFile scratch("a.txt");
  {
    OutputFile file(scratch.path());
    file.write("half");
    EXPECT_FALSE(fs::exists(scratch.path()));
  }
  EXPECT_EQ(files_in(scratch.folder()), 0u);

  OutputFile file(scratch.path());
  file.write("one ");
  file.write("two");
  EXPECT_EQ(file.commit(), std::nullopt);
  EXPECT_EQ(scratch.text(), "one two");
  EXPECT_EQ(files_in(scratch.folder()), 1u);
}

TEST(OutputFile, KeepsTheOldFileUntilTheNewOneIsComplete) {
  const ScratchFile scratch("a.txt");
  ASSERT_EQ(write_file(scratch.path(), "old"), std::nullopt);
  {
    OutputFile file(scratch.path());
    file.write(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(scratch.text(), "old");
  const std::string large(3'000'001, 'y');
  EXPECT_EQ(write_file(scratch.path(), large), std::nullopt);
  EXPECT_EQ(scratch.text(), large);
}

TEST(OutputFile, KeepsPermissionsAndLinks) {
  const ScratchFile scratch("link.txt");
  const fs::path target = scratch.folder() / "target.txt";
  ASSERT_EQ(write_file(target, "old"), std::nullopt);
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(target, scratch.path());
  EXPECT_EQ(write_file(scratch.path(), "new"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(scratch.path()));
  EXPECT_EQ(scratch.text(), "new");
  EXPECT_EQ(fs::status(target).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(OutputFile, SaysWhyItCannotWrite) {
  EXPECT_EQ(write_file("/no/such/a.csv", "x"), "cannot write '/no/such/a.csv': No such file or directory");
  const ScratchFile scratch("a.txt");
  EXPECT_EQ(write_file(scratch.folder(), "x"), "cannot write '" + scratch.folder().string() + "': Is a directory");
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(write_file("/dev/full", "x"), "cannot write '/dev/full': No space left on device");
  }
}

TEST(OutputFile, RespectsWriteProtection) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  const ScratchFile scratch("a.txt");
  ASSERT_EQ(write_file(scratch.path(), "old"), std::nullopt);
  fs::permissions(scratch.path(), fs::perms::owner_read);
  EXPECT_EQ(write_file(scratch.path(), "new"), "cannot write '" + scratch.path().string() + "': Permission denied");
  EXPECT_EQ(scratch.text(), "old");
}

// Existing files in the folder, and links to files elsewhere, are not touched.
TEST(OutputFile, TouchesNoOtherFile) {
  const ScratchFile scratch("a.txt");
  const fs::path victim = scratch.folder() / "victim";
  ASSERT_EQ(write_file(victim, "precious"), std::nullopt);
  fs::create_symlink(victim, scratch.path().string() + "." + std::to_string(::getpid()) + ".part");
  OutputFile file(scratch.path());
  file.write("text");
  file.flush();
  EXPECT_EQ(files_in(scratch.folder()), 3u) << "a neighbour of its own";
  EXPECT_EQ(file.commit(), std::nullopt);
  std::ifstream in(victim);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "precious");
  EXPECT_EQ(scratch.text(), "text");
}

TEST(OutputFile, StartsOver) {
  const ScratchFile scratch("a.txt");
  OutputFile file(scratch.path(), OutputFile::Kind::Rows);
  file.write("first attempt");
  file.flush();
  file.write(" more of it");
  file.start_over();
  file.write("second");
  EXPECT_EQ(file.commit(), std::nullopt);
  EXPECT_EQ(scratch.text(), "second");
}

// What a handler of signals does: rows on disk are kept as the result, an incomplete file is removed.
TEST(OutputFile, EndsAtOnce) {
  const ScratchFile scratch("rows.csv");
  OutputFile rows(scratch.path(), OutputFile::Kind::Rows), whole(scratch.folder() / "whole.txt"),
      empty(scratch.folder() / "empty.csv", OutputFile::Kind::Rows);
  rows.write("1,2\n");
  rows.flush();
  rows.write("3,4\n");
  whole.write("half");
  whole.flush();
  end_output_files();
  EXPECT_EQ(scratch.text(), "1,2\n");
  EXPECT_EQ(files_in(scratch.folder()), 1u);
}

TEST(OutputFile, FindsOutBeforehandWhatCannotBeWritten) {
  const ScratchFile scratch("a.txt");
  EXPECT_EQ(write_problem(scratch.path()), std::nullopt);
  EXPECT_EQ(files_in(scratch.folder()), 0u);
  EXPECT_EQ(write_problem("/no/such/a.csv"), "cannot write '/no/such/a.csv': No such file or directory");
  EXPECT_EQ(write_problem(scratch.folder()), "cannot write '" + scratch.folder().string() + "': it is a folder");
}

TEST(OutputFile, WritesToDevices) { EXPECT_EQ(write_file("/dev/null", "x"), std::nullopt); }

}  // namespace
}  // namespace driftless
