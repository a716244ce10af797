// The words of Modelica (specification 3.6, chapter 2 and Appendix A.1). Lexing is a pure function of the text and a
// position; white space and comments are skipped. Every text is a sequence of tokens: anything that is not a word of
// the language becomes a token of an invalid kind, which the parser reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace driftless {

// clang-format off
enum class TokenKind : std::uint8_t {
  EndOfFile,
  Identifier,  // x, 'quoted name'
  Number,
  String,
  // invalid text
  InvalidCharacter, UnterminatedString, UnterminatedComment, UnterminatedIdentifier,
  // punctuation
  LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace,
  Comma, Semicolon, Colon, Dot, Equals, Assign,
  EqualEqual, NotEqual, Less, LessEqual, Greater, GreaterEqual,
  Plus, Minus, Star, Slash, Caret,
  DotPlus, DotMinus, DotStar, DotSlash, DotCaret,
  // keywords, in alphabetical order
  Algorithm, And, Annotation, Block, Break, Class, Connect, Connector, Constant, ConstrainedBy, Der, Discrete, Each,
  Else, ElseIf, ElseWhen, Encapsulated, End, Enumeration, Equation, Expandable, Extends, External, False, Final, Flow,
  For, Function, If, Import, Impure, In, Initial, Inner, Input, Loop, Model, Not, Operator, Or, Outer, Output, Package,
  Parameter, Partial, Protected, Public, Pure, Record, Redeclare, Replaceable, Return, Stream, Then, True, Type, When,
  While, Within,
};
// clang-format on

struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  std::uint32_t begin = 0;  // bytes, half open
  std::uint32_t end = 0;
};

// The first token at or after `position`.
Token next_token(std::string_view text, std::uint32_t position);

bool is_keyword(TokenKind kind);

// How punctuation and keywords are written; empty for all other kinds.
std::string_view spelling(TokenKind kind);

// "end" for "End" and "END": the keyword that a word becomes in lower case; empty if it becomes none, or already is
// one.
std::string_view capitalised_keyword(std::string_view word);

// The value of a String token: without quotes, escapes replaced. `bad_escape` is the offset within the token of the
// first backslash that begins no escape of Modelica; it stays in the value unchanged. npos if there is none.
struct StringValue {
  std::string text;
  std::size_t bad_escape = std::string::npos;
};
StringValue string_value(std::string_view token_text);

}  // namespace driftless
