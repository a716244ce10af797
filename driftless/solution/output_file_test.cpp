#include "driftless/solution/output_file.hpp"

#include <filesystem>
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

TEST(OutputFile, WritesToDevices) { EXPECT_EQ(write_file("/dev/null", "x"), std::nullopt); }

}  // namespace
}  // namespace driftless
