// One text through lexer, parser and elaboration. Whatever the bytes are: the parser returns, every message lies
// within the text and can be shown, what parses without an error prints to text that parses and prints the same, and
// what cannot be elaborated has a reason.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "driftless/language/elaborate.hpp"
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

void check_elaboration(const ast::StoredDefinition& tree, const std::shared_ptr<Sources>& sources, std::size_t size) {
  Diagnostics diagnostics;
  const Limits small{.elements = 10'000, .steps = 200'000, .recursion = 100, .nesting = 300};
  const std::optional<Model> model = elaborate(tree, {}, sources, diagnostics, small);
  check_messages(diagnostics, *sources, size);
  if (model.has_value() == diagnostics.has_errors())
    violated("either a model or a reason", render(diagnostics, *sources));
  if (!model) return;
  std::set<std::string> labels;
  for (const auto* list : {&model->equations, &model->initial_equations}) {
    for (const Equation& equation : *list) {
      if (index(equation.residual) >= model->pool->size()) violated("a residual is a node", equation.label);
      if (!labels.insert(equation.label).second) violated("labels are unique", equation.label);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  const FileId file = sources->add("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
  const ast::StoredDefinition tree = parse(file, *sources, diagnostics);
  check_messages(diagnostics, *sources, size);
  if (!diagnostics.has_errors()) {
    for (const ast::ClassDefinition& definition : tree.classes) check_expressions(definition);
    check_elaboration(tree, sources, size);
  }
  return 0;
}
