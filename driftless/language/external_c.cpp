#include "driftless/language/external_c.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/external.hpp"
#include "driftless/language/external_derivative.hpp"
#include "driftless/language/external_libraries.hpp"
#include "driftless/language/external_plan.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

bool may_call_c(Elaboration& all, const Instance& function, const ast::External& external, std::string_view name,
                SourceRange call) {
  if (external.language != "C" && !external.language.empty()) {
    all.not_supported(external.range,
                      fmt::format("the external function '{}' in {}", function.of->path, external.language));
    return false;
  }
  if (all.allow_external) return true;
  all.error(Code::ExternalFunctionFailed, call,
            fmt::format("'{}' calls the C function '{}', and calls of C functions are not allowed", function.of->path,
                        name))
      .note("declared here", external.range)
      .note("--allow-external allows them: the code of their libraries then runs with your rights");
  return false;
}

namespace {

using external::Cell;

// The external objects of C are numbered -1, -2, ...; those of tables 0, 1, ...
Value object_value(Elaboration& all, CObject object) {
  all.c_objects.push_back(std::move(object));
  return {Type::Object, all.pool.constant(-static_cast<double>(all.c_objects.size()))};
}

void* object_behind(const Elaboration& all, double number) {
  const auto place = static_cast<std::size_t>(-number) - 1;
  return number < 0.0 && place < all.c_objects.size() ? all.c_objects[place].get() : nullptr;
}

// An element of an input that is known only during the run. While the call is planned it is represented by a slot.
struct VaryingInput {
  NodeId node;
  bool is_discrete;
};

// Where it goes.
struct VaryingCell {
  std::size_t argument, cell, input;
};

bool is_discrete_element(const Value& value, std::size_t k) {
  if (!value.is_record()) return value.type() != Type::Real;
  const RecordLayout* layout = value.layout();
  for (k %= layout->size;;) {
    const auto member = std::ranges::find_if(
        layout->members, [&](const RecordMember& one) { return k >= one.first && k < one.first + one.size; });
    if (!member->layout) return member->type != Type::Real;
    layout = member->layout;
    k = (k - member->first) % layout->size;
  }
}

std::vector<VaryingInput> inputs_to_slots(Pool& pool, Locals& locals) {
  std::vector<VaryingInput> varying;
  for (Local& local : locals) {
    if (local.kind != Local::Kind::Input) continue;
    for (std::size_t k = 0; k < local.value.size(); ++k) {
      const NodeId node = local.value[k];
      if (pool.is_constant(node) || local.value.type() == Type::String) continue;
      local.value.change()[k] = pool.local(static_cast<int>(varying.size()));
      varying.push_back({node, is_discrete_element(local.value, k)});
    }
  }
  return varying;
}

class Caller {
 public:
  Caller(Elaboration& all, Frame& frame, SourceRange call)
      : all_(all), pool_(all.pool), frame_(frame), at_{all, frame.function, frame.locals}, call_(call) {}

  bool run(const ast::External& external) {
    varying_ = inputs_to_slots(pool_, frame_.locals);
    auto plan = plan_call(all_, frame_, external);
    if (!plan) return false;
    plan_ = std::move(*plan);
    if (!fill_arguments()) return false;
    auto found = find_c_function(all_, *frame_.function.instance, plan_.signature);
    if (const auto* why = std::get_if<std::string>(&found)) return refuse(*why);
    function_.emplace(std::move(std::get<external::CFunction>(found)));
    return varying_.empty() ? call_now() : call_later();
  }

 private:
  bool refuse(const std::string& why) {
    at_.error(Code::ExternalFunctionFailed, call_,
              fmt::format("the C function '{}' of {}: {}", plan_.signature.name, frame_.function.path(), why));
    return false;
  }

  bool fill_arguments() {
    for (std::size_t k = 0; k < plan_.places.size(); ++k) {
      const CPlace& place = plan_.places[k];
      const std::vector<external::CType>& members = place.parameter.members;
      external::CArgument cells(members.size() * place.parameter.count);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const NodeId node = place.value[c];
        if (node != unassigned && place.written.empty() && !fill(k, c, members[c % members.size()], node, cells[c]))
          return false;
      }
      arguments_.push_back(std::move(cells));
    }
    return true;
  }

  bool fill(std::size_t argument, std::size_t place, external::CType type, NodeId node, Cell& cell) {
    const auto number = known_number(pool_, node);
    switch (type) {
      case external::CType::Text: {
        const auto text = known_text(all_, Value(Type::String, node));
        if (!text)
          return refuse(fmt::format("argument {} is a String that is known only during the run", argument + 1));
        cell.text = *text;
        return true;
      }
      case external::CType::Object:
        if (number) cell.object = object_behind(all_, *number);
        return cell.object ? true : refuse("its external object was not made by a C function");
      default:
        if (number) return cell.number = *number, true;
        if (pool_[node].op != Op::Local)
          return refuse(fmt::format("argument {} is computed from inputs that vary during the run: pass the inputs",
                                    argument + 1));
        cells_.push_back({argument, place, pool_[node].a});
        return true;
    }
  }

  // --- known arguments

  bool call_now() {
    Cell result;
    if (const auto why = (*function_)(arguments_, result)) return refuse(*why);
    if (!plan_.result.empty() && !assign(local(plan_.result), {result})) return false;
    for (std::size_t k = 0; k < arguments_.size(); ++k)
      if (!plan_.places[k].written.empty() && !assign(local(plan_.places[k].written), arguments_[k])) return false;
    return true;
  }

