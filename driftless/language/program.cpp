// Calls of functions and loops that have become programs of the pool.
#include <fmt/format.h>

#include <functional>

#include "driftless/language/algorithms.hpp"
#include "driftless/language/function_values.hpp"
#include "driftless/language/functions.hpp"
#include "driftless/language/program_writer.hpp"

namespace driftless::language {

namespace {

// The numbers that a program is called with for this input.
void visit_numbers(const Elaboration& all, const Local& input, const std::function<void(const Value&)>& visit) {
  if (input.value.type() == Type::Function)
    visit_given(all, input.value, [&](const Value& value) {
      if (!is_fixed_value(all.pool, value)) visit(value);
    });
  else if (!is_fixed_argument(all.pool, input))
    visit(input.value);
}

std::string instance_key(const Elaboration& all, const Frame& frame) {
  const Pool& pool = all.pool;
  std::string key = fmt::format("{}", fmt::ptr(frame.function.instance));
  for (const Local& local : frame.locals) {
    if (local.kind != Local::Kind::Input) continue;
    if (local.value.type() == Type::Function) {
      key += "|" + key_of(all, local.value);
      continue;
    }
    key += fmt::format("|{}", to_string(local.value.shape()));
    if (!is_fixed_argument(pool, local)) continue;
    for (const NodeId node : local.value.elements()) key += fmt::format(" {}", pool.constant_value(node));
  }
  return key;
}

// Inside of a program the conditions around its call are those of another text.
class InsideProgram {
 public:
  explicit InsideProgram(Elaboration& all) : all_(all), outer_(std::exchange(all.events.reached, std::nullopt)) {}
  ~InsideProgram() { all_.events.reached = outer_; }
  InsideProgram(const InsideProgram&) = delete;
  InsideProgram& operator=(const InsideProgram&) = delete;

 private:
  Elaboration& all_;
  std::optional<NodeId> outer_;
};

}  // namespace

// In a branch that is not taken a call takes no time: its loops might have no end there.
std::vector<Value> call_program(Elaboration& all, const Frame& frame) {
  const std::optional<NodeId> reached = all.events.reached;
  const bool guarded = reached && !all.pool.is_constant(*reached, 1.0);
  const auto [place, fresh] = all.programs.try_emplace(instance_key(all, frame) + (guarded ? "|guarded" : ""));
  if (fresh) {
    const InsideProgram inside(all);
    place->second = ProgramWriter(all, frame.function).write(frame.locals, guarded);
  }
  const ProgramInstance& program = place->second;
  if (!program.valid) return {Value()};

  std::vector<NodeId> arguments;
  for (const Local& local : frame.locals)
    if (local.kind == Local::Kind::Input)
      visit_numbers(all, local, [&](const Value& value) {
        arguments.insert(arguments.end(), value.elements().begin(), value.elements().end());
      });
  if (guarded) arguments.push_back(*reached);
  std::vector<Value> results;
  int output = 0;
  for (const Value& shape : program.outputs) {
    Value result = shape;
    for (NodeId& element : result.change()) element = all.pool.call(program.function, output++, arguments);
    results.push_back(std::move(result));
  }
  return results;
}

bool call_loop(const Environment& at, const ast::Statement& loop, SectionOfModel& section) {
  const EquationSite& site = at.all.site(loop.range);
  const InsideProgram inside(at.all);
  const auto program = ProgramWriter(at.all, at.scope).write_loop(at.locals, loop, site.label);
  if (!program) return false;
  int output = 0;
  for (const std::size_t place : program->assigned) {
    Local& local = at.locals[place];
    for (NodeId& element : local.value.change())
      element = at.all.pool.call(program->function, output++, program->arguments);
    if (!section.note_assignment(at, local, nullptr, local.value, loop.range)) return false;
  }
  return true;
}

}  // namespace driftless::language
