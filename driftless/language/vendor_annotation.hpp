// annotation(__Driftless(...)): what Modelica has no words for. An annotation of a vendor's own name is legal Modelica,
// which other tools ignore.
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

// What the annotation of a model wants to be seen moving.
std::vector<AnimatedShape> elaborate_animation(Elaboration& all, Scope& model,
                                               const std::vector<ast::Modifier>& annotation);

// Reports names that stand for nothing.
void check_vendor_settings(Elaboration& all, const std::vector<ast::Modifier>& annotation);

}  // namespace driftless::language
