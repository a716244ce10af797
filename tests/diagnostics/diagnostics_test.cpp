// The catalogue against the sources, the page and the bad models. With DRIFTLESS_ACCEPT=1 in the environment
// docs/diagnostics.md is written anew; read what changed before you keep it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/diagnostics/catalogue.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

const fs::path root = SOURCE_FOLDER;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator k(text.begin(), text.end(), pattern), end; k != end; ++k) found.insert((*k)[1]);
  return found;
}

// Names and numbers as the header declares them.
std::map<std::string, int> declared_codes() {
  const std::string header = text_of(root / "driftless/diagnostics/code.hpp");
  const std::regex enumerator(R"(\n  (\w+) = (\d+),)");
  std::map<std::string, int> codes;
  for (std::sregex_iterator k(header.begin(), header.end(), enumerator), end; k != end; ++k)
    codes.emplace((*k)[1], std::stoi((*k)[2]));
  return codes;
}

// All that makes diagnostics: the library and the program, but neither the catalogue nor tests.
std::string sources() {
  std::string text;
  for (const char* folder : {"driftless", "cli"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = entry.path().generic_string();
      const bool is_source = path.ends_with(".cpp") || path.ends_with(".hpp");
      if (!is_source || path.ends_with("_test.cpp") || path.find("/diagnostics/catalogue") != std::string::npos)
        continue;
      text += text_of(entry.path());
    }
  return text;
}

TEST(Codes, HaveAnEntryEach) {
  const auto declared = declared_codes();
  ASSERT_GT(declared.size(), 60u);
  std::set<int> numbers, entries;
  for (const auto& [name, number] : declared)
    EXPECT_TRUE(numbers.insert(number).second) << name << " has a number twice";
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_TRUE(entries.insert(static_cast<int>(entry.code)).second) << to_string(entry.code) << " has two entries";
    EXPECT_FALSE(entry.title.empty() || entry.reason.empty() || entry.cure.empty()) << to_string(entry.code);
    EXPECT_EQ(entry.wrong.empty(), entry.message.empty()) << to_string(entry.code);
    EXPECT_EQ(entry.wrong.empty(), entry.right.empty()) << to_string(entry.code);
  }
  EXPECT_EQ(entries, numbers);
}

TEST(Codes, AreAllUsed) {
  const std::set<std::string> used = matches(sources(), std::regex(R"(\bCode::(\w+))"));
  for (const auto& [name, number] : declared_codes()) EXPECT_TRUE(used.contains(name)) << name << " is used nowhere";
}

// A code that no bad model shows is one that no model or command can show in a test.
TEST(Codes, AreShownByBadModels) {
  std::string transcripts;
  for (const auto& entry : fs::directory_iterator(root / "tests/bad_models"))
    if (entry.path().extension() == ".expected") transcripts += text_of(entry.path());
  const std::set<std::string> shown = matches(transcripts, std::regex(R"(\b(D\d{4}):)"));
  const std::set<Code> cannot_be_shown{
      Code::FixedByTheText,     // of runs of a compiled model in C++, as the next three
      Code::ForeignExpression,  //
      Code::WrongMechanism,     //
      Code::WrongChange,        //
      Code::NotInThisBuild,     // of another build
      Code::ProjectionFails,    // of a step that is far too long
      Code::PointNotSatisfied,  // of a point that all other tests have let pass
      Code::Interrupted,        // tests/faults has these four
      Code::OutOfMemory,        //
      Code::InternalError,      //
      Code::OutputLost,         //
  };
  std::size_t count = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const bool is_shown = shown.contains(to_string(entry.code));
    count += is_shown;
    EXPECT_NE(is_shown, cannot_be_shown.contains(entry.code)) << to_string(entry.code) << ": " << entry.title;
  }
  std::cout << count << " of " << catalogue().size() << " codes are shown by bad models\n";
}

TEST(Page, IsTheCatalogue) {
  const fs::path page = root / "docs/diagnostics.md";
  if (std::getenv("DRIFTLESS_ACCEPT")) std::ofstream(page, std::ios::binary) << catalogue_page();
  EXPECT_EQ(text_of(page), catalogue_page());
}

}  // namespace
}  // namespace driftless
