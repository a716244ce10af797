#include "driftless/language/external_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/external.hpp"

namespace driftless::language {

namespace {

using external::CType;

CType c_type(Type type) {
  switch (type) {
    case Type::Real: return CType::Real;
    case Type::String: return CType::Text;
    case Type::Object: return CType::Object;
    default: return CType::Integer;
  }
}

void add_members(const RecordLayout& layout, std::vector<CType>& members) {
  for (const RecordMember& member : layout.members)
    for (std::int64_t k = 0; k < count(member.shape); ++k) {
      if (member.layout)
        add_members(*member.layout, members);
      else
        members.push_back(c_type(member.type));
    }
}

class Planner {
 public:
  Planner(Elaboration& all, Frame& frame, const ast::External& external)
      : at_{all, frame.function, frame.locals}, frame_(frame), external_(external) {}

  std::optional<CPlan> plan() {
    plan_.signature.name = external_name(frame_.function, external_);
    const bool as_written = external_.result || !external_.function.empty() || !external_.arguments.empty();
    if (!(as_written ? take_written() : take_all())) return std::nullopt;
    if (!plan_.result.empty()) plan_.signature.result = c_type(find_local(frame_.locals, plan_.result)->value.type());
    for (const CPlace& place : plan_.places) plan_.signature.parameters.push_back(place.parameter);
    return std::move(plan_);
  }

 private:
  bool refuse(SourceRange range, std::string_view what) {
    at_.error(Code::ExternalFunctionFailed, range, fmt::format("{} cannot be passed to a C function", what));
    return false;
  }

  bool take_written() {
    if (external_.result) {
      const Local* local = find_local(frame_.locals, external_.result->parts.front().name.text);
      if (!local || !external_.result->is_simple() || !local->value.is_scalar() || local->kind != Local::Kind::Output)
        return refuse(external_.result->range, "what is not a scalar output");
      plan_.result = local->name;
    }
    return std::ranges::all_of(external_.arguments, [&](const ast::Expression& argument) { return take(argument); });
  }

  // y = f(inputs), or f(inputs, outputs) if there is more than one scalar output; arrays are followed by their sizes.
  bool take_all() {
    std::vector<const Local*> outputs;
    for (const Local& local : frame_.locals)
      if (local.kind == Local::Kind::Output) outputs.push_back(&local);
    if (outputs.size() == 1 && outputs.front()->value.is_scalar()) plan_.result = outputs.front()->name;
    for (const Component& component : frame_.function.instance->components) {
      const Local* local = find_local(frame_.locals, component.identifier());
      if (!local || local->name == plan_.result || local->kind == Local::Kind::Protected) continue;
      if (!take_local(*local, component.syntax->range)) return false;
      for (const std::int64_t size : local->value.shape()) take_size(static_cast<double>(size));
    }
    return true;
  }

  bool take(const ast::Expression& argument) {
    if (const auto* reference = argument.as<ast::Reference>(); reference && reference->is_simple())
      if (const Local* local = find_local(frame_.locals, reference->parts.front().name.text))
        return take_local(*local, argument.range);
    const Value value = evaluate(at_, argument);
    if (!value.valid()) return false;
    const auto* call = argument.as<ast::Call>();
    if (call && call->function.dotted() == "size" && value.is_scalar())
      if (const auto size = known_number(at_.all.pool, value.scalar())) return take_size(*size), true;
    return add(value, {}, false, argument.range);
  }

  void take_size(double size) {
    CPlace place{{{CType::Size}, 1, false}, {Type::Integer, at_.all.pool.constant(size)}};
    plan_.places.push_back(std::move(place));
  }

  bool take_local(const Local& local, SourceRange range) {
    const bool is_output = local.kind == Local::Kind::Output;
    const auto elements = local.value.elements();
    const bool is_work =
        local.kind == Local::Kind::Protected && std::ranges::find(elements, unassigned) != elements.end();
    return add(local.value, is_output ? local.name : std::string_view(), is_output || is_work, range);
  }

  bool add(const Value& value, std::string_view written, bool by_address, SourceRange range) {
    CPlace place;
    place.value = value;
    place.written = written;
    place.parameter.by_address = by_address || !value.is_scalar();
    place.parameter.count = static_cast<std::size_t>(count(value.shape()));
    if (value.type() == Type::Function) return refuse(range, "a function");
    if (value.is_record())
      add_members(*value.layout(), place.parameter.members);
    else
      place.parameter.members = {c_type(value.type())};
    if (place.parameter.members.empty()) return refuse(range, "a record without members");
    plan_.places.push_back(std::move(place));
    return true;
  }

  const Environment at_;
  Frame& frame_;
  const ast::External& external_;
  CPlan plan_;
};

}  // namespace

std::optional<CPlan> plan_call(Elaboration& all, Frame& frame, const ast::External& external) {
  return Planner(all, frame, external).plan();
}

}  // namespace driftless::language
