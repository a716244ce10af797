#include "driftless/language/extending.hpp"

#include <fmt/format.h>

namespace driftless::language {

namespace {

// Which kinds of classes a class of this kind may extend (Modelica 3.6, Section 7.1.3).
bool may_extend(ast::ClassKind derived, ast::ClassKind base) {
  using Kind = ast::ClassKind;
  if (derived == base || base == Kind::Class || derived == Kind::Class) return true;
  switch (derived) {
    case Kind::OperatorFunction: return base == Kind::Function;
    case Kind::OperatorRecord: return base == Kind::Record;
    case Kind::Connector: return base == Kind::Type || base == Kind::Record || base == Kind::OperatorRecord;
    case Kind::Block: return base == Kind::Record;
    case Kind::Model: return base == Kind::Record || base == Kind::Block;
    default: return false;
  }
}

// Is it an operator record, or does its text contain one?
bool has_operator_record(const Class& of) {
  std::vector<const Class*> open{&of};
  while (!open.empty()) {
    const Class& next = *open.back();
    open.pop_back();
    if (next.syntax->kind == ast::ClassKind::OperatorRecord && !next.synonym()) return true;
    for (const Class& inner : next.classes) open.push_back(&inner);
  }
  return false;
}

// Does the class have components, or more than `bases` bases?
bool adds_elements(const Scope& layer, int bases) {
  for (const ast::Element& element : layer.body()->elements) {
    if (std::holds_alternative<ast::ComponentClause>(element.node)) return true;
    if (std::holds_alternative<ast::Extends>(element.node) && --bases < 0) return true;
  }
  return false;
}

bool refuse_kind(Elaboration& all, const Scope& derived, const Class& base) {
  all.error(Code::WrongExtends, derived.syntax->name.range,
            fmt::format("a {} cannot extend the {} {}", ast::to_string(derived.syntax->kind),
                        ast::to_string(base.syntax->kind), base.path))
      .note("declared here", base.syntax->name.range);
  return false;
}

// An inherited operator would return the record of the base class (Modelica 3.6, Section 4.7).
bool refuse_operator_record(Elaboration& all, const Scope& derived, const Class& base) {
  all.error(Code::WrongExtends, derived.syntax->name.range,
            fmt::format("{} cannot extend {}, which {} an operator record", derived.path(), base.path,
                        base.syntax->kind == ast::ClassKind::OperatorRecord ? "is" : "contains"))
      .note("declared here", base.syntax->name.range);
  return false;
}

}  // namespace

bool may_extend_class(Elaboration& all, const Scope& derived, const Class& base) {
  if (!may_extend(derived.syntax->kind, base.syntax->kind)) return refuse_kind(all, derived, base);
  return !has_operator_record(base) || refuse_operator_record(all, derived, base);
}

bool may_extend_synonym(Elaboration& all, const Scope& derived, const Class& base, const ast::ShortClass& synonym) {
  if (synonym.subscripts.empty() && synonym.causality == ast::Causality::Unspecified) return true;
  if (!adds_elements(derived, 1)) {
    if (derived.syntax->kind == ast::ClassKind::Type) return true;  // may have a function equalityConstraint
    all.not_supported(base.syntax->name.range, "extending a class that is an array or has a prefix");
    return false;
  }
  all.error(Code::WrongExtends, derived.syntax->name.range,
            fmt::format("{} cannot extend {}, which is {}, and have elements of its own", derived.path(), base.path,
                        synonym.subscripts.empty() ? "input or output" : "an array"))
      .note("declared here", base.syntax->name.range);
  return false;
}

bool may_extend_type(Elaboration& all, const Scope& layer, const ast::Name& base, SourceRange range) {
  const ast::ClassKind kind = layer.syntax->kind;
  const bool is_type =
      kind == ast::ClassKind::Type || kind == ast::ClassKind::Connector || kind == ast::ClassKind::Class;
  if (is_type && !adds_elements(layer, 1)) return true;
  all.error(Code::WrongExtends, range,
            is_type ? fmt::format("{} cannot extend {} and have elements of its own", layer.path(), to_string(base))
                    : fmt::format("a {} cannot extend {}, which is a type", ast::to_string(kind), to_string(base)));
  return false;
}

bool is_fixed_base(Elaboration& all, const Scope& layer, const ast::Name& name, const LocalClass& base) {
  const bool by_simple_name = name.parts.size() == 1 && base.around && base.around->instance == layer.instance;
  const bool inherited =
      by_simple_name && base.declared_in && base.declared_in != &layer && inherits(layer, *base.declared_in);
  const bool replaceable = base.declaration && base.declaration->replaceable;
  if (!inherited && !(replaceable && base.declared_in == &layer)) return true;
  all.error(Code::WrongExtends, name.range,
            fmt::format("{} cannot extend {}, which is {}", layer.path(), to_string(name),
                        replaceable ? "replaceable" : "itself inherited"))
      .note("declared here", base.of->syntax->name.range);
  return false;
}

}  // namespace driftless::language
