#include "driftless/language/token_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace driftless {

namespace {

constexpr int max_errors = 100;
constexpr int max_warnings = 100;

// Advice for characters of other languages.
std::string_view advice_for(std::string_view character) {
  static constexpr std::pair<std::string_view, std::string_view> advice[] = {
      {"!", "'not equal' is written <>, negation is written not"},
      {"&", "conjunction is written and"},
      {"|", "disjunction is written or"},
      {"%", "the remainder is written mod(a, b); comments begin with //"},
      {"#", "comments begin with //"},
      {"''", "a quoted name holds at least one character; strings are written in double quotes"},
      {"\u201C", "strings are written in straight double quotes"},
      {"\u201D", "strings are written in straight double quotes"},
      {"\u2212", "this is a typographic minus sign: write -"},
      {"\u2013", "this is a dash: write -"},
      {"\u00B7", "multiplication is written *"},
      {"\u00D7", "multiplication is written *"},
      {"\u00A0", "this is a no-break space: write an ordinary one"},
  };
  for (const auto& [key, text] : advice) {
    if (key == character) return text;
  }
  const auto lead = static_cast<unsigned char>(character.front());
  return lead >= 0x80 ? "names are made of the letters a to z, digits and _; any other name is written in single quotes"
                      : "";
}

bool is_invalid(TokenKind kind) {
  return kind >= TokenKind::InvalidCharacter && kind <= TokenKind::UnterminatedIdentifier;
}

// A byte of the text as it can be shown in a message.
std::string printable(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  const bool visible = lead >= 0x20 && lead < 0x7F;
  if (visible || (lead >= 0xC2 && character.size() == length)) return fmt::format("'{}'", character);
  return fmt::format("with code {:#04x}", lead);
}

}  // namespace

TokenStream::TokenStream(FileId file, const Sources& sources, Diagnostics& diagnostics)
    : file_(file), all_(sources.text(file)), diagnostics_(diagnostics) {
  current_ = next_token(all_, 0);
  following_ = next_token(all_, current_.end);
}

Token TokenStream::take() {
  previous_ = current_;
  current_ = following_;
  if (following_.kind != TokenKind::EndOfFile) following_ = next_token(all_, following_.end);
  return previous_;
}

bool TokenStream::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token TokenStream::expect(TokenKind kind, std::string_view hint) {
  if (at(kind)) return take();
  unexpected(fmt::format("'{}'", spelling(kind)), hint);
}

Token TokenStream::close(TokenKind kind, const Token& opening, std::string_view expected) {
  if (at(kind)) return take();
  Diagnostic* const error = report_unexpected(expected);
  if (error) error->note(fmt::format("'{}' was opened here", text(opening)), range(opening));
  throw Panic{};
}

bool TokenStream::expect_semicolon(std::string_view what) {
  if (accept(TokenKind::Semicolon)) return true;
  const bool line_over = begins_line() || at_any(TokenKind::End, TokenKind::EndOfFile);
  if (!line_over || is_invalid(current_.kind)) unexpected(fmt::format("';' after {}", what));
  report(Code::MissingSemicolon, behind_previous(), fmt::format("missing ';' after {}", what));
  out_of_joint_ = out_of_joint_ || at(TokenKind::EndOfFile);
  return false;
}

std::string_view TokenStream::text(const Token& token) const {
  return all_.substr(token.begin, token.end - token.begin);
}

bool TokenStream::begins_line() const {
  const std::string_view gap = all_.substr(previous_.end, current_.begin - previous_.end);
  return previous_.end == 0 || gap.find('\n') != std::string_view::npos;
}

std::string TokenStream::describe(const Token& token) const {
  switch (token.kind) {
    case TokenKind::EndOfFile: return "the end of the text";
    case TokenKind::Number: return fmt::format("the number {}", text(token));
    case TokenKind::String: return "a string";
    default: return fmt::format("{}'{}'", is_keyword(token.kind) ? "the keyword " : "", text(token));
  }
}

Diagnostic* TokenStream::report(Code code, SourceRange where, std::string message) {
  const bool touches = last_error_.known() && where.begin >= last_error_.begin && where.begin <= last_error_.end;
  if (out_of_joint_ || touches) return nullptr;
  last_error_ = where;
  if (++errors_ > max_errors) {
    diagnostics_.error(Code::TooManyMistakes, where,
                       fmt::format("more than {} syntax errors: the rest of the text is not read", max_errors));
    throw Abandon{};
  }
  return &diagnostics_.error(code, where, std::move(message));
}

void TokenStream::warn(Code code, SourceRange where, std::string message) {
  if (++warnings_ <= max_warnings) diagnostics_.warning(code, where, std::move(message));
}

void TokenStream::fail(Code code, SourceRange where, std::string message, std::string_view hint) {
  Diagnostic* error = report(code, where, std::move(message));
  if (error && !hint.empty()) error->note(std::string(hint));
  throw Panic{};
}

void TokenStream::abandon(Code code, SourceRange where, std::string message) {
  report(code, where, std::move(message));
  throw Abandon{};
}

