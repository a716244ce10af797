#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "driftless/report/mathml.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

struct Letter {
  std::string_view name, sign;
};
constexpr std::array<Letter, 35> greek{{
    {"alpha", "α"},   {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
    {"eta", "η"},     {"theta", "θ"}, {"iota", "ι"},   {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
    {"nu", "ν"},      {"xi", "ξ"},    {"pi", "π"},     {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
    {"upsilon", "υ"}, {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"},   {"Gamma", "Γ"},
    {"Delta", "Δ"},   {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Upsilon", "Υ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},    {"Omega", "Ω"}, {"varphi", "ϕ"},
}};

std::string_view sign_of(std::string_view word) {
  const auto* found = std::ranges::find(greek, word, &Letter::name);
  return found == greek.end() ? std::string_view{} : found->sign;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "body.lambda1[2]": path "body.", letter "lambda", below "1" and "2".
struct NameParts {
  std::string_view path, letter;
  std::string below;
};

void add_below(std::string& below, std::string_view more) {
  if (more.empty()) return;
  if (!below.empty()) below += ",";
  below += more;
}

NameParts parts_of(std::string_view name) {
  NameParts parts;
  std::string_view subscripts;
  if (name.ends_with(']'))
    if (const std::size_t open = name.rfind('['); open != name.npos && open > 0) {
      subscripts = name.substr(open + 1, name.size() - open - 2);
      name = name.substr(0, open);
    }
  if (const std::size_t dot = name.rfind('.'); dot != name.npos && dot + 1 < name.size()) {
    parts.path = name.substr(0, dot + 1);
    name = name.substr(dot + 1);
  }
  parts.letter = name;
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  const std::string_view word = name.substr(0, end);
  if (const std::size_t line = name.find('_'); line != name.npos && line > 0 && line + 1 < name.size()) {
    parts.letter = name.substr(0, line);
    parts.below = name.substr(line + 1);
  } else if (end < name.size() && (character_count(word) == 1 || !sign_of(word).empty())) {
    parts.letter = word;
    parts.below = name.substr(end);
  }
  add_below(parts.below, subscripts);
  return parts;
}

std::string dotted(const std::string& letter, int derivatives) {
  constexpr std::array<std::string_view, 4> dots{"", "˙", "¨", "⃛"};
  if (derivatives == 0) return letter;
  if (derivatives < 4)
    return fmt::format("<mover accent=\"true\">{}<mo>{}</mo></mover>", letter,
                       dots[static_cast<std::size_t>(derivatives)]);
  return letter;
}

}  // namespace

std::string mathml_name(std::string_view name, int derivatives) {
  const NameParts parts = parts_of(name);
  const std::string_view sign = sign_of(parts.letter);
  std::string result =
      dotted(fmt::format("<mi>{}</mi>", sign.empty() ? xml_escaped(parts.letter) : std::string(sign)), derivatives);
  const std::string above =
      derivatives < 4 ? "" : fmt::format("<mrow><mo>(</mo><mn>{}</mn><mo>)</mo></mrow>", derivatives);
  const std::string below = parts.below.empty() ? "" : fmt::format("<mtext>{}</mtext>", xml_escaped(parts.below));
  if (!below.empty() && !above.empty())
    result = fmt::format("<msubsup>{}{}{}</msubsup>", result, below, above);
  else if (!below.empty())
    result = fmt::format("<msub>{}{}</msub>", result, below);
  else if (!above.empty())
    result = fmt::format("<msup>{}{}</msup>", result, above);
  if (!parts.path.empty()) result = fmt::format("<mrow><mtext>{}</mtext>{}</mrow>", xml_escaped(parts.path), result);
  return result;
}

}  // namespace driftless::reporting
