// The colours and strokes of an element of a drawing, for formats without classes: the rules of its classes applied one
// after the other to the defaults of SVG.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

struct Colour {
  double red = 0.0, green = 0.0, blue = 0.0;  // 0 ... 1
  bool operator==(const Colour&) const = default;
};

struct Ink {
  std::optional<Colour> fill = Colour{}, stroke{};
  double fill_opacity = 1.0, stroke_opacity = 1.0;
  double width = 1.0;            // of strokes, in pixels
  std::vector<double> dashes{};  // lengths on, off, on, ...; none: solid
  bool round_caps = false, round_joins = false;
  double font_size = 12.0;  // pixels
  bool bold = false;
};

Ink ink_of(const Picture& picture, std::string_view classes);

}  // namespace driftless
