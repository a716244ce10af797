#include "driftless/language/libraries/libraries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driftless/language/libraries/annotation_values.hpp"
#include "driftless/language/parser.hpp"

namespace driftless::language {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Files in a folder of their own, and the libraries made of them.
class LibrariesOnDisk : public ::testing::Test {
 protected:
  LibrariesOnDisk() : root_(fs::path(::testing::TempDir()) / ("driftless_libraries_" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  ~LibrariesOnDisk() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }
  // A library L with a package P that holds the model M in a file, and Q in its own text.
  void write_library(const std::string& folder = "L") {
    write(folder + "/package.mo", "within; package L constant Real c = 1; model A end A; end L;");
    write(folder + "/P/package.mo", "within L; package P model Q type T = Real; end Q; end P;");
    write(folder + "/P/M.mo", "within L.P; model M Real x; end M;");
    write(folder + "/F.mo", "within L; function F end F;");
    write(folder + "/notes.txt", "no class");
    write(folder + "/Resources/picture.mo.png", "no class");
  }
  void open() { libraries_.add_place(root_.string()); }

  // The messages, with paths below the folder.
  std::string report() {
    std::string text = render(diagnostics_, sources_);
    const std::string root = shown(root_);
    for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos;) text.replace(at, root.size() + 1, "");
    return text;
  }

