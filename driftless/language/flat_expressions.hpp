// Expressions of a model as Modelica text that is read again as the same expressions.
//
// In a model Booleans are numbers, a relation that causes events is a parameter, and pre(n) is one as well. Here they
// become text of the right type: an expression is rebuilt in a pool on top of the model's, with everything that the
// printer cannot write replaced by parameters of this class, each with a text of its own.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "driftless/expr/print.hpp"
#include "driftless/model/model.hpp"

namespace driftless::language {

std::string in_quotes(const std::string& name);

class FlatExpressions {
 public:
  explicit FlatExpressions(const Model& model);

  // Relations of variables that are no parameters cause no event: outside of when clauses and of conditions that are
  // only tested they are written as noEvent(a < b).
  enum class Relations { Quiet, AsTheyStand };
  enum class Wanted { Real, Integer, Boolean };
  std::string operator()(NodeId expression, Wanted wanted = Wanted::Real, Relations relations = Relations::Quiet);

  // The name of a discrete variable; for the condition of a when clause a generated one.
  const std::string& name_of(std::size_t discrete) const { return discrete_names_[discrete]; }
  // A call of a program as a call of a function of this name: one for each output that is used.
  struct UsedFunction {
    FunctionId function;
    int output;
    std::string name;
  };
  const std::vector<UsedFunction>& functions() const { return functions_; }
  // Parameters of the model that the body of a program mentions: the function in the text gets them as additional
  // inputs.
  const std::vector<NodeId>& parameters_of(FunctionId function);
  // Switches to expressions of a function body, with names for its slots and for these parameters.
  void enter_function(std::vector<std::string> slots, std::map<NodeId, std::string> parameters);

  bool was_cut() const { return was_cut_; }  // an expression was too long to be written

 private:
  struct Made {
    NodeId node;
    bool is_boolean = false, is_integer = false;
  };

  void name_discrete_variables();
  void name_parameters();
  NodeId with_text(std::string text);
  NodeId truth(bool value);
  std::string print(NodeId node);
  Made rebuilt(NodeId id, Relations relations);
  Made leaf(NodeId id);
  Made held(std::size_t place);
  Made operation(NodeId id, Relations relations);
  Made call(NodeId id, Relations relations);
  Made choice(const Node& node, Relations relations);
  Made equality(Op op, Made a, Made b);
  NodeId boolean(const Made& made);
  NodeId number(const Made& made);
  NodeId wanted(const Made& made, Wanted wanted);

  const Model& model_;
  std::shared_ptr<Pool> pool_;
  Names names_;
  std::vector<std::string> texts_;  // of parameters: those of the model, then those of this class
  std::vector<std::string> discrete_names_;
  std::unordered_map<std::int32_t, std::size_t> held_places_;       // by parameter
  std::unordered_map<std::int32_t, bool> is_boolean_, is_integer_;  // parameters
  std::map<std::pair<NodeId, Relations>, Made> known_;
  std::map<NodeId, Made> by_node_;  // the made parameters, by the new node
  std::map<std::pair<FunctionId, int>, std::size_t> function_places_;
  std::vector<UsedFunction> functions_;
  std::map<FunctionId, std::vector<NodeId>> parameters_of_;
  std::vector<std::string> slots_;
  std::map<NodeId, std::string> parameter_inputs_;
  std::unordered_map<NodeId, int> promises_;  // of smoothness
  std::vector<Made> helds_;                   // relations that cause events
  std::map<std::string, NodeId> parameter_of_text_;
  bool was_cut_ = false;
};

}  // namespace driftless::language
