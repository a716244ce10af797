#include "driftless/diagnostics/diagnostic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

// The range of the first occurrence of `part`.
SourceRange find(const Sources& sources, FileId file, const std::string& part) {
  const std::size_t begin = sources.text(file).find(part);
  EXPECT_NE(begin, std::string::npos);
  return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + part.size())};
}

TEST(Sources, PositionsCountLinesAndCharacters) {
  Sources sources;
  const FileId file = sources.add("a.mo", "ab\nä€x\r\n\nend");
  EXPECT_EQ(sources.position(file, 0).line, 1);
  EXPECT_EQ(sources.position(file, 1).column, 2);
  const SourceRange x = find(sources, file, "x");
  EXPECT_EQ(sources.position(file, x.begin).line, 2);
  EXPECT_EQ(sources.position(file, x.begin).column, 3);
  EXPECT_EQ(sources.line_text(file, 2), "ä€x");
  EXPECT_EQ(sources.line_text(file, 3), "");
  EXPECT_EQ(sources.line_text(file, 4), "end");
  EXPECT_EQ(sources.position(file, 10000).line, 4);
  EXPECT_EQ(sources.line_of({}), 0);
  EXPECT_EQ(sources.line_of(find(sources, file, "end")), 4);
}

TEST(SourceRange, JoinHoldsBoth) {
  const SourceRange a{FileId{0}, 3, 5}, b{FileId{0}, 8, 9}, other{FileId{1}, 0, 1};
  EXPECT_EQ(join(a, b).begin, 3u);
  EXPECT_EQ(join(b, a).end, 9u);
  EXPECT_EQ(join(b, a).begin, 3u);
  EXPECT_EQ(join({}, a).begin, 3u);
  EXPECT_EQ(join(a, {}).end, 5u);
  EXPECT_EQ(join(a, other).end, 5u);
}

TEST(Render, LineCaretAndNotes) {
  Sources sources;
  const FileId file = sources.add("circuit.mo", std::string(13, '\n') + "  r1.v = source.v;\n");
  Diagnostics diagnostics;
  diagnostics
      .error(Code::TooManyEquations, find(sources, file, "r1.v = source.v"), "3 equations determine only 2 unknowns")
      .note("with lines 9 and 12 this constrains only r1.v and source.v");
  EXPECT_EQ(render(diagnostics, sources),
            "circuit.mo:14:3: error D0301: 3 equations determine only 2 unknowns\n"
            "   14 |   r1.v = source.v;\n"
            "      |   ^^^^^^^^^^^^^^^\n"
            "  note: with lines 9 and 12 this constrains only r1.v and source.v\n");
}

TEST(Render, NotesWithARangeShowTheirLine) {
  Sources sources;
  const FileId file = sources.add("a.mo", "Real x;\nReal x;\n");
  const FileId library = sources.add("b.mo", "type Real;\n");
  Diagnostic diagnostic{Severity::Warning, Code::UnknownName, "x again", {file, 13, 14}, {}};
  diagnostic.note("first here", {file, 5, 6}).note("its type", find(sources, library, "Real"));
  EXPECT_EQ(render(diagnostic, sources),
            "a.mo:2:6: warning D0201: x again\n"
            "    2 | Real x;\n"
            "      |      ^\n"
            "  note: first here\n"
            "    1 | Real x;\n"
            "      |      ^\n"
            "  note: b.mo: its type\n"
            "    1 | type Real;\n"
            "      |      ^^^^\n");
}

TEST(Render, WithoutASourceOnlyTheMessage) {
  Diagnostics diagnostics;
  diagnostics.error(Code::UnknownName, {}, "no equations");
  EXPECT_EQ(render(diagnostics, Sources{}), "error D0201: no equations\n");
}

TEST(Render, TabsKeepTheCaretInPlace) {
  Sources sources;
  const FileId file = sources.add("a.mo", "\tx\t= y;");
  const Diagnostic diagnostic{Severity::Error, Code::UnknownName, "m", find(sources, file, "y"), {}};
  EXPECT_EQ(render(diagnostic, sources),
            "a.mo:1:6: error D0201: m\n"
            "    1 |     x   = y;\n"
            "      |           ^\n");
}

TEST(Render, CharactersAreColumns) {
  Sources sources;
  const FileId file = sources.add("a.mo", "\"Länge\" + größe = 1");
  const Diagnostic diagnostic{Severity::Error, Code::UnknownName, "m", find(sources, file, "größe"), {}};
  EXPECT_EQ(render(diagnostic, sources),
            "a.mo:1:11: error D0201: m\n"
            "    1 | \"Länge\" + größe = 1\n"
            "      |           ^^^^^\n");
}

TEST(Render, ARangeOfManyLinesIsMarkedToTheEndOfTheFirst) {
  Sources sources;
  const FileId file = sources.add("a.mo", "a + b\n  + c\n  = d;");
  const Diagnostic diagnostic{Severity::Error, Code::UnknownName, "m", {file, 4, 18}, {}};
  EXPECT_THAT(render(diagnostic, sources), HasSubstr("    1 | a + b\n      |     ^\n"));
}

TEST(Render, AtTheEndOfTheText) {
  Sources sources;
  const FileId file = sources.add("a.mo", "model M");
  EXPECT_THAT(render({Severity::Error, Code::UnknownName, "end missing", {file, 7, 7}, {}}, sources),
              HasSubstr("    1 | model M\n      |        ^\n"));
  const FileId empty = sources.add("empty.mo", "");
  EXPECT_EQ(render({Severity::Error, Code::UnknownName, "no model", {empty, 0, 0}, {}}, sources),
            "empty.mo:1:1: error D0201: no model\n    1 | \n      | ^\n");
}

TEST(Render, LongLinesAreCutAroundTheCaret) {
  Sources sources;
  std::string line_of_text(10001, 'a');
  line_of_text[5000] = '!';
  const FileId file = sources.add("a.mo", line_of_text);
  const std::string text = render({Severity::Error, Code::UnknownName, "m", find(sources, file, "!"), {}}, sources);
  const std::size_t line = text.find("    1 | …");
  ASSERT_NE(line, std::string::npos);
  EXPECT_LT(text.size(), 300u);
  const std::size_t mark = text.find('!') - line - std::string("…").size() + 1;  // in columns
  const std::size_t caret_line = text.find("      | ");
  EXPECT_EQ(text.find('^') - caret_line, mark);

  const std::string all = render({Severity::Error, Code::UnknownName, "m", {file, 0, 10001}, {}}, sources);
  EXPECT_LT(all.size(), 400u);
}

TEST(Render, BytesATerminalCannotShow) {
  Sources sources;
  const FileId file = sources.add("a.mo", "a\x1b[31m\xff b");
  EXPECT_THAT(render({Severity::Error, Code::UnknownName, "m", find(sources, file, "b"), {}}, sources),
              HasSubstr("a\uFFFD[31m\uFFFD b"));
}

TEST(Diagnostics, WarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.warning(Code::UnknownName, {}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error(Code::UnknownName, {}, "wrong");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.all().size(), 2u);
  EXPECT_STREQ(ModelError(diagnostics, Sources{}).what(), "warning D0201: odd\nerror D0201: wrong\n");
}

}  // namespace
}  // namespace driftless
