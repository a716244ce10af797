// The tokens of one text with one token of lookahead, and the rules for reporting syntax errors.
//
// An error is reported once and then either repaired on the spot (a missing ';') or thrown as Panic to the list that
// was being read, which skips to where its next item can begin. Adjacent errors count as one, and nothing more is
// reported after a string or comment without an end, or when an error has consumed the rest of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/source.hpp"
#include "driftless/language/lexer.hpp"

namespace driftless {

// Thrown after an error was reported: the parser skips this statement and goes on with the next.
struct Panic {};

// Thrown after an error that makes further parsing pointless.
struct Abandon {};

class TokenStream {
 public:
  TokenStream(FileId file, const Sources& sources, Diagnostics& diagnostics);

  const Token& current() const { return current_; }
  const Token& following() const { return following_; }
  const Token& previous() const { return previous_; }

  bool at(TokenKind kind) const { return current_.kind == kind; }
  bool at(TokenKind kind, TokenKind next) const { return current_.kind == kind && following_.kind == next; }
  template <class... Kinds>
  bool at_any(Kinds... kinds) const {
    return (at(kinds) || ...);
  }

  Token take();
  bool accept(TokenKind kind);
  Token expect(TokenKind kind, std::string_view hint = {});
  // The closing bracket that belongs to `opening`; on an error, where it should be. `expected` lists what is allowed
  // here.
  Token close(TokenKind kind, const Token& opening, std::string_view expected);
  // True when the ';' was there. A ';' missing at the end of a line is reported there and supplied.
  bool expect_semicolon(std::string_view what);

  std::string_view text(const Token& token) const;
  std::string_view text(SourceRange range) const { return all_.substr(range.begin, range.end - range.begin); }
  SourceRange range(const Token& token) const { return {file_, token.begin, token.end}; }
  // From `first` to the last token taken.
  SourceRange since(const Token& first) const { return since(first.begin); }
  SourceRange since(std::uint32_t begin) const { return {file_, begin, std::max(begin, previous_.end)}; }
  SourceRange behind_previous() const { return {file_, previous_.end, previous_.end}; }
  bool begins_line() const;  // only white space and comments precede the current token on its line

  // "the keyword 'model'", "')'", "the end of the text"
  std::string describe(const Token& token) const;

  int errors() const { return errors_; }

  // Null when this error is swallowed by the rules above.
  Diagnostic* report(Code code, SourceRange where, std::string message);
  void warn(Code code, SourceRange where, std::string message);
  [[noreturn]] void fail(Code code, SourceRange where, std::string message, std::string_view hint = {});
  [[noreturn]] void abandon(Code code, SourceRange where, std::string message);
  // "expected ..., found ...", or the error in an invalid token.
  [[noreturn]] void unexpected(std::string_view expected, std::string_view hint = {});

  // After a Panic inside of `open_matrices` matrices, whose rows are separated by ';': skips past the ';' that ends the
  // statement, or to the token that ends a list of statements.
  void skip_statement(int open_matrices);
  // After a Panic in `if ... then`: true when `keyword` was found, and taken, before the statement ended.
  bool skip_to(TokenKind keyword);

 private:
  Diagnostic* report_unexpected(std::string_view expected);
  Diagnostic* report_invalid();
  Diagnostic* report_prime();
  bool at_prime() const;
  bool ends_statement_list() const;
  bool follows_runaway_string() const;

  FileId file_;
  std::string_view all_;
  Diagnostics& diagnostics_;
  Token previous_, current_, following_;
  int errors_ = 0;
  int warnings_ = 0;
  SourceRange last_error_;
  bool out_of_joint_ = false;
};

}  // namespace driftless
