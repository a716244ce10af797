#include "driftless/solution/structure_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <numeric>

#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

constexpr int shades = 5;             // differentiated 0, 1, 2, 3, more often
constexpr int largest_labelled = 60;  // equations
constexpr double far_side = 720.0;    // pixels of an unlabelled matrix

constexpr Tint structure_tints[] = {
    {"dl-s0", "fill", "#c0c8d0", "#454e59"},       {"dl-s1", "fill", "#a3cbe8", "#2c5a80"},
    {"dl-s2", "fill", "#4f9bd0", "#3d86bf"},       {"dl-s3", "fill", "#1c69a8", "#6ab0e6"},
    {"dl-s4", "fill", "#0a3d70", "#b9defb"},       {"dl-on0", "fill", "#1f2428", "#e3e6ea"},
    {"dl-on1", "fill", "#12324d", "#e8f2fb"},      {"dl-on2", "fill", "#ffffff", "#ffffff"},
    {"dl-on3", "fill", "#ffffff", "#0b2136"},      {"dl-on4", "fill", "#ffffff", "#0b2136"},
    {"dl-loose", "fill-opacity", "0.35", "0.4"},   {"dl-block", "fill", "#f1f4f7", "#1e232a"},
    {"dl-block", "stroke", "#8b95a0", "#69737f"},  {"dl-matrix", "fill", "none", "none"},
    {"dl-matrix", "stroke", "#c3cad1", "#3b424c"}, {"dl-match", "fill", "none", "none"},
    {"dl-match", "stroke", "#d1550a", "#f0803c"},  {"dl-match", "stroke-width", "1.6", "1.6"},
    {"dl-digit", "font-size", "11px", "11px"},
};

// An entry and where it is drawn.
struct Placed {
  int row, col;  // positions in the picture
  int shade;
  int sigma;
  bool loose;  // not in the system Jacobian
  bool matched;
};

struct Arrangement {
  std::vector<int> rows, cols;  // by position
  std::vector<Placed> entries;
};

int differentiations_of(const StructurePicture& picture, int row) {
  return picture.differentiations.empty() ? 0 : picture.differentiations[static_cast<std::size_t>(row)];
}

Arrangement arrange(const StructurePicture& picture) {
  const std::size_t n = picture.row_labels.size();
  assert(picture.column_labels.size() == n);
  Arrangement result{picture.row_order, std::vector<int>(n, -1), {}};
  if (result.rows.empty()) {
    result.rows.resize(n);
    std::iota(result.rows.begin(), result.rows.end(), 0);
  }
  std::vector<int> row_position(n), col_position(n, -1);
  for (std::size_t k = 0; k < n; ++k) row_position[static_cast<std::size_t>(result.rows[k])] = static_cast<int>(k);
  for (const auto& entry : picture.entries) {
    if (entry.on_transversal) {
      col_position[static_cast<std::size_t>(entry.col)] = row_position[static_cast<std::size_t>(entry.row)];
    }
  }
  for (std::size_t col = 0; col < n; ++col) {
    assert(col_position[col] >= 0 && "every column needs its entry on the transversal");
    result.cols[static_cast<std::size_t>(col_position[col])] = static_cast<int>(col);
  }

  for (const auto& entry : picture.entries) {
    const int c = differentiations_of(picture, entry.row);
    const bool loose = !picture.highest_derivatives.empty() &&
                       picture.highest_derivatives[static_cast<std::size_t>(entry.col)] - c != entry.sigma;
    result.entries.push_back({row_position[static_cast<std::size_t>(entry.row)],
                              col_position[static_cast<std::size_t>(entry.col)], std::min(c, shades - 1), entry.sigma,
                              loose, entry.on_transversal});
  }
  return result;
}

std::string cell_tint(int shade, bool loose) { return fmt::format("dl-s{}{}", shade, loose ? " dl-loose" : ""); }

