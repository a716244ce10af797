// annotation(__Driftless(...)): declarations that Modelica cannot express. Vendor annotations are legal Modelica, and
// other tools ignore them.
#pragma once

#include <string>
#include <vector>

#include "driftless/language/ast.hpp"
#include "driftless/model/animation.hpp"

namespace driftless::language {

class Elaboration;
struct Scope;

// One name = value or name(...) inside of it.
struct VendorSetting {
  std::string name;
  const ast::Modification* modification;
  SourceRange range;
};

std::vector<VendorSetting> vendor_settings(const std::vector<ast::Modifier>& annotation);

// The animated shapes in the annotation of a model.
std::vector<AnimatedShape> elaborate_animation(Elaboration& all, Scope& model,
                                               const std::vector<ast::Modifier>& annotation);

// Reports unknown names.
void check_vendor_settings(Elaboration& all, const std::vector<ast::Modifier>& annotation);

}  // namespace driftless::language
