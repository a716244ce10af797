#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <string_view>

#include "driftless/language/lexer.hpp"

namespace driftless::fuzz {

namespace {

constexpr std::size_t max_words = 4000;

// Token texts with the white space and comments before them, so that joining them gives the text back.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  std::uint32_t begin = 0;
  for (Token token = next_token(text, 0); token.kind != TokenKind::EndOfFile; token = next_token(text, token.end)) {
    words.emplace_back(text.substr(begin, token.end - begin));
    begin = token.end;
  }
  return words;
}

class Mutation {
 public:
  Mutation(const Material& material, std::mt19937_64& random)
      : material_(material), random_(random), words_(split(any(material.texts))) {}

  std::string run() {
    for (std::size_t k = 1 + below(6); k > 0; --k) change_words();
    std::string text;
    for (const std::string& word : words_) text += word;
    if (below(8) == 0) damage_bytes(text);
    if (below(16) == 0) text.resize(below(text.size() + 1));
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }
  auto place(std::size_t k) { return words_.begin() + static_cast<std::ptrdiff_t>(k); }

  void change_words() {
    const std::size_t size = words_.size();
    const std::size_t at = below(size + 1);
    switch (below(10)) {
      case 0: words_.insert(place(at), " " + any(material_.words)); break;
      case 1:
        if (at < size) words_[at] = " " + any(material_.words);
        break;
      case 2: words_.erase(place(at), place(std::min(size, at + 1 + below(3)))); break;
      case 3:
        if (size > 0) std::swap(words_[below(size)], words_[below(size)]);
        break;
      case 4: {  // double a stretch
        const std::size_t end = std::min(size, at + 1 + below(30));
        const std::vector<std::string> stretch(place(at), place(end));
        words_.insert(place(at), stretch.begin(), stretch.end());
        break;
      }
      case 5: {  // a stretch of another text
        const std::vector<std::string> other = split(any(material_.texts));
        const std::size_t from = below(other.size());
        const std::size_t end = std::min(other.size(), from + 1 + below(40));
        words_.insert(place(at), other.begin() + static_cast<std::ptrdiff_t>(from),
                      other.begin() + static_cast<std::ptrdiff_t>(end));
        break;
      }
      case 6: nest(at); break;
      case 7: {  // lose a stretch
        words_.erase(place(at), place(std::min(size, at + below(50))));
        break;
      }
      case 8: {  // rename: two classes or components of one name, or a cycle
        if (size == 0) break;
        const std::string from = words_[below(size)];
        const std::string to = words_[below(size)];
        for (std::size_t k = below(size); k < size; ++k)
          if (words_[k] == from) words_[k] = to;
        break;
      }
      default:
        if (at < size) words_[at] = "\n" + words_[at];
    }
    if (words_.size() > max_words) words_.resize(max_words);
  }

  void nest(std::size_t at) {
    static constexpr std::pair<std::string_view, std::string_view> pairs[] = {
        {"(", ")"},
        {"{", "}"},
        {"[", "]"},
        {" x[", "]"},
        {" f(", ")"},
        {" a(b=", ")"},
        {" if a then ", " end if;"},
        {" for i in 1:2 loop ", " end for;"},
        {" model A ", " end A;"},
        {" if a then b else ", ""},
        {" not ", ""},
        {" -", ""},
        {" f(function g(h = ", "))"},
        {" 2^(", ")"},
        {" (a(", "))"},
        {" package P ", " end P;"},
        {" model A extends A; ", " end A;"},
        {" model A A a", "; end A;"},
        {"(redeclare model A = B", ")"},
        {" a(a", " = 1)"},
        {" A a[100](", ");"},
        {" replaceable A a(", ") constrainedby A;"},
        {" extends A(", ");"},
        {"(1, ", ")"},
    };
    const auto& [open, close] = pairs[below(std::size(pairs))];
    const std::size_t depth = below(10) == 0 ? 1 + below(2000) : 1 + below(8);
    const std::size_t end = std::min(words_.size(), at + below(10));
    std::string front, back;
    for (std::size_t k = 0; k < depth; ++k) {
      front += open;
      back += close;
    }
    words_.insert(place(end), back);
    words_.insert(place(at), front);
  }

  void damage_bytes(std::string& text) {
    for (std::size_t k = 1 + below(8); k > 0 && !text.empty(); --k) {
      text[below(text.size())] = static_cast<char>(random_() & 0xFFU);
    }
  }

  const Material& material_;
  std::mt19937_64& random_;
  std::vector<std::string> words_;
};

}  // namespace

std::string mutate(const Material& material, std::mt19937_64& random) { return Mutation(material, random).run(); }

}  // namespace driftless::fuzz
