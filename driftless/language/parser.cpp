#include "driftless/language/parser.hpp"

#include <limits>
#include <string_view>

#include "driftless/language/grammar.hpp"

namespace driftless {

namespace {

// "0.1.0" when the text begins with the line `//! base 0.1.0`, which gives the version of Base Modelica.
std::string base_modelica_version(std::string_view text) {
  constexpr std::string_view mark = "//! base ";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!text.starts_with(mark)) return {};
  text.remove_prefix(mark.size());
  return std::string(text.substr(0, text.find_first_not_of("0123456789.")));
}

}  // namespace

ast::StoredDefinition parse(FileId file, const Sources& sources, Diagnostics& diagnostics) {
  ast::StoredDefinition result;
  result.file = file;
  const std::string& text = sources.text(file);
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    diagnostics.error(Code::CannotRead, {file, 0, 0}, "texts of 4 GB and more cannot be read");
    return result;
  }
  result.base_modelica = base_modelica_version(text);
  try {
    Grammar(file, sources, diagnostics).stored_definition(result);
  } catch (Abandon) {
    // The error was reported; everything read before it is returned.
  }
  return result;
}

}  // namespace driftless