// x' for the derivative of x: a quote directly after a name.
bool TokenStream::at_prime() const {
  return previous_.kind == TokenKind::Identifier && previous_.end == current_.begin && current_.begin < all_.size() &&
         all_[current_.begin] == '\'';
}

Diagnostic* TokenStream::report_prime() {
  std::size_t order = 0;
  while (all_.substr(current_.begin + order, 1) == "'") ++order;
  std::string derivative(text(previous_));
  for (std::size_t k = 0; k < order; ++k) derivative = fmt::format("der({})", derivative);
  const auto end = current_.begin + static_cast<std::uint32_t>(order);
  return report(Code::PrimeForDerivative, {file_, current_.begin, end},
                fmt::format("{0}{1} is not Modelica: the derivative of {0} is written {2}", text(previous_),
                            std::string(order, '\''), derivative));
}

Diagnostic* TokenStream::report_invalid() {
  if (at_prime()) return report_prime();
  switch (current_.kind) {
    case TokenKind::UnterminatedString: {
      Diagnostic* const error =
          report(Code::NoClosingMark, {file_, current_.begin, current_.begin + 1}, "this string has no closing '\"'");
      out_of_joint_ = true;
      return error;
    }
    case TokenKind::UnterminatedComment: {
      Diagnostic* const error =
          report(Code::NoClosingMark, {file_, current_.begin, current_.begin + 2}, "this comment has no closing '*/'");
      out_of_joint_ = true;
      return error;
    }
    case TokenKind::UnterminatedIdentifier:
      return report(Code::NoClosingMark, range(current_), "this quoted name has no closing ' on its line");
    default: {
      const std::string_view character = text(current_);
      const std::string_view advice = advice_for(character);
      Diagnostic* const error =
          report(Code::StrayCharacter, range(current_), fmt::format("unexpected character {}", printable(character)));
      if (error && !advice.empty()) error->note(std::string(advice));
      return error;
    }
  }
}

Diagnostic* TokenStream::report_unexpected(std::string_view expected) {
  if (is_invalid(current_.kind)) return report_invalid();
  if (at_prime()) return report_prime();
  Diagnostic* const error =
      report(Code::UnexpectedText, range(current_), fmt::format("expected {}, found {}", expected, describe(current_)));
  if (!error) return nullptr;
  if (previous_.kind == TokenKind::Number && at(TokenKind::Identifier) && previous_.end == current_.begin) {
    error->note(fmt::format("a product is written {}*{}", text(previous_), text(current_)));
  }
  if (follows_runaway_string()) {
    error->note("the string before it spans several lines: is a closing '\"' missing there?", range(previous_));
    out_of_joint_ = true;  // from here on the inside and outside of strings are swapped
  }
  return error;
}

void TokenStream::unexpected(std::string_view expected, std::string_view hint) {
  const bool valid = !is_invalid(current_.kind);
  Diagnostic* const error = report_unexpected(expected);
  if (error && valid && !hint.empty()) error->note(std::string(hint));
  throw Panic{};
}

// "a string without its closing quote; \n ... and on to where the next string begins": a string whose first line ends
// like a line of Modelica.
bool TokenStream::follows_runaway_string() const {
  if (previous_.kind != TokenKind::String) return false;
  const std::string_view string = text(previous_);
  const std::string_view line = string.substr(0, string.find('\n'));
  const std::size_t last = line.find_last_not_of(" \t\r");
  return line.size() < string.size() && (line[last] == ';' || line[last] == ',' || line[last] == ')');
}

bool TokenStream::ends_statement_list() const {
  switch (current_.kind) {
    case TokenKind::EndOfFile:
    case TokenKind::Equation:
    case TokenKind::Algorithm:
    case TokenKind::Public:
    case TokenKind::Protected: return true;
    case TokenKind::Initial: return following_.kind == TokenKind::Equation || following_.kind == TokenKind::Algorithm;
    case TokenKind::Parameter: return following_.kind == TokenKind::Equation;
    case TokenKind::End: {
      const TokenKind next = following_.kind;
      return next == TokenKind::Identifier || next == TokenKind::If || next == TokenKind::For ||
             next == TokenKind::When || next == TokenKind::While;
    }
    case TokenKind::Else:
    case TokenKind::ElseIf:
    case TokenKind::ElseWhen: return begins_line();  // elsewhere it belongs to an if-expression
    default: return false;
  }
}

void TokenStream::skip_statement(int open_matrices) {
  int open_brackets = open_matrices;
  while (!ends_statement_list()) {
    if (at_any(TokenKind::UnterminatedString, TokenKind::UnterminatedComment)) report_invalid();
    const TokenKind skipped = take().kind;
    if (skipped == TokenKind::LeftBracket) ++open_brackets;
    if (skipped == TokenKind::RightBracket) --open_brackets;
    if (skipped == TokenKind::Semicolon && open_brackets <= 0) return;
  }
  out_of_joint_ = out_of_joint_ || at(TokenKind::EndOfFile);
}

bool TokenStream::skip_to(TokenKind keyword) {
  while (!at(keyword) && !at(TokenKind::Semicolon) && !ends_statement_list()) take();
  return accept(keyword);
}

}  // namespace driftless
