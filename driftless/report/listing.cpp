#include "driftless/report/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "driftless/language/lexer.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

constexpr std::array<std::string_view, 4> types{"Real", "Integer", "Boolean", "String"};
constexpr std::array<std::string_view, 12> operators{"pre",   "edge",   "change", "sample",   "reinit", "noEvent",
                                                     "delay", "assert", "smooth", "terminal", "time",   "homotopy"};

// The class of a token in the style sheet; empty for plain text.
std::string_view paint_of(TokenKind kind, std::string_view text) {
  if (kind == TokenKind::String || kind == TokenKind::UnterminatedString) return "s";
  if (kind == TokenKind::UnterminatedComment) return "c";
  if (kind == TokenKind::Number) return "n";
  if (kind == TokenKind::Der) return "o";
  if (is_keyword(kind)) return "k";
  if (kind != TokenKind::Identifier) return {};
  if (std::ranges::find(types, text) != types.end()) return "t";
  if (std::ranges::find(operators, text) != operators.end()) return "o";
  return {};
}

class Lines {
 public:
  Lines(std::string_view prefix, int most) : prefix_(prefix), most_(most) { open(); }

  // False once the text is cut.
  bool add(std::string_view text, std::string_view paint) {
    while (!full_) {
      const std::size_t end = text.find('\n');
      piece(text.substr(0, end), paint);
      if (end == text.npos) return true;
      text.remove_prefix(end + 1);
      next_line();
    }
    return false;
  }

  std::string finish(bool complete) {
    out_ += "</span>";
    if (!complete) out_ += "<span class=\"cut\">the text goes on; the report shows its beginning</span>";
    return "<pre class=\"listing\">" + std::move(out_) + "</pre>";
  }

 private:
  void open() { out_ += fmt::format("<span class=\"l\" id=\"{}{}\">", prefix_, ++line_); }

  void piece(std::string_view text, std::string_view paint) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) return;
    std::string clean(text);
    std::ranges::replace(clean, '\t', ' ');
    clean = xml_escaped(clean);
    const bool blank = clean.find_first_not_of(' ') == clean.npos;
    out_ += paint.empty() || blank ? clean : fmt::format("<i class=\"{}\">{}</i>", paint, clean);
  }

  void next_line() {
    if (line_ >= most_) {
      full_ = true;
      return;
    }
    out_ += "\n</span>";
    open();
  }

  std::string_view prefix_;
  int most_, line_ = 0;
  bool full_ = false;
  std::string out_;
};

}  // namespace

std::string listing(std::string_view text, std::string_view prefix, int most_lines) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  Lines lines(prefix, most_lines);
  std::uint32_t at = 0;
  bool goes_on = true;
  while (goes_on) {
    const Token token = next_token(text, at);
    goes_on = lines.add(text.substr(at, token.begin - at), "c");  // white space and comments
    if (token.kind == TokenKind::EndOfFile) break;
    const std::string_view word = text.substr(token.begin, token.end - token.begin);
    goes_on = goes_on && lines.add(word, paint_of(token.kind, word));
    at = token.end;
  }
  return lines.finish(goes_on);
}

std::string with_links(std::string_view sentence, std::string_view prefix, int lines) {
  constexpr std::string_view word = "line ";
  std::string result;
  while (true) {
    const std::size_t at = sentence.find(word);
    if (at == sentence.npos) break;
    const char* first = sentence.data() + at + word.size();
    int line = 0;
    const auto [last, error] = std::from_chars(first, sentence.data() + sentence.size(), line);
    const std::size_t length = word.size() + static_cast<std::size_t>(last - first);
    // "line 12 of Planar.mo" is a line of another text.
    const bool is_own = error == std::errc{} && line > 0 && line <= lines &&
                        !sentence.substr(at + length).starts_with(" of ") &&
                        (at == 0 || std::isalnum(static_cast<unsigned char>(sentence[at - 1])) == 0);
    result += xml_escaped(sentence.substr(0, at));
    const std::string text = xml_escaped(sentence.substr(at, length));
    result += is_own ? fmt::format("<a href=\"#{}{}\">{}</a>", prefix, line, text) : text;
    sentence.remove_prefix(at + length);
  }
  return result + xml_escaped(sentence);
}

}  // namespace driftless::reporting
