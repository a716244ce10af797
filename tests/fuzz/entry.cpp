// One text through lexer and parser. Whatever the bytes are: the parser returns, every message lies within the text
// and can be shown, and what parses without an error prints to text that parses and prints the same.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "driftless/language/parser.hpp"

namespace {

using namespace driftless;

[[noreturn]] void violated(const char* promise, const std::string& detail) {
  std::fprintf(stderr, "violated: %s\n%s\n", promise, detail.c_str());
  std::abort();
}

void check_messages(const Diagnostics& diagnostics, const Sources& sources, std::size_t size) {
  const auto inside = [size](SourceRange range) {
    return !range.known() || (range.begin <= range.end && range.end <= size);
  };
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (!inside(diagnostic.range)) violated("a message lies within the text", diagnostic.message);
    for (const Note& note : diagnostic.notes) {
      if (!inside(note.range)) violated("a note lies within the text", note.message);
    }
  }
  if (render(diagnostics, sources).empty() != diagnostics.all().empty()) violated("a message can be shown", "");
}

void check_round_trip(const ast::Expression& expression) {
  const std::string once = to_string(expression);
  Sources sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("printed.mo", "model M equation x = " + once + "; end M;");
  const ast::StoredDefinition tree = parse(file, sources, diagnostics);
  if (diagnostics.has_errors()) {
    // The printer may need a pair of parentheses more than was written, which the depth limit can refuse.
    const bool too_deep = diagnostics.all().front().message.find("levels deep") != std::string::npos;
    if (!too_deep) violated("printed text parses", render(diagnostics, sources));
    return;
  }
  const auto& body = std::get<ast::LongClass>(tree.classes.front().node);
  const auto* equality = std::get_if<ast::Equality>(&body.equations.front().equations.front().node);
  const std::string twice = equality ? to_string(equality->right) : "";
  if (once != twice) violated("printed text parses to the same expression", once + "\n" + twice);
}

void check_expressions(const ast::ClassDefinition& definition) {
  const auto* body = std::get_if<ast::LongClass>(&definition.node);
  if (!body) return;
  for (const ast::EquationSection& section : body->equations) {
    for (const ast::Equation& equation : section.equations) {
      if (const auto* equality = std::get_if<ast::Equality>(&equation.node)) check_round_trip(equality->right);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Sources sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
  const ast::StoredDefinition tree = parse(file, sources, diagnostics);
  check_messages(diagnostics, sources, size);
  if (!diagnostics.has_errors()) {
    for (const ast::ClassDefinition& definition : tree.classes) check_expressions(definition);
  }
  return 0;
}
