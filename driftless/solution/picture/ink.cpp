#include "driftless/solution/picture/ink.hpp"

#include <charconv>

namespace driftless {
namespace {

double number_at_front(std::string_view& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc()) text = {};
  return value;
}

double number_in(std::string_view text) { return number_at_front(text); }

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty()) {
    if (text.front() == ' ' || text.front() == ',')
      text.remove_prefix(1);
    else
      numbers.push_back(number_at_front(text));
  }
  return numbers;
}

// "#1f2428" or "none".
std::optional<Colour> colour_in(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return {};
  const auto part = [&](std::size_t at) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, value, 16);
    return value / 255.0;
  };
  return Colour{part(1), part(3), part(5)};
}

void apply(Ink& ink, std::string_view property, std::string_view value) {
  if (property == "fill") ink.fill = colour_in(value);
  if (property == "stroke") ink.stroke = colour_in(value);
  if (property == "fill-opacity") ink.fill_opacity = number_in(value);
  if (property == "stroke-opacity") ink.stroke_opacity = number_in(value);
  if (property == "stroke-width") ink.width = number_in(value);
  if (property == "stroke-dasharray") ink.dashes = numbers_in(value);
  if (property == "stroke-linecap") ink.round_caps = value == "round";
  if (property == "stroke-linejoin") ink.round_joins = value == "round";
  if (property == "font-size") ink.font_size = number_in(value);
}

bool has_class(std::string_view classes, std::string_view name) {
  for (std::size_t at = classes.find(name); at != std::string_view::npos; at = classes.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || classes[at - 1] == ' ') && (end == classes.size() || classes[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

Ink ink_of(const Picture& picture, std::string_view classes) {
  Ink ink;
  if (has_class(classes, "dl-title")) ink.font_size = 15.0, ink.bold = true;
  const auto take = [&](std::span<const Tint> tints) {
    for (const Tint& tint : tints)
      if (has_class(classes, tint.name))
        apply(ink, tint.property, picture.theme == Theme::Dark ? tint.dark : tint.light);
  };
  take(common_tints());
  take(picture.tints);
  return ink;
}

}  // namespace driftless
