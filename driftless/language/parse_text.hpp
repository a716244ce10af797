// For the tests of the parser: texts in, trees or rendered messages out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "driftless/language/parser.hpp"

namespace driftless {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  ast::StoredDefinition tree;

  std::string messages() const { return render(diagnostics, sources); }
  std::string text(SourceRange range) const {
    return sources.text(range.file).substr(range.begin, range.end - range.begin);
  }
  const ast::ClassDefinition& only() const { return tree.classes.at(0); }
  const ast::LongClass& body() const { return std::get<ast::LongClass>(only().node); }
};

inline Parsed parse_any(std::string text) {
  Parsed result;
  const FileId file = result.sources.add("m.mo", std::move(text));
  result.tree = parse(file, result.sources, result.diagnostics);
  return result;
}

inline Parsed parse_well(std::string text) {
  Parsed result = parse_any(std::move(text));
  EXPECT_TRUE(result.diagnostics.all().empty()) << result.messages();
  return result;
}

// The body of `model M ... end M;`
inline Parsed parse_body(const std::string& text) { return parse_well("model M\n" + text + "\nend M;\n"); }

// The right side of the only equation of a model.
inline ast::Expression parse_expression(const std::string& text) {
  Parsed parsed = parse_well("model M equation x = " + text + "; end M;");
  auto& body = std::get<ast::LongClass>(parsed.tree.classes.at(0).node);
  return std::move(std::get<ast::Equality>(body.equations.at(0).equations.at(0).node).right);
}

}  // namespace driftless
