#include "cli/colour.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace driftless::cli {
namespace {

constexpr std::string_view bold = "\033[1m", red = "\033[1;31m", yellow = "\033[1;33m", green = "\033[32m",
                           plain = "\033[0m";

// Paints `kind` and the code after it in a line, and makes the place before them bold.
bool paint(std::string& line, std::string_view kind, std::string_view colour) {
  const std::size_t at = line.find(kind), end = line.find(':', at);
  if (at == std::string::npos || end == std::string::npos) return false;
  if (at > 0 && (at < 2 || line.compare(at - 2, 2, ": ") != 0)) return false;
  const std::string word = line.substr(at, end + 1 - at);
  std::string result;
  if (at > 0) result.append(bold).append(line, 0, at).append(plain);
  result.append(colour).append(word).append(plain).append(line, at + word.size());
  line = std::move(result);
  return true;
}

}  // namespace

bool wants_colour(int descriptor) {
  const char* refuses = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && !(refuses && *refuses) && !(terminal && std::string_view(terminal) == "dumb");
}

std::string painted(const std::string& diagnostics) {
  std::istringstream lines(diagnostics);
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + '\n') {
    if (const std::size_t bar = line.find("| ");
        line.starts_with("      | ") && line.find_first_not_of(" ^", bar + 1) == std::string::npos) {
      const std::size_t caret = line.find('^');
      if (caret != std::string::npos) line.insert(caret, green).append(plain);
      continue;
    }
    paint(line, "error D", red) || paint(line, "warning D", yellow);
  }
  return text;
}

void print_diagnostics(const std::string& text) {
  std::fputs((wants_colour(STDERR_FILENO) ? painted(text) : text).c_str(), stderr);
}

}  // namespace driftless::cli
