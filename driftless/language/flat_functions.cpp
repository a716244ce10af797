#include "driftless/language/flat_functions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "driftless/expr/function.hpp"

namespace driftless::language {

namespace {

class FunctionText {
 public:
  FunctionText(const Model& model, FlatExpressions& expressions, FlatExpressions::UsedFunction used)
      : pool_(*model.pool),
        function_(model.pool->function(used.function)),
        expressions_(expressions),
        used_(std::move(used)) {
    is_assigned_.resize(static_cast<std::size_t>(function_.locals));
    note_assignments(function_.body);
  }

  std::string write() {
    line(1, "function " + used_.name);
    const int output = function_.outputs[static_cast<std::size_t>(used_.output)];
    std::vector<std::string> slots;
    for (int slot = 0; slot < function_.locals; ++slot)
      slots.push_back(slot == output ? "'y'" : fmt::format("'{}'", name_of(slot)));
    std::map<NodeId, std::string> parameters;
    for (int k = 0; k < function_.inputs; ++k) line(2, fmt::format("input Real '{}';", input_name(k)));
    for (const NodeId parameter : expressions_.parameters_of(used_.function)) {
      const std::string name = fmt::format("'p{}'", parameters.size() + 1);
      line(2, fmt::format("input Real {};", name));
      parameters.emplace(parameter, name);
    }
    line(2, fmt::format("output Real 'y' = {};", first_value(output)));
    declare_others(output);
    expressions_.enter_function(std::move(slots), std::move(parameters));
    line(1, "algorithm");
    block(function_.body, 2);
    line(1, "end " + used_.name + ";");
    return std::move(text_);
  }

 private:
  void line(int depth, const std::string& content) {
    text_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + content + "\n";
  }

  static std::string input_name(int k) { return fmt::format("u{}", k + 1); }
  // Must an input be copied because it is assigned, which Modelica does not allow?
  bool is_copied(int slot) const { return slot < function_.inputs && is_assigned_[static_cast<std::size_t>(slot)]; }
  std::string name_of(int slot) const {
    return slot < function_.inputs && !is_copied(slot) ? input_name(slot) : fmt::format("v{}", slot + 1);
  }
  std::string first_value(int slot) const {
    return slot < function_.inputs ? fmt::format("'{}'", input_name(slot)) : std::string("0");
  }

  void declare_others(int output) {
    bool is_first = true;
    for (int slot = 0; slot < function_.locals; ++slot) {
      if (slot == output || (slot < function_.inputs && !is_copied(slot))) continue;
      if (std::exchange(is_first, false)) line(1, "protected");
      line(2, fmt::format("Real '{}' = {};", name_of(slot), first_value(slot)));
    }
  }

  void note_assignments(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      if (statement.kind == Statement::Kind::Assign) is_assigned_[static_cast<std::size_t>(statement.target)] = true;
      note_assignments(statement.body);
      note_assignments(statement.otherwise);
    }
  }

  std::string target(int slot) const {
    const bool is_output = slot == function_.outputs[static_cast<std::size_t>(used_.output)];
    return is_output ? "'y'" : fmt::format("'{}'", name_of(slot));
  }

  // Is it the NaN that initializes a variable without a value? Modelica cannot express it, and it is never read.
  bool has_no_value(NodeId expression) const {
    return pool_.is_constant(expression) && std::isnan(pool_.constant_value(expression));
  }

  void block(const std::vector<Statement>& statements, int depth) {
    using Wanted = FlatExpressions::Wanted;
    constexpr auto plain = FlatExpressions::Relations::AsTheyStand;
    for (const Statement& statement : statements) switch (statement.kind) {
        case Statement::Kind::Assign:
          if (has_no_value(statement.expression)) break;
          line(depth, fmt::format("{} := {};", target(statement.target),
                                  expressions_(statement.expression, Wanted::Real, plain)));
          break;
        case Statement::Kind::If:
          line(depth, fmt::format("if {} then", expressions_(statement.expression, Wanted::Boolean, plain)));
          block(statement.body, depth + 1);
          if (!statement.otherwise.empty()) line(depth, "else");
          block(statement.otherwise, depth + 1);
          line(depth, "end if;");
          break;
        case Statement::Kind::While:
          line(depth, fmt::format("while {} loop", expressions_(statement.expression, Wanted::Boolean, plain)));
          block(statement.body, depth + 1);
          line(depth, "end while;");
          break;
        case Statement::Kind::Return: line(depth, "return;"); break;
        case Statement::Kind::Break: line(depth, "break;"); break;
      }
  }

  const Pool& pool_;
  const Function& function_;
  FlatExpressions& expressions_;
  FlatExpressions::UsedFunction used_;
  std::vector<bool> is_assigned_;
  std::string text_;
};

}  // namespace

std::string flat_functions(const Model& model, FlatExpressions& expressions) {
  std::string text;
  for (std::size_t k = 0; k < expressions.functions().size(); ++k)
    text += FunctionText(model, expressions, expressions.functions()[k]).write();
  return text;
}

}  // namespace driftless::language
