#include "driftless/language/external_derivative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "driftless/language/function_annotations.hpp"

namespace driftless::language {

namespace {

using Rate = GivenDerivative::Rate;

class DerivativeMaker {
 public:
  DerivativeMaker(Elaboration& all, const Frame& frame, std::span<const std::string_view> outputs, FunctionId function,
                  const ast::Modifier& annotation, SourceRange call)
      : all_(all),
        pool_(all.pool),
        frame_(frame),
        outputs_(outputs),
        function_(function),
        annotation_(annotation),
        call_(call) {}

  bool add() {
    Locals nothing;
    const Environment at{all_, frame_.function, nothing};
    Instance* derivative = derivative_function(at, annotation_);
    if (!derivative) return false;
    collect_arguments();
    const std::vector<Value> rates = call_function(at, *derivative, arguments_, call_);
    if (rates.size() == 1 && !rates.front().valid()) return false;
    Function program{derivative->of->path, slots_, slots_};
    if (!write(rates, program)) return false;
    given_.function = pool_.add_function(std::move(program));
    *pool_.function(function_).derivative = given_;
    return true;
  }

 private:
  bool is_named(const Local& local, std::string_view attribute) const {
    const auto names = names_in_derivative(annotation_, attribute);
    return std::ranges::find(names, local.name) != names.end();
  }

  // All inputs, elements that vary as slots of the program, then the rates of the Real ones.
  void collect_arguments() {
    slots_ = pool_.function(function_).inputs;
    given_.places.assign(static_cast<std::size_t>(slots_), -1);
    given_.rates.assign(static_cast<std::size_t>(slots_), Rate::Unknown);
    std::vector<Value> rates;
    for (const Component& component : frame_.function.instance->components) {
      if (component.prefixes.causality != ast::Causality::Input) continue;
      const auto local = std::ranges::find(frame_.locals, std::string_view(component.identifier()), &Local::name);
      Value value = local->value;
      const bool has_rate =
          value.type() == Type::Real && !is_named(*local, "noDerivative") && !is_named(*local, "zeroDerivative");
      Value rate = value;
      for (std::size_t k = 0; k < value.size(); ++k) {
        const NodeId node = value[k];
        if (has_rate) rate.change()[k] = pool_.zero();
        if (pool_[node].op != Op::Local) continue;
        const std::size_t place = pool_[node].a;
        if (is_named(*local, "noDerivative") || value.type() != Type::Real) given_.rates[place] = Rate::Zero;
        if (!has_rate) continue;
        given_.rates[place] = Rate::Passed;
        given_.places[place] = slots_;
        rate.change()[k] = pool_.local(slots_++);
      }
      arguments_.push_back(std::move(value));
      if (has_rate) rates.push_back(std::move(rate));
    }
    arguments_.insert(arguments_.end(), rates.begin(), rates.end());
  }

  const Local& local(std::string_view name) const { return *std::ranges::find(frame_.locals, name, &Local::name); }

  // One rate for each number of each output; those of Integer and Boolean ones are zero, and are not outputs of the
  // derivative.
  bool write(const std::vector<Value>& rates, Function& program) {
    std::map<std::string_view, const Value*> rate_of;
    std::size_t next = 0;
    for (const Component& component : frame_.function.instance->components) {
      if (component.prefixes.causality != ast::Causality::Output) continue;
      const Value& value = local(component.identifier()).value;
      if (value.type() != Type::Real) continue;
      if (next >= rates.size() || rates[next].type() != Type::Real || rates[next].size() != value.size())
        return refuse(component);
      rate_of.emplace(component.identifier(), &rates[next++]);
    }
    for (const std::string_view name : outputs_)
      for (std::size_t k = 0; k < local(name).value.size(); ++k) {
        const auto rate = rate_of.find(name);
        Statement statement;
        statement.target = program.locals++;
        statement.expression = rate == rate_of.end() ? pool_.zero() : (*rate->second)[k];
        program.outputs.push_back(statement.target);
        program.body.push_back(std::move(statement));
      }
    return true;
  }

  bool refuse(const Component& output) {
    all_.error(Code::WrongArgument, annotation_.range,
               fmt::format("the derivative of {} has no output that fits '{}'", frame_.function.path(),
                           output.identifier()))
        .note("called here", call_);
    return false;
  }

  Elaboration& all_;
  Pool& pool_;
  const Frame& frame_;
  std::span<const std::string_view> outputs_;
  FunctionId function_;
  const ast::Modifier& annotation_;
  SourceRange call_;
  std::vector<Value> arguments_;
  GivenDerivative given_;
  int slots_ = 0;
};

}  // namespace

bool add_derivative(Elaboration& all, const Frame& frame, std::span<const std::string_view> outputs,
                    FunctionId function, SourceRange call) {
  const ast::Modifier* annotation = derivative_annotation(*frame.function.instance);
  return !annotation || DerivativeMaker(all, frame, outputs, function, *annotation, call).add();
}

}  // namespace driftless::language