  Local& local(std::string_view name) { return *find_local(frame_.locals, name); }

  bool assign(Local& local, const external::CArgument& cells) {
    if (local.value.type() == Type::Object) return assign_object(local, cells.front().object);
    const bool is_text = local.value.type() == Type::String;
    std::size_t k = 0;
    for (NodeId& element : local.value.change()) {
      const Cell& cell = cells[k++];
      element = pool_.constant(is_text ? all_.texts.number(cell.text) : cell.number);
    }
    return true;
  }

  // The object lives as long as the model made from the text; then its destructor is called.
  bool assign_object(Local& local, void* made) {
    std::optional<external::CFunction> destructor;
    if (Scope* around = frame_.function.parent)
      if (const Symbol symbol = find_in(*around->instance, "destructor"); symbol.local)
        if (Instance* function = instance_of(*symbol.local))
          if (const ast::LongClass* body = function->own().body(); body && body->external) {
            external::Signature signature{std::string(external_name(function->own(), *body->external)), {}, {}};
            signature.parameters.push_back({{external::CType::Object}, 1, false});
            auto found = find_c_function(all_, *function, std::move(signature));
            if (const auto* why = std::get_if<std::string>(&found)) return refuse(*why);
            destructor.emplace(std::move(std::get<external::CFunction>(found)));
          }
    if (!made) return refuse("it has returned no object");
    const auto release = [destructor](void* object) {
      if (!destructor) return;
      std::vector<external::CArgument> arguments{{Cell{.object = object}}};
      Cell nothing;
      (*destructor)(arguments, nothing);
    };
    local.value = object_value(all_, CObject(made, release));
    return true;
  }

  // --- arguments that vary

  bool call_later() {
    const auto id = foreign();
    if (!id) return false;
    std::vector<NodeId> nodes;
    for (const VaryingInput& one : varying_) nodes.push_back(one.node);
    int output = 0;
    for (const std::string_view name : outputs())
      for (NodeId& element : local(name).value.change()) element = pool_.call(*id, output++, nodes);
    return true;
  }

  std::vector<std::string_view> outputs() const {
    std::vector<std::string_view> list;
    if (!plan_.result.empty()) list.push_back(plan_.result);
    for (const CPlace& place : plan_.places)
      if (!place.written.empty()) list.push_back(place.written);
    return list;
  }

  // One for each combination of known arguments, of shapes, and of places that vary.
  std::string key() const {
    std::string key = fmt::format("C {} {}", fmt::ptr(frame_.function.instance), varying_.size());
    for (const external::CArgument& argument : arguments_) {
      key += '|';
      for (const Cell& cell : argument) key += fmt::format(" {} {} {}", cell.number, cell.text, cell.object);
    }
    for (const VaryingCell& one : cells_) key += fmt::format(";{} {} {}", one.argument, one.cell, one.input);
    return key;
  }

  std::optional<FunctionId> foreign() {
    const auto [place, fresh] = all_.programs.try_emplace(key());
    if (!fresh) return place->second.valid ? std::optional(place->second.function) : std::nullopt;
    const std::vector<std::string_view> written = outputs();
    int numbers = 0;
    for (const std::string_view name : written) {
      const Value& value = local(name).value;
      if (value.type() == Type::String || value.type() == Type::Object || value.is_record()) {
        refuse("only numbers can be its outputs when its arguments vary during the run");
        return std::nullopt;
      }
      numbers += static_cast<int>(value.size());
    }
    ForeignCode code{foreign_call(), {}};
    for (const VaryingInput& one : varying_) code.is_discrete.push_back(one.is_discrete);
    Function function =
        foreign_function(frame_.function.path(), static_cast<int>(varying_.size()), numbers, std::move(code));
    // It is registered before its derivative, which may call it: exp is its own derivative.
    const FunctionId made = pool_.add_function(std::move(function));
    place->second.function = made;
    place->second.valid = true;
    return add_derivative(all_, frame_, written, made, call_) ? std::optional(made) : std::nullopt;
  }

  // The call with numbers. It keeps alive what it needs of the present text.
  std::function<bool(std::span<const double>, std::span<double>)> foreign_call() const {
    std::vector<std::size_t> written;
    for (std::size_t k = 0; k < plan_.places.size(); ++k)
      if (!plan_.places[k].written.empty()) written.push_back(k);
    return [function = *function_, arguments = arguments_, cells = cells_, written, objects = all_.c_objects,
            has_result = !plan_.result.empty()](std::span<const double> inputs, std::span<double> outputs) {
      std::vector<external::CArgument> own = arguments;
      for (const VaryingCell& one : cells) own[one.argument][one.cell].number = inputs[one.input];
      Cell result;
      if (function(own, result)) return false;
      std::size_t next = 0;
      if (has_result) outputs[next++] = result.number;
      for (const std::size_t k : written)
        for (const Cell& cell : own[k]) outputs[next++] = cell.number;
      return true;
    };
  }

  Elaboration& all_;
  Pool& pool_;
  Frame& frame_;
  const Environment at_;
  CPlan plan_;
  SourceRange call_;
  std::vector<external::CArgument> arguments_;
  std::vector<VaryingInput> varying_;
  std::vector<VaryingCell> cells_;
  std::optional<external::CFunction> function_;
};

}  // namespace

bool call_c(Elaboration& all, Frame& frame, const ast::External& external, SourceRange call) {
  return Caller(all, frame, call).run(external);
}

}  // namespace driftless::language
