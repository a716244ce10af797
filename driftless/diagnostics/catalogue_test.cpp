#include "driftless/diagnostics/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace driftless {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(Catalogue, IsInTheOrderOfTheCodes) {
  EXPECT_TRUE(std::ranges::is_sorted(catalogue(), {}, &CatalogueEntry::code));
  for (const CatalogueEntry& entry : catalogue()) EXPECT_EQ(&entry_of(entry.code), &entry);
}

TEST(Catalogue, FindsCodesAsPeopleTypeThem) {
  const CatalogueEntry* entry = find_entry("D0301");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->code, Code::TooManyEquations);
  EXPECT_EQ(find_entry("d301"), entry);
  EXPECT_EQ(find_entry("301"), entry);
  for (const char* none : {"", "D", "D0399", "D03010", "0x301", "D-301", "D0 301", "9999", "99999999999999999999"})
    EXPECT_EQ(find_entry(none), nullptr) << none;
}

TEST(Catalogue, OffersWhatMayHaveBeenMeant) {
  EXPECT_THAT(similar_codes("D031"), Contains(Code::TooManyEquations));
  EXPECT_THAT(similar_codes("Semicolon"), Contains(Code::MissingSemicolon));
  EXPECT_TRUE(similar_codes("a quantity of nothing").empty());
}

TEST(Catalogue, EntryShowsMistakeMessageAndCure) {
  const CatalogueEntry& entry = entry_of(Code::MissingSemicolon);
  const std::string text = explain(entry);
  EXPECT_TRUE(text.starts_with("D0102  a semicolon is missing\n\n"));
  for (const std::string_view part : {entry.message, entry.cure}) EXPECT_THAT(text, HasSubstr(std::string(part)));
  EXPECT_THAT(text, HasSubstr("\nexample\n    model M\n      Real x(start = 1, fixed = true);\n"));
  EXPECT_THAT(text, HasSubstr("      der(x) = -x\n    end M;\n"));
  EXPECT_THAT(text, HasSubstr("      der(x) = -x;\n    end M;\n"));
}

TEST(Catalogue, EntryWithoutAnExampleIsStillComplete) {
  const std::string text = explain(entry_of(Code::OutOfMemory));
  EXPECT_THAT(text, HasSubstr("what to do\n"));
  EXPECT_THAT(text, Not(HasSubstr("example")));
}

TEST(Catalogue, ListHasALineForEveryCode) {
  const std::string list = list_of_codes();
  for (const CatalogueEntry& entry : catalogue())
    EXPECT_THAT(list, HasSubstr("  " + to_string(entry.code) + "  " + std::string(entry.title) + "\n"));
}

}  // namespace
}  // namespace driftless