std::string derivative_sign(int times) {
  if (times == 1) return "d/dt";
  return fmt::format("d{0}/dt{0}", superscript(times));
}

std::string subtitle(const StructurePicture& picture) {
  const std::size_t n = picture.row_labels.size();
  std::string text = n == 1 ? "1 equation" : fmt::format("{} equations", n);
  if (picture.block_sizes.empty()) return text;
  const int largest = *std::max_element(picture.block_sizes.begin(), picture.block_sizes.end());
  text += picture.block_sizes.size() == 1 ? ", 1 block" : fmt::format(", {} blocks", picture.block_sizes.size());
  return text + fmt::format(", the largest of size {}", largest);
}

// Blocks that are at least `least` pixels wide.
void draw_blocks(Svg& svg, const StructurePicture& picture, double left, double top, double cell, double least) {
  int begin = 0;
  for (const int size : picture.block_sizes) {
    const double side = size * cell;
    if (size > 1 && side >= least) svg.rect("dl-block", left + begin * cell, top + begin * cell, side, side);
    begin += size;
  }
}

double draw_legend(Svg& svg, const StructurePicture& picture, double left, double top, bool labelled) {
  std::array<bool, shades> present{};
  for (std::size_t row = 0; row < picture.row_labels.size(); ++row) {
    present[static_cast<std::size_t>(std::min(differentiations_of(picture, static_cast<int>(row)), shades - 1))] = true;
  }
  constexpr std::array<std::string_view, shades> names{"not differentiated", "once", "twice", "3 times", "more often"};
  double x = left;
  for (std::size_t shade = 0; shade < shades; ++shade) {
    if (!present[shade]) continue;
    svg.rect(cell_tint(static_cast<int>(shade), false), x, top, 12, 12);
    svg.text("dl-faint", x + 18, top + 10, Anchor::Start, names[shade]);
    x += 18 + text_width(names[shade]) + 14;
  }
  if (!labelled) return x;
  constexpr std::string_view matched = "solved for", orders = "number: order of the derivative";
  svg.rect("dl-match", left + 1, top + 21, 10, 10);
  svg.text("dl-faint", left + 18, top + 30, Anchor::Start, matched);
  const double next = left + 18 + text_width(matched) + 14;
  svg.text("dl-faint", next, top + 30, Anchor::Start, orders);
  return std::max(x, next + text_width(orders));
}

std::string draw_labelled(const StructurePicture& picture, const Arrangement& arrangement) {
  const auto n = static_cast<int>(arrangement.rows.size());
  constexpr std::size_t longest_label = 32;
  std::vector<std::string> rows, cols;
  double row_width = 0.0, col_width = 0.0;
  for (int k = 0; k < n; ++k) {
    const auto at = static_cast<std::size_t>(k);
    rows.push_back(shortened(picture.row_labels[static_cast<std::size_t>(arrangement.rows[at])], longest_label));
    cols.push_back(shortened(picture.column_labels[static_cast<std::size_t>(arrangement.cols[at])], longest_label));
    row_width = std::max(row_width, text_width(rows.back()));
    col_width = std::max(col_width, text_width(cols.back()));
  }
  const double cell = std::clamp(640.0 / std::max(n, 1), 16.0, 32.0);
  const double left = 16 + row_width + 10, top = 62 + col_width + 8, side = n * cell;

  Svg svg;
  svg.text("dl-title", 16, 26, Anchor::Start, picture.title);
  svg.text("dl-faint", 16, 44, Anchor::Start, subtitle(picture));
  svg.rect("dl-matrix", left, top, side, side);
  draw_blocks(svg, picture, left, top, cell, 0.0);
  for (int k = 0; k < n; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double middle = (k + 0.5) * cell;
    svg.text("dl-text", left - 8, top + middle + 4, Anchor::End, rows[at]);
    svg.upward_text("dl-text", left + middle + 4, top - 8, Anchor::Start, cols[at]);
    if (const int c = differentiations_of(picture, arrangement.rows[at]); c > 0) {
      svg.text("dl-faint", left + side + 8, top + middle + 4, Anchor::Start, derivative_sign(c));
    }
  }
  for (const Placed& entry : arrangement.entries) {
    const double x = left + entry.col * cell, y = top + entry.row * cell;
    svg.rect(cell_tint(entry.shade, entry.loose), x + 1, y + 1, cell - 2, cell - 2);
    if (entry.matched) svg.rect("dl-match", x + 2, y + 2, cell - 4, cell - 4);
    svg.text(fmt::format("dl-digit dl-on{}", entry.loose ? 0 : entry.shade), x + cell / 2, y + cell / 2 + 4,
             Anchor::Middle, std::to_string(entry.sigma));
  }
  const double legend_right = draw_legend(svg, picture, left, top + side + 16, true);
  const double width = std::max(
      {left + side + 70, legend_right + 16, 32 + text_width(subtitle(picture)), 32 + 1.3 * text_width(picture.title)});
  return svg.finish(width, top + side + 64, picture.title, picture.theme, structure_tints);
}

