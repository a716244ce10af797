#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "driftless/diagnostics/catalogue.hpp"

namespace driftless::cli {
namespace {

[[noreturn]] void refuse_unknown(const std::string& text) {
  std::vector<std::string> similar;
  for (const Code code : similar_codes(text))
    similar.push_back(fmt::format("{} ({})", to_string(code), entry_of(code).title));
  throw UsageError(Code::UnknownCode,
                   fmt::format("there is no code '{}'{} driftless explain lists all codes", text,
                               similar.empty() ? ";" : fmt::format(": did you mean {}?", fmt::join(similar, ", "))));
}

}  // namespace

int explain(const ExplainArguments& arguments) {
  if (arguments.markdown) {
    std::fputs(catalogue_page().c_str(), stdout);
    return success;
  }
  if (arguments.codes.empty()) std::fputs(list_of_codes().c_str(), stdout);
  for (const std::string& text : arguments.codes) {
    const CatalogueEntry* entry = find_entry(text);
    if (!entry) refuse_unknown(text);
    fmt::print("{}{}", text == arguments.codes.front() ? "" : "\n\n", driftless::explain(*entry));
  }
  return success;
}

}  // namespace driftless::cli