  fs::path root_;
  Sources sources_;
  Diagnostics diagnostics_;
  Libraries libraries_{sources_, diagnostics_};
};

TEST_F(LibrariesOnDisk, ClassesAreFoundInFilesAndInTexts) {
  write_library();
  open();
  for (const char* name : {"L", "L.A", "L.F", "L.P", "L.P.M", "L.P.Q", "L.P.Q.T"}) {
    const ast::ClassDefinition* found = libraries_.find(name);
    ASSERT_TRUE(found) << name;
    EXPECT_TRUE(std::string_view(name).ends_with(found->name.text));
    EXPECT_EQ(libraries_.find(name), found);
  }
  for (const char* name :
       {"", "M", "L.", ".L", "L..A", "L.M", "L.P.M.x", "L.P.Q.T.U", "L.package", "L.Resources", "L.c"})
    EXPECT_FALSE(libraries_.find(name)) << name;
  EXPECT_EQ(report(), "");
}

TEST_F(LibrariesOnDisk, AFileIsParsedWhenItIsNeededAndOnce) {
  write_library();
  write("Broken.mo", "model Broken");
  open();
  EXPECT_EQ(libraries_.files_parsed(), 0u);
  EXPECT_TRUE(libraries_.find("L.P.M"));
  EXPECT_EQ(libraries_.files_parsed(), 1u);  // neither L nor L.P
  EXPECT_TRUE(libraries_.find("L.P.Q.T"));
  EXPECT_EQ(libraries_.files_parsed(), 2u);
  for (int k = 0; k < 3; ++k) {
    libraries_.find("L.P.M");
    libraries_.find("L.P.Q");
    libraries_.find("L.P.Missing");
    libraries_.find("L.P.Q.Missing");
  }
  EXPECT_EQ(libraries_.files_parsed(), 2u);
  EXPECT_EQ(report(), "");
  for (int k = 0; k < 2; ++k) EXPECT_FALSE(libraries_.find("Broken"));
  EXPECT_EQ(libraries_.files_parsed(), 3u);
  EXPECT_EQ(diagnostics_.all().size(), 1u);
  EXPECT_THAT(report(), HasSubstr("Broken.mo:1:"));
}

TEST_F(LibrariesOnDisk, ChildrenFollowPackageOrderThenTextThenNames) {
  write("L/package.mo", "package L constant Real c = 1; model Z end Z; model Y end Y; end L;");
  for (const char* name : {"C", "B", "D"})
    write(std::string("L/") + name + ".mo", std::string("within L; model ") + name + " end " + name + ";");
  open();
  EXPECT_THAT(libraries_.children("L"), ElementsAre("Z", "Y", "B", "C", "D"));
  write("L/package.order",
        "\xEF\xBB\xBF"
        "C\r\nc\r\n\n  Y \r\n");
  EXPECT_THAT(libraries_.children("L"), ElementsAre("C", "Y", "Z", "B", "D"));
  EXPECT_EQ(report(), "");
  write("L/package.order", "C\nBB\n");
  libraries_.children("L");
  EXPECT_THAT(report(),
              HasSubstr("warning D0811: package.order of L lists 'BB', which is not there: did you mean 'B'?"));
}

TEST_F(LibrariesOnDisk, TheNewestVersionIsTakenUnlessAnotherIsAskedFor) {
  for (const char* version : {"3.2.3", "10.0", "4.0.0", "4.1.0 dev", "10.0.0 beta"})
    write(std::string("L ") + version + "/package.mo",
          std::string("package L annotation(version = \"") + version + "\"); end L;");
  open();
  const auto version_of = [](Libraries& libraries) {
    return string_setting(annotation_of(*libraries.find("L")), "version").value();
  };
  EXPECT_EQ(version_of(libraries_), "10.0");
  Libraries others(sources_, diagnostics_);
  others.add_place(root_.string());
  others.require("L", "4.0", {});
  EXPECT_EQ(version_of(others), "4.0.0");
  EXPECT_EQ(report(), "");
  Libraries missing(sources_, diagnostics_);
  missing.add_place(root_.string());
  missing.require("L", "5.0", {});
  for (int k = 0; k < 2; ++k) EXPECT_FALSE(missing.find("L"));
  missing.report_missing("L", {});
  EXPECT_EQ(diagnostics_.all().size(), 1u);
  EXPECT_THAT(report(), HasSubstr("error D0810: there is no version 5.0 of the library L"));
}

TEST_F(LibrariesOnDisk, InOnePlaceTheFolderWithoutAVersionComesFirst) {
  write("K 1.0/package.mo", "package K end K;");
  write("K 1.1/package.mo", "package K end K;");
  write("L/package.mo", "package L end L;");
  write("L 1.0/package.mo", "package L end L;");
  open();
  EXPECT_THAT(sources_.name(libraries_.find("K")->range.file), HasSubstr("K 1.1/"));
  EXPECT_THAT(sources_.name(libraries_.find("L")->range.file), HasSubstr("L/"));
}

TEST_F(LibrariesOnDisk, UsesOfAModelChoosesTheVersion) {
  write("L 1.0/package.mo", "package L constant Real c = 1; end L;");
  write("L 2.0/package.mo", "package L constant Real c = 2; end L;");
  write("User.mo", "model User annotation(uses(L(version = \"1.0\"))); end User;");
  open();
  ASSERT_TRUE(libraries_.find("User"));
  const ast::ClassDefinition* found = libraries_.find("L");
  ASSERT_TRUE(found);
  EXPECT_THAT(sources_.name(found->range.file), HasSubstr("L 1.0"));
}

TEST_F(LibrariesOnDisk, AnotherVersionWithoutAChoiceIsAWarning) {
  write("L/package.mo",
        "package L annotation(version = \"4.0.0\", conversion(noneFromVersion = \"3.9\", noneFromVersion = \"3.8\"));"
        " end L;");
  write("Good.mo", "model Good annotation(uses(L(version = \"3.8\"))); end Good;");
  write("Old.mo", "model Old annotation(uses(L(version = \"3.0\"))); end Old;");
  open();
  libraries_.find("Good");
  libraries_.find("L");
  EXPECT_EQ(report(), "");
  Libraries others(sources_, diagnostics_);
  others.add_place(root_.string());
  others.find("Old");
  EXPECT_TRUE(others.find("L"));
  EXPECT_THAT(report(), HasSubstr("Old.mo:1:27: warning D0810: version 3.0 of the library L is asked for, but version "
                                  "4.0.0 is used"));
}

TEST_F(LibrariesOnDisk, EarlierPlacesComeFirst) {
  write("a/L.mo", "package L constant Real c = 1; end L;");
  write("b/L 9.0/package.mo", "package L end L;");
  libraries_.add_place((root_ / "a").string());
  libraries_.add_place((root_ / "b/").string());
  EXPECT_THAT(sources_.name(libraries_.find("L")->range.file), HasSubstr("a/L.mo"));
  Libraries others(sources_, diagnostics_);
  others.add_place((root_ / "b/L 9.0").string());  // the library itself
  others.add_place((root_ / "a").string());
  EXPECT_THAT(sources_.name(others.find("L")->range.file), HasSubstr("b/L 9.0"));
  EXPECT_FALSE(others.add_place((root_ / "nowhere").string()));
  EXPECT_THAT(report(), HasSubstr("nowhere': there is no such folder or file"));
}

TEST_F(LibrariesOnDisk, MistakesOfFilesAreTold) {
  write("L/package.mo", "within; package L model Twice end Twice; end L;");
  write("L/Elsewhere.mo", "within M.N;\nmodel Elsewhere end Elsewhere;");
  write("L/Top.mo", "within;\nmodel Top end Top;");
  write("L/Named.mo", "within L;\nmodel Other end Other;");
  write("L/Two.mo", "within L; model Two end Two; model Three end Three;");
  write("L/Empty.mo", "within L;");
  write("L/Twice.mo", "within L; model Twice end Twice;");
  write("L/Both.mo", "within L; model Both end Both;");
  write("L/Both/package.mo", "within L; package Both end Both;");
  open();
  EXPECT_TRUE(libraries_.find("L.Elsewhere"));
  EXPECT_TRUE(libraries_.find("L.Top"));
  EXPECT_FALSE(libraries_.find("L.Named"));
  EXPECT_TRUE(libraries_.find("L.Two"));
  EXPECT_FALSE(libraries_.find("L.Empty"));
  EXPECT_TRUE(libraries_.find("L.Both"));
  EXPECT_TRUE(libraries_.find("L"));
  const std::string all = report();
  EXPECT_EQ(diagnostics_.all().size(), 7u) << all;
  for (const char* part :
       {"L/Elsewhere.mo:1:8: error D0811: this file is L.Elsewhere by its place, but says 'within M.N'",
        "write 'within L;', or move the file",
        "L/Top.mo:1:1: error D0811: this file is L.Top by its place, but says 'within'",
        "L/Named.mo:2:7: error D0811: this file is L.Named by its place, but defines Other",
        "L/Two.mo:1:36: error D0811: this file is L.Two by its place, but defines Three as well",
        "L/Empty.mo:1:1: error D0811: this file is L.Empty by its place, but defines no class",
        "L/package.mo:1:25: error D0811: the class L.Twice stands here and in a file of its own",
        "error D0811: the class L.Both has two files"})
    EXPECT_THAT(all, HasSubstr(part));
}

TEST_F(LibrariesOnDisk, WhatIsMissingIsExplained) {
  write_library();
  fs::create_directories(root_ / "Folder");
  open();
  libraries_.report_missing("L.P.N.x", {});
  libraries_.report_missing("K", {});
  libraries_.report_missing("Folder.A", {});
  const std::string all = report();
  EXPECT_THAT(all, HasSubstr("error D0810: L.P has no class 'N'"));
  EXPECT_THAT(all, HasSubstr("error D0810: there is no library 'K'"));
  EXPECT_THAT(all, HasSubstr("there is a folder 'Folder', but no file package.mo in it"));
  EXPECT_EQ(diagnostics_.all().size(), 3u);
}

TEST_F(LibrariesOnDisk, TheFileOfTheUserHidesTheOneOnDisk) {
  write_library();
  const std::string text = "within L.P; model M Real other; end M;";
  const FileId file = sources_.add((root_ / "L/P/M.mo").string(), text);
  const ast::StoredDefinition tree = parse(file, sources_, diagnostics_);
  EXPECT_THAT(libraries_.add_tree(tree, (root_ / "L/P/M.mo").string()), ElementsAre("L.P.M"));
  EXPECT_EQ(libraries_.find("L.P.M"), &tree.classes.front());
  EXPECT_TRUE(libraries_.find("L.P.Q"));  // the library around it is known
  EXPECT_TRUE(libraries_.find("L.F"));
  EXPECT_EQ(libraries_.files_parsed(), 2u);
  EXPECT_EQ(report(), "");
}

TEST_F(LibrariesOnDisk, ClassesBesideTheFileOfTheUserAreFound) {
  write("Neighbour.mo", "model Neighbour end Neighbour; model Another end Another;");
  const FileId file = sources_.add((root_ / "mine.mo").string(), "model Mine end Mine;");
  const ast::StoredDefinition tree = parse(file, sources_, diagnostics_);
  EXPECT_THAT(libraries_.add_tree(tree, (root_ / "mine.mo").string()), ElementsAre("Mine"));
  EXPECT_TRUE(libraries_.find("Neighbour"));
  write("other.mo", "model Other x y end Other;");
  write("Broken.mo", "model Broken Real x y; end Broken;");
  Libraries again(sources_, diagnostics_);
  again.add_tree(tree, (root_ / "mine.mo").string());
  EXPECT_FALSE(again.find("other"));  // the name of a file of the user, not of a library
  EXPECT_EQ(report(), "");
  EXPECT_FALSE(again.find("Broken"));
  EXPECT_THAT(report(), HasSubstr("Broken.mo:1:"));
}

TEST_F(LibrariesOnDisk, NamesOfPathsAreThoseOfTheirClasses) {
  write_library("L 1.2");
  const auto name = [&](const std::string& path) { return libraries_.name_of_path((root_ / path).string()); };
  EXPECT_EQ(name("L 1.2"), "L");
  EXPECT_EQ(name("L 1.2/"), "L");
  EXPECT_EQ(name("L 1.2/package.mo"), "L");
  EXPECT_EQ(name("L 1.2/P/M.mo"), "L.P.M");
  EXPECT_EQ(name("L 1.2/P/package.mo"), "L.P");
  EXPECT_EQ(name("."), "");
  EXPECT_TRUE(libraries_.find("L.P.M"));
}

TEST_F(LibrariesOnDisk, TextsOfAllEncodingsAreRead) {
  const auto wide = [](std::u16string_view text, bool big) {
    std::string bytes;
    for (const char16_t unit : text) {
      const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
      bytes += big ? std::string{high, low} : std::string{low, high};
    }
    return bytes;
  };
  write("A.mo", "\xEF\xBB\xBFmodel A \"\xC2\xB5\"\r\n  Real x;\r\nend A;\r\n");
  write("B.mo", "model B \"\xB5 \x80\" end B;");  // Windows-1252
  write("C.mo", wide(u"\uFEFFmodel C \"\u00B5\U0001D54F\" end C;", true));
  write("D.mo", wide(u"\uFEFFmodel D \"\u00B5\" end D;", false));
  write("E.mo", "model E \"\xC3\xA9 \xED\xA0\x80\" end E;");  // a surrogate is no UTF-8
  open();
  const auto description = [&](const char* name) {
    const ast::ClassDefinition* found = libraries_.find(name);
    return found ? found->comment.text : "not found";
  };
  EXPECT_EQ(description("A"), "µ");
  EXPECT_EQ(description("B"), "µ €");
  EXPECT_EQ(description("C"), "µ𝕏");
  EXPECT_EQ(description("D"), "µ");
  EXPECT_EQ(description("E"), "Ã© í\xC2\xA0€");
  EXPECT_EQ(report(), "");
}

TEST(ModelicaPath, IsSplitAtColons) {
  ::setenv("MODELICAPATH", "/a::/b c:", 1);
  EXPECT_THAT(modelica_path(), ElementsAre("/a", "/b c"));
  ::unsetenv("MODELICAPATH");
  EXPECT_THAT(modelica_path(), IsEmpty());
}

}  // namespace
}  // namespace driftless::language
