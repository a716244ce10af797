#include "driftless/language/lexer.hpp"

#include <algorithm>
#include <array>

namespace driftless {

namespace {

constexpr auto first_keyword = static_cast<std::size_t>(TokenKind::Algorithm);
constexpr auto first_punctuation = static_cast<std::size_t>(TokenKind::LeftParen);

// In the order of TokenKind, which is alphabetical: looked up by the first letter.
constexpr std::array<std::string_view, 59> keywords = {
    "algorithm",    "and",           "annotation",  "block",     "break",      "class",     "connect",  "connector",
    "constant",     "constrainedby", "der",         "discrete",  "each",       "else",      "elseif",   "elsewhen",
    "encapsulated", "end",           "enumeration", "equation",  "expandable", "extends",   "external", "false",
    "final",        "flow",          "for",         "function",  "if",         "import",    "impure",   "in",
    "initial",      "inner",         "input",       "loop",      "model",      "not",       "operator", "or",
    "outer",        "output",        "package",     "parameter", "partial",    "protected", "public",   "pure",
    "record",       "redeclare",     "replaceable", "return",    "stream",     "then",      "true",     "type",
    "when",         "while",         "within"};
static_assert(std::ranges::is_sorted(keywords));
static_assert(first_keyword + keywords.size() == static_cast<std::size_t>(TokenKind::Within) + 1);

constexpr std::array<std::string_view, 28> punctuation = {"(", ")",  "[",  "]",  "{",  "}",  ",",  ";",  ":", ".",
                                                          "=", ":=", "==", "<>", "<",  "<=", ">",  ">=", "+", "-",
                                                          "*", "/",  "^",  ".+", ".-", ".*", "./", ".^"};
static_assert(first_punctuation + punctuation.size() == first_keyword);

// By the first letter of a word: where the keywords with that letter begin, and where those of the next one do.
constexpr auto keywords_by_letter = [] {
  std::array<std::uint8_t, 27> begin{};
  for (std::size_t letter = 0; letter < begin.size(); ++letter)
    for (const std::string_view keyword : keywords)
      if (static_cast<std::size_t>(keyword.front() - 'a') < letter) ++begin[letter];
  return begin;
}();

// By the first byte of a mark: its place in `punctuation` if it is a mark of one character, otherwise their number.
constexpr auto single_marks = [] {
  std::array<std::uint8_t, 256> place{};
  place.fill(static_cast<std::uint8_t>(punctuation.size()));
  for (std::size_t k = 0; k < punctuation.size(); ++k)
    if (punctuation[k].size() == 1)
      place[static_cast<unsigned char>(punctuation[k].front())] = static_cast<std::uint8_t>(k);
  return place;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

// Reads one token; `at(k)` is 0 after the end of the text; 0 neither begins nor continues a token.
class Scanner {
 public:
  Scanner(std::string_view text, std::uint32_t position) : text_(text), position_(position) {}

  Token scan() {
    if (position_ == 0 && text_.starts_with("\xEF\xBB\xBF")) position_ = 3;  // byte order mark
    if (!skip_blank()) return finish(TokenKind::UnterminatedComment);
    begin_ = position_;
    if (position_ >= text_.size()) return finish(TokenKind::EndOfFile);
    const char c = at(0);
    if (is_letter(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"') return string();
    if (c == '\'') return quoted_identifier();
    return symbol();
  }

 private:
  char at(std::size_t k) const { return position_ + k < text_.size() ? text_[position_ + k] : '\0'; }

  Token finish(TokenKind kind) const { return {kind, begin_, position_}; }

  void skip_to(std::size_t offset) { position_ = static_cast<std::uint32_t>(std::min(offset, text_.size())); }

  // False when a comment does not end; the token then is the comment.
  bool skip_blank() {
    for (;;) {
      while (is_space(at(0))) ++position_;
      begin_ = position_;
      if (at(0) == '/' && at(1) == '/') {
        skip_to(text_.find('\n', position_));
      } else if (at(0) == '/' && at(1) == '*') {
        const std::size_t end = text_.find("*/", position_ + 2);
        skip_to(end == std::string_view::npos ? end : end + 2);
        if (end == std::string_view::npos) return false;
      } else {
        return true;
      }
    }
  }

  Token word() {
    while (is_letter(at(0)) || is_digit(at(0))) ++position_;
    const std::string_view spelled = text_.substr(begin_, position_ - begin_);
    const char first = spelled.front();
    if (first < 'a' || first > 'z') return finish(TokenKind::Identifier);
    const auto letter = static_cast<std::size_t>(first - 'a');
    for (std::size_t k = keywords_by_letter[letter]; k < keywords_by_letter[letter + 1]; ++k)
      if (keywords[k].size() == spelled.size() && keywords[k] == spelled)
        return finish(static_cast<TokenKind>(first_keyword + k));
    return finish(TokenKind::Identifier);
  }

  void digits() {
    while (is_digit(at(0))) ++position_;
  }

  // 12, 1.5, 1., 1e-3. The longest match: 2.*x is 2. * x.
  Token number() {
    digits();
    if (at(0) == '.') {
      ++position_;
      digits();
    }
    if (at(0) == 'e' || at(0) == 'E') {
      const std::size_t sign = at(1) == '+' || at(1) == '-' ? 1 : 0;
      if (is_digit(at(1 + sign))) {
        skip_to(position_ + 1 + sign);
        digits();
      }
    }
    return finish(TokenKind::Number);
  }

  Token string() {
    for (std::size_t k = position_ + 1; k < text_.size(); ++k) {
      if (text_[k] == '\\') {
        ++k;
      } else if (text_[k] == '"') {
        skip_to(k + 1);
        return finish(TokenKind::String);
      }
    }
    skip_to(text_.size());
    return finish(TokenKind::UnterminatedString);
  }

  Token quoted_identifier() {
    for (++position_; position_ < text_.size() && at(0) != '\n'; ++position_) {
      if (at(0) == '\\' && at(1) != '\n') {
        ++position_;
      } else if (at(0) == '\'') {
        ++position_;
        return finish(position_ - begin_ > 2 ? TokenKind::Identifier : TokenKind::InvalidCharacter);
      }
    }
    skip_to(position_);
    return finish(TokenKind::UnterminatedIdentifier);
  }

  Token mark(std::size_t place) {
    skip_to(position_ + punctuation[place].size());
    return finish(static_cast<TokenKind>(first_punctuation + place));
  }

  Token symbol() {
    const bool may_be_double = std::string_view(".:=<>").find(at(0)) != std::string_view::npos;
    if (may_be_double) {
      const auto found = std::ranges::find(punctuation, text_.substr(position_, 2));
      if (found != punctuation.end()) return mark(static_cast<std::size_t>(found - punctuation.begin()));
    }
    const std::size_t single = single_marks[static_cast<unsigned char>(at(0))];
    if (single < punctuation.size()) return mark(single);
    // One whole UTF-8 sequence: its continuation bytes are 10xxxxxx.
    ++position_;
    while ((static_cast<unsigned char>(at(0)) & 0xC0U) == 0x80U) ++position_;
    return finish(TokenKind::InvalidCharacter);
  }

  std::string_view text_;
  std::uint32_t position_;
  std::uint32_t begin_ = 0;
};

}  // namespace

Token next_token(std::string_view text, std::uint32_t position) { return Scanner(text, position).scan(); }

bool is_keyword(TokenKind kind) { return static_cast<std::size_t>(kind) >= first_keyword; }

std::string_view spelling(TokenKind kind) {
  const auto k = static_cast<std::size_t>(kind);
  if (k >= first_keyword) return keywords[k - first_keyword];
  if (k >= first_punctuation) return punctuation[k - first_punctuation];
  return {};
}

std::string_view capitalised_keyword(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::ranges::lower_bound(keywords, std::string_view(small));
  return found != keywords.end() && *found == small && small != word ? *found : std::string_view();
}

StringValue string_value(std::string_view token_text) {
  constexpr std::string_view escapes = "'\"?\\abfnrtv";
  constexpr std::string_view values = "'\"?\\\a\b\f\n\r\t\v";
  StringValue result;
  result.text.reserve(token_text.size());
  const std::size_t end = token_text.size() - 1;  // of the closing quote
  for (std::size_t k = 1; k < end;) {
    const std::size_t escape = std::min(token_text.find('\\', k), end);
    result.text.append(token_text, k, escape - k);
    k = escape;
    if (k == end) break;
    const std::size_t which = escapes.find(token_text[k + 1]);
    if (which != std::string_view::npos) {
      result.text += values[which];
      k += 2;
      continue;
    }
    if (result.bad_escape == std::string::npos) result.bad_escape = k;
    result.text += '\\';
    ++k;
  }
  return result;
}

}  // namespace driftless
