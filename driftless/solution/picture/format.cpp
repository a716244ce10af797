#include "driftless/solution/picture/format.hpp"

#include <cctype>
#include <filesystem>

#include "driftless/solution/picture/pdf.hpp"
#include "driftless/solution/picture/png.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless {

std::optional<PictureFormat> picture_format(std::string_view file) {
  std::string extension = std::filesystem::path(file).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".svg") return PictureFormat::Svg;
  if (extension == ".pdf") return PictureFormat::Pdf;
  if (extension == ".png") return PictureFormat::Png;
  return {};
}

std::string rendered(const Picture& picture, PictureFormat format) {
  switch (format) {
    case PictureFormat::Svg: return to_svg(picture);
    case PictureFormat::Pdf: return to_pdf(picture);
    case PictureFormat::Png: return to_png(picture);
  }
  return {};
}

}  // namespace driftless
