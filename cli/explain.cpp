#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "driftless/diagnostics/catalogue.hpp"

namespace driftless::cli {
namespace {

struct ExplainArguments {
  std::vector<std::string> codes;  // none: a list of all
  bool markdown = false;
};

[[noreturn]] void refuse_unknown(const std::string& text) {
  std::vector<std::string> similar;
  for (const Code code : similar_codes(text))
    similar.push_back(fmt::format("{} ({})", to_string(code), entry_of(code).title));
  throw UsageError(Code::UnknownCode,
                   fmt::format("there is no code '{}'{} driftless explain lists all codes", text,
                               similar.empty() ? ";" : fmt::format(": did you mean {}?", fmt::join(similar, ", "))));
}

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

}  // namespace

void add_explain(Commands& commands) {
  const auto [command, arguments] = commands.add<ExplainArguments>(
      "explain", "say what the code of a message means, with an example (docs/diagnostics.md)", explain);
  command.add_option("CODE", arguments.codes, "which (otherwise a list of all): D0301, 301")->type_name("CODE");
  command.add_flag("--markdown", arguments.markdown, "print all entries as a page");
}

}  // namespace driftless::cli