// Every entry falls into one square of a raster no finer than a pixel; the strongest in a square is drawn, and
// neighbours of one colour in a row become one stroke.
std::string draw_from_afar(const StructurePicture& picture, const Arrangement& arrangement) {
  const std::size_t n = arrangement.rows.size();
  const std::size_t squares = std::min(n, static_cast<std::size_t>(far_side));
  const double square = far_side / static_cast<double>(squares);
  const auto square_of = [&](int position) { return static_cast<std::size_t>(position) * squares / n; };

  // 0 = empty, then loose shades, then those of the system Jacobian.
  std::vector<unsigned char> strength(squares * squares, 0);
  for (const Placed& entry : arrangement.entries) {
    unsigned char& here = strength[square_of(entry.row) * squares + square_of(entry.col)];
    here = std::max(here, static_cast<unsigned char>(1 + entry.shade + (entry.loose ? 0 : shades)));
  }

  const double left = 16, top = 60;
  std::array<std::string, 2 * shades + 1> paths;
  for (std::size_t row = 0; row < squares; ++row) {
    const unsigned char* line = &strength[row * squares];
    for (std::size_t begin = 0, end = 0; begin < squares; begin = end) {
      while (end < squares && line[end] == line[begin]) ++end;
      if (line[begin] == 0) continue;
      fmt::format_to(std::back_inserter(paths[line[begin]]), "M{},{}h{}v{}h-{}z",
                     coordinate(left + static_cast<double>(begin) * square),
                     coordinate(top + static_cast<double>(row) * square),
                     coordinate(static_cast<double>(end - begin) * square), coordinate(square),
                     coordinate(static_cast<double>(end - begin) * square));
    }
  }

  Svg svg;
  svg.text("dl-title", 16, 26, Anchor::Start, picture.title);
  svg.text("dl-faint", 16, 46, Anchor::Start, subtitle(picture));
  svg.rect("dl-matrix", left, top, far_side, far_side);
  draw_blocks(svg, picture, left, top, far_side / static_cast<double>(n), 3.0);
  for (int k = 1; k <= 2 * shades; ++k) {
    const std::string& path = paths[static_cast<std::size_t>(k)];
    if (!path.empty()) svg.path(cell_tint((k - 1) % shades, k <= shades), path);
  }
  draw_legend(svg, picture, left, top + far_side + 16, false);
  return svg.finish(far_side + 32, top + far_side + 44, picture.title, picture.theme, structure_tints);
}

}  // namespace

std::string structure_svg(const StructurePicture& picture) {
  const Arrangement arrangement = arrange(picture);
  if (arrangement.rows.size() <= largest_labelled) return draw_labelled(picture, arrangement);
  return draw_from_afar(picture, arrangement);
}

}  // namespace driftless
