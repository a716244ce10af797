#include "driftless/language/derivative_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/function_values.hpp"

namespace driftless::language {

namespace {

const ast::DerivativeClass* syntax_of(const Instance& function) {
  return std::get_if<ast::DerivativeClass>(&function.of->syntax->node);
}

// A variable by which the function is differentiated, represented by a slot.
struct Direction {
  std::string name;
  NodeId slot;
  NodeId value;
};

constexpr int first_slot = 1 << 28;  // beyond those of all programs

class DerivativeCall {
 public:
  DerivativeCall(const Environment& at, const ast::Call& call, SourceRange range)
      : at_(at), pool_(at.all.pool), call_(call), range_(range) {}

  std::vector<Value> results(Instance& function) {
    Instance* behind = function_behind(function);
    if (!behind || !take_arguments(*behind)) return {Value()};
    const ast::Call without_arguments;
    std::vector<Value> results = call_function(at_, *behind, without_arguments, range_, inputs_);
    for (Value& value : results) {
      if (!value.valid() || value.type() != Type::Real) return refuse(*behind);
      for (NodeId& element : value.change()) element = derivative_of(element);
    }
    return results;
  }

 private:
  std::vector<Value> refuse(const Instance& function) {
    if (!at_.all.has_errors())
      at_.error(Code::TypesDiffer, range_,
                fmt::format("{} has an output that is not Real: it has no derivative", function.of->path));
    return {Value()};
  }

  // The function itself; collects the names of all variables by which it is differentiated.
  Instance* function_behind(Instance& first) {
    Instance* function = &first;
    for (int depth = 0; function && syntax_of(*function); ++depth) {
      const ast::DerivativeClass& syntax = *syntax_of(*function);
      for (const ast::Identifier& variable : syntax.variables)
        directions_.push_back({variable.text, pool_.local(first_slot + static_cast<int>(directions_.size())), {}});
      ast::Reference name{syntax.function.global, {}, syntax.function.range};
      for (const ast::Identifier& part : syntax.function.parts) name.parts.push_back({part, {}});
      Locals nothing;
      Scope& around = *function->own().parent;
      function = nullptr;
      std::string builtin;
      if (!find_function({at_.all, around, nothing}, name, function, builtin)) return nullptr;
      if (!function || depth > ast::max_depth) {
        at_.error(Code::NotAFunction, name.range, "only a function that is written in the text can be differentiated");
        return nullptr;
      }
    }
    return function;
  }

  bool take_arguments(Instance& function) {
    std::vector<Component*> inputs;
    for (Component& component : function.components) {
      find_type(at_.all, component);
      if (component.prefixes.causality == ast::Causality::Input) inputs.push_back(&component);
    }
    for (std::size_t k = 0; k < call_.arguments.size(); ++k) {
      const ast::CallArgument& argument = call_.arguments[k];
      const auto named = argument.name.empty()
                             ? inputs.begin() + static_cast<std::ptrdiff_t>(std::min(k, inputs.size()))
                             : std::ranges::find(inputs, argument.name.text,
                                                 [](const Component* input) { return input->identifier(); });
      if (named == inputs.end()) {
        at_.error(Code::UnknownArgument, argument.value.range,
                  fmt::format("{} has no input for this argument", function.of->path));
        return false;
      }
      const Component& input = **named;
      Value value = input.type.type == Type::Function ? function_argument(at_, argument.value, input)
                                                      : evaluate(at_, argument.value);
      if (!value.valid()) return false;
      const bool is_scalar = value.is_scalar() && value.is_numeric();
      for (Direction& direction : directions_)
        if (direction.name == input.identifier() && is_scalar) direction.value = value.scalar();
      inputs_.push_back({input.identifier(), std::move(value), argument.value.range});
    }
    return put_slots(function);
  }

  bool put_slots(const Instance& function) {
    for (const Direction& direction : directions_) {
      const auto input = std::ranges::find(inputs_, direction.name, &GivenInput::name);
      if (input == inputs_.end() || !input->value.is_scalar() || !input->value.is_numeric()) {
        at_.error(Code::WrongArgument, range_,
                  fmt::format("{} is differentiated to '{}', which is no scalar number among the arguments here",
                              function.of->path, direction.name));
        return false;
      }
      // Differentiating twice by one variable uses the same slot.
      const auto first = std::ranges::find(directions_, direction.name, &Direction::name);
      input->value = Value(Type::Real, first->slot);
    }
    return true;
  }

  NodeId derivative_of(NodeId expression) {
    for (const Direction& direction : directions_) {
      const NodeId slot = std::ranges::find(directions_, direction.name, &Direction::name)->slot;
      Differential differential(pool_, [&](NodeId leaf) { return leaf == slot ? pool_.one() : pool_.zero(); });
      expression = differential(expression);
    }
    Substitution substitution(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      for (const Direction& direction : directions_)
        if (leaf == direction.slot) return direction.value;
      return std::nullopt;
    });
    return substitution(expression);
  }

  const Environment& at_;
  Pool& pool_;
  const ast::Call& call_;
  SourceRange range_;
  std::vector<Direction> directions_;
  std::vector<GivenInput> inputs_;
};

}  // namespace

bool is_derivative_of_function(const Instance& function) { return syntax_of(function) != nullptr; }

std::vector<Value> call_derivative(const Environment& at, Instance& function, const ast::Call& call,
                                   SourceRange range) {
  return DerivativeCall(at, call, range).results(function);
}

}  // namespace driftless::language
