// Collects facts about all connect equations and operators of overconstrained connections before the equations of a
// model are elaborated.
#include <fmt/format.h>

#include "driftless/language/connect_ends.hpp"
#include "driftless/language/overconstrained.hpp"

namespace driftless::language {

namespace {

void count_ends(const Environment& at, const ast::Connect& connect) {
  const auto from = find_ends(at, connect.from), to = find_ends(at, connect.to);
  if (!from || !to || from->absent || to->absent) return;
  for (const Ends* ends : {&*from, &*to})
    for (const End& end : ends->list) ++at.all.connection_facts.counts[end];
}

void walk(const Environment& at, const std::vector<ast::Equation>& equations, const ConnectionVisitor& visitor) {
  for (const ast::Equation& equation : equations) {
    if (const auto* connect = std::get_if<ast::Connect>(&equation.node)) {
      visitor.connect(at, *connect, equation.range);
    } else if (const auto* alone = std::get_if<ast::CallEquation>(&equation.node)) {
      const auto* call = alone->call.as<ast::Call>();
      if (call && visitor.call) visitor.call(at, *call, equation.range);
    } else if (const auto* loop = std::get_if<ast::ForEquation>(&equation.node)) {
      iterate(at, loop->iterators, [&] {
        walk(at, loop->body, visitor);
        return at.all.spend(equation.range);
      });
    } else if (const auto* choice = std::get_if<ast::IfEquation>(&equation.node)) {
      const std::vector<ast::Equation>* taken = &choice->otherwise;
      for (const auto& branch : choice->branches) {
        const auto condition = branch_condition(at, branch.condition);
        if (condition && at.all.pool.is_constant(*condition, 0.0)) continue;
        taken = condition && at.all.pool.is_constant(*condition) ? &branch.body : nullptr;
        break;
      }
      if (taken) walk(at, *taken, visitor);
    }
  }
}

}  // namespace

void walk_connections(Elaboration& all, const Flat& flat, const ConnectionVisitor& visitor) {
  const bool muted = std::exchange(all.muted, true);
  for (Instance* instance : flat.instances) {
    const Reading reading(all, instance);
    for (auto layer = instance->layers.rbegin(); layer != instance->layers.rend(); ++layer) {
      if (!layer->body()) continue;
      for (const ast::EquationSection& section : layer->body()->equations) {
        Locals locals;
        if (section.kind == ast::EquationKind::Normal) walk({all, *layer, locals}, section.equations, visitor);
      }
    }
  }
  all.muted = muted;
}

bool know_connections(Elaboration& all) {
  ConnectionFacts& facts = all.connection_facts;
  if (facts.progress != ConnectionFacts::Progress::Open) return facts.progress == ConnectionFacts::Progress::Known;
  if (!facts.flat) return false;
  facts.progress = ConnectionFacts::Progress::Collecting;
  add_nodes(all);
  std::swap(all.connections, facts.sets);
  walk_connections(all, *facts.flat,
                   {[](const Environment& at, const ast::Connect& connect, SourceRange range) {
                      count_ends(at, connect);
                      elaborate_connect(at, connect, range);
                    },
                    [](const Environment& at, const ast::Call& call, SourceRange range) {
                      if (is_connection_operator(call.function)) note_connection_operator(at, call, range);
                    }});
  std::swap(all.connections, facts.sets);
  facts.progress = ConnectionFacts::Progress::Known;
  span_graph(all);
  return true;
}

Value cardinality(const Environment& at, const ast::Call& call, SourceRange range) {
  const auto* reference = call.arguments.size() == 1 ? call.arguments.front().value.as<ast::Reference>() : nullptr;
  if (!reference) {
    at.error(Code::WrongArgument, range, "cardinality takes the name of a connector");
    return {};
  }
  ConnectionFacts& facts = at.all.connection_facts;
  if (!facts.flat) {
    at.all.not_supported(range, "cardinality() outside of equations");
    return {};
  }
  const auto ends = find_ends(at, *reference);
  if (!ends) return {};
  if (!ends->absent && ends->list.size() != 1) {
    at.error(
        Code::WrongArgument, range,
        fmt::format("cardinality is for one connector, but '{}' is {}", to_string(*reference), to_string(ends->shape)));
    return {};
  }
  if (!know_connections(at.all)) return {};
  const int count = ends->absent ? 0 : facts.counts[ends->list.front()];
  return {Type::Integer, at.all.pool.constant(count)};
}

}  // namespace driftless::language
