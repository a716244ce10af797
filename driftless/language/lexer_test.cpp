#include "driftless/language/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace driftless {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (Token token = next_token(text, 0); token.kind != TokenKind::EndOfFile; token = next_token(text, token.end)) {
    tokens.push_back(token);
  }
  return tokens;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const Token& token : tokens_of(text)) words.emplace_back(text.substr(token.begin, token.end - token.begin));
  return words;
}

std::vector<TokenKind> kinds_of(std::string_view text) {
  std::vector<TokenKind> kinds;
  for (const Token& token : tokens_of(text)) kinds.push_back(token.kind);
  return kinds;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Lexer, EveryKeywordAndSymbolReadsAsItself) {
  for (int k = static_cast<int>(TokenKind::LeftParen); k <= static_cast<int>(TokenKind::Within); ++k) {
    const auto kind = static_cast<TokenKind>(k);
    ASSERT_FALSE(spelling(kind).empty());
    EXPECT_THAT(kinds_of(spelling(kind)), ElementsAre(kind)) << spelling(kind);
    EXPECT_EQ(is_keyword(kind), kind >= TokenKind::Algorithm);
  }
  EXPECT_EQ(spelling(TokenKind::ConstrainedBy), "constrainedby");
  EXPECT_EQ(spelling(TokenKind::DotCaret), ".^");
}

TEST(Lexer, TakesTheLongestMatch) {
  EXPECT_THAT(words_of("a<=b<>c:=d==e.+f.^g"),
              ElementsAre("a", "<=", "b", "<>", "c", ":=", "d", "==", "e", ".+", "f", ".^", "g"));
  EXPECT_THAT(words_of("ifx endif end_if"), ElementsAre("ifx", "endif", "end_if"));
  EXPECT_THAT(words_of("2.*x"), ElementsAre("2.", "*", "x"));
  EXPECT_THAT(words_of("2 .*x"), ElementsAre("2", ".*", "x"));
}

TEST(Lexer, Numbers) {
  EXPECT_THAT(words_of("1 1. 1.5 1e3 1.5E-3 2.e+7 12"), ElementsAre("1", "1.", "1.5", "1e3", "1.5E-3", "2.e+7", "12"));
  EXPECT_THAT(words_of("1e 2e+ 3x"), ElementsAre("1", "e", "2", "e", "+", "3", "x"));
}

TEST(Lexer, SkipsCommentsAndTheByteOrderMark) {
  EXPECT_THAT(words_of("\xEF\xBB\xBF"
                       "a // b \xC3\xA9\n c /* d \n * / */ e //"),
              ElementsAre("a", "c", "e"));
  EXPECT_THAT(words_of(" \t\r\n"), IsEmpty());
  EXPECT_THAT(kinds_of("a /* b"), ElementsAre(TokenKind::Identifier, TokenKind::UnterminatedComment));
}

TEST(Lexer, QuotedIdentifiersKeepTheirQuotes) {
  EXPECT_THAT(words_of("'body.r[1]' 'it\\'s' x"), ElementsAre("'body.r[1]'", "'it\\'s'", "x"));
  EXPECT_THAT(kinds_of("'abc\n x"), ElementsAre(TokenKind::UnterminatedIdentifier, TokenKind::Identifier));
  EXPECT_THAT(kinds_of("''"), ElementsAre(TokenKind::InvalidCharacter));
}

TEST(Lexer, StringsSpanLinesAndHoldEscapes) {
  EXPECT_THAT(words_of("\"a \\\" b\n c\" d"), ElementsAre("\"a \\\" b\n c\"", "d"));
  EXPECT_THAT(kinds_of("\"abc\\\""), ElementsAre(TokenKind::UnterminatedString));
  EXPECT_EQ(string_value(R"("a\tb\"\\\n\?")").text, "a\tb\"\\\n?");
  EXPECT_EQ(string_value(R"("a\tb")").bad_escape, std::string::npos);
  EXPECT_EQ(string_value(R"("C:\data")").text, R"(C:\data)");
  EXPECT_EQ(string_value(R"("C:\data")").bad_escape, 3U);
}

TEST(Lexer, AnInvalidCharacterIsOneWholeCharacter) {
  EXPECT_THAT(words_of("a \xE2\x88\x92 b $"), ElementsAre("a", "\xE2\x88\x92", "b", "$"));
  EXPECT_THAT(kinds_of("$"), ElementsAre(TokenKind::InvalidCharacter));
}

TEST(Lexer, RecognisesKeywordsInCapitals) {
  EXPECT_EQ(capitalised_keyword("Model"), "model");
  EXPECT_EQ(capitalised_keyword("END"), "end");
  EXPECT_EQ(capitalised_keyword("end"), "");
  EXPECT_EQ(capitalised_keyword("Pendulum"), "");
}

}  // namespace
}  // namespace driftless
