#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/analyze_events.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/index.hpp"
#include "cli/options.hpp"
#include "cli/pure_index2.hpp"
#include "cli/section.hpp"
#include "driftless/array_for_start.hpp"
#include "driftless/automatic.hpp"
#include "driftless/choices/options.hpp"
#include "driftless/choose/report.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/indices/report.hpp"
#include "driftless/reduce/list_names.hpp"
#include "driftless/reduce/possible_states.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/structure_svg.hpp"

namespace driftless::cli {
namespace {

struct AnalyzeArguments {
  ModelArguments model;
  Formulation formulation = formulation::Dummy{};
  bool indicators = false;
  bool equations = false;
  bool index = false;        // by every definition
  bool pure_index2 = false;  // the model rewritten
  std::string svg;
  bool json = false;
};

std::string counted(std::size_t n, const char* thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

// "T[1]", "T[2]", "T[3]", "x" become "T[1..3]", "x"; only the last subscript may run.
std::vector<std::string> condensed(const std::vector<std::string>& names) {
  struct Run {
    std::string before, after;
    long first, last;
  };
  const auto split = [](const std::string& name) -> std::optional<Run> {
    const std::size_t close = name.rfind(']');
    const std::size_t open = close == std::string::npos ? close : name.find_last_of("[,", close);
    if (open == std::string::npos) return {};
    const auto index = parse_number(name.substr(open + 1, close - open - 1));
    if (!index) return {};
    return Run{name.substr(0, open + 1), name.substr(close), static_cast<long>(*index), static_cast<long>(*index)};
  };
  std::vector<std::string> result;
  for (std::size_t k = 0; k < names.size();) {
    auto run = split(names[k++]);
    if (!run) {
      result.push_back(names[k - 1]);
      continue;
    }
    for (; k < names.size(); ++k) {
      const auto next = split(names[k]);
      if (!next || next->before != run->before || next->after != run->after || next->first != run->last + 1) break;
      run->last = next->last;
    }
    result.push_back(run->first == run->last
                         ? names[k - 1]
                         : fmt::format("{}{}..{}{}", run->before, run->first, run->last, run->after));
  }
  return result;
}

std::string times(int n) { return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n); }

// The model with all modes, as only one of them was analysed.
const Model& with_all_modes(const Analysis& a) { return a.whole ? *a.whole : *a.model; }

void print_repair(const Repair& repair) {
  if (repair.shape_as_written.blocks.empty())
    fmt::print("  as written, the structure is singular\n");
  else
    fmt::print("  as written, the structure promises index {} and {} of freedom: its system Jacobian is singular\n",
               repair.shape_as_written.structural_index, counted(repair.shape_as_written.degrees_of_freedom, "degree"));
  Section section("combined (docs/repair.md)");
  for (const std::string& step : repair.steps) section.line(step);
}

void print_equations(const Analysis& a) {
  Section section("equations");
  std::size_t width = 0;
  for (const Equation& equation : a.model->equations) width = std::max(width, equation.label.size());
  for (const Equation& equation : a.model->equations)
    section.line(fmt::format("{:<{}}  {}", equation.label, width, equation.text));
}

void print_array(const ArrayIndex& i) {
  fmt::print("\nderivative array (docs/derivative-array.md)\n");
  fmt::print("  {} in {}, with {} of each equation\n", counted(i.equations, "equation"), counted(i.unknowns, "unknown"),
             counted(i.differentiations, "derivative"));
  fmt::print("  {} on what is below the highest derivatives, {} of freedom\n", counted(i.constraints, "constraint"),
             counted(i.degrees_of_freedom, "degree"));
  fmt::print("  ranks: singular values from {:.1e} on count, {}\n", i.smallest_kept,
             i.largest_dropped <= 1e-13 ? "the others are rounding"
                                        : fmt::format("up to {:.1e} they do not", i.largest_dropped));
}

void print_differentiations(const Analysis& a) {
  Section section("differentiated");
  std::size_t width = 0;
  for (std::size_t i = 0; i < a.model->equations.size(); ++i)
    if (a.shape.offsets.c[i] > 0) width = std::max(width, a.model->equations[i].label.size());
  for (std::size_t i = 0; i < a.model->equations.size(); ++i)
    if (const int c = a.shape.offsets.c[i]; c > 0)
      section.line(
          fmt::format("{:<{}}  {:<8}  {}", a.model->equations[i].label, width, times(c), a.model->equations[i].text));
}

void print_hidden_constraints(const Analysis& a) {
  Section section("hidden constraints");
  const Names names = names_of(*a.reduced->model);
  for (const Constraint& constraint : a.reduced->constraints)
    if (constraint.level > 0)
      section.line(fmt::format("{} = 0", to_string(*a.model->pool, constraint.residual, names)));
}

void print_states(const Analysis& a) {
  const PossibleStates states = possible_states(*a.reduced);
  Section section("states");
  if (!states.always.empty()) section.line(fmt::format("always    {}", fmt::join(condensed(states.always), ", ")));
  for (const PossibleStates::Choice& choice : states.choices)
    section.line(fmt::format("{} of      {}", choice.number, fmt::join(condensed(choice.candidates), ", ")));
  if (a.reduced->implicit) section.line("not chosen: the equations are kept as F(t, y, y') = 0");
}

void print_blocks(const Analysis& a) {
  Section section("blocks (in the order of solution)");
  for (const structure::Block& block : a.shape.blocks) {
    std::vector<std::string> rows, cols;
    for (std::size_t k = 0; k < block.rows.size() && k < 6; ++k) {
      rows.push_back(a.model->equations[index(block.rows[k])].label);
      cols.push_back(
          derivative_name(a.model->variables[index(block.cols[k])].name, a.shape.offsets.d[index(block.cols[k])]));
    }
    const char* more = block.rows.size() > 6 ? ", ..." : "";
    section.line(fmt::format("{:>4}  {}{}  for  {}{}", block.rows.size(), fmt::join(rows, ", "), more,
                             fmt::join(cols, ", "), more));
  }
}

std::vector<std::string> indicator_lines(const Analysis& a) {
  const SimulateOptions options{.tolerance = a.model->experiment.tolerance.value_or(1e-6)};
  std::istringstream report(choose::report(choose_for(a, options)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(report, line);) lines.push_back(line);
  return lines;
}

void print_indicators(const Analysis& a) {
  fmt::print("\nindicators (docs/choose.md)\n");
  for (const std::string& line : indicator_lines(a)) fmt::print("  {}\n", line);
}

void print_index(const Indices& indices) {
  fmt::print("\nindex by every definition (docs/index-definitions.md)\n");
  std::istringstream text(report(indices));
  for (std::string line; std::getline(text, line);) fmt::print("  {}\n", printable(line));
}

// The same for programs: docs/command-line.md has the keys.
std::string to_json(const Analysis& a, const AnalyzeArguments& arguments) {
  using Json = nlohmann::ordered_json;
  const Names names = names_of(*a.reduced->model);
  Json differentiated = Json::array(), hidden = Json::array(), choices = Json::array(), blocks = Json::array();
  for (std::size_t i = 0; i < a.model->equations.size(); ++i)
    if (const int c = a.shape.offsets.c[i]; c > 0)
      differentiated.push_back(
          {{"equation", a.model->equations[i].label}, {"times", c}, {"text", a.model->equations[i].text}});
  for (const Constraint& constraint : a.reduced->constraints)
    if (constraint.level > 0)
      hidden.push_back({{"equation", (*a.model)[constraint.equation].label},
                        {"level", constraint.level},
                        {"residual", to_string(*a.model->pool, constraint.residual, names)}});
  const PossibleStates states = possible_states(*a.reduced);
  for (const PossibleStates::Choice& choice : states.choices)
    choices.push_back({{"number", choice.number}, {"of", choice.candidates}});
  for (const structure::Block& block : a.shape.blocks) {
    Json equations = Json::array(), unknowns = Json::array();
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      equations.push_back(a.model->equations[index(block.rows[k])].label);
      unknowns.push_back(
          derivative_name(a.model->variables[index(block.cols[k])].name, a.shape.offsets.d[index(block.cols[k])]));
    }
    blocks.push_back({{"equations", std::move(equations)}, {"unknowns", std::move(unknowns)}});
  }
  Json object = {{"model", a.model->name},
                 {"structural_index", a.shape.structural_index},
                 {"degrees_of_freedom", a.shape.degrees_of_freedom},
                 {"equations", a.model->equations.size()},
                 {"unknowns", a.model->variables.size()},
                 {"singular_jacobian", a.hidden.has_value()},
                 {"differentiated", std::move(differentiated)},
                 {"hidden_constraints", std::move(hidden)},
                 {"states", {{"always", states.always}, {"choices", std::move(choices)}}},
                 {"blocks", std::move(blocks)}};
  if (a.repair)
    object["as_written"] = {{"structural_index", a.repair->shape_as_written.structural_index},
                            {"degrees_of_freedom", a.repair->shape_as_written.degrees_of_freedom},
                            {"combined", a.repair->steps}};
  if (const auto& i = a.array_index)
    object["derivative_array"] = {{"equations", i->equations},
                                  {"unknowns", i->unknowns},
                                  {"differentiations", i->differentiations},
                                  {"differentiation_index", i->index},
                                  {"constraints", i->constraints},
                                  {"degrees_of_freedom", i->degrees_of_freedom},
                                  {"smallest_singular_value_kept", i->smallest_kept},
                                  {"largest_singular_value_dropped", i->largest_dropped}};
  if (!a.model->discrete.is_empty()) object["events"] = events_to_json(with_all_modes(a));
  if (arguments.equations) {
    Json texts = Json::array();
    for (const Equation& equation : a.model->equations)
      texts.push_back({{"equation", equation.label}, {"text", equation.text}});
    object["texts"] = std::move(texts);
  }
  if (arguments.indicators && !a.array_index) object["indicators"] = indicator_lines(a);
  if (arguments.index) object["index"] = index_to_json(find_indices(a));
  if (arguments.pure_index2) object["pure_index2"] = pure_index2_to_json(model_as_written(a));
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

StructurePicture picture_of(const Analysis& a) {
  StructurePicture picture;
  picture.title = a.model->name;
  for (const Equation& equation : a.model->equations) picture.row_labels.push_back(equation.label);
  for (const Variable& variable : a.model->variables) picture.column_labels.push_back(variable.name);
  const structure::Signature signature = signature_of(*a.model);
  for (int i = 0; i < signature.rows(); ++i)
    for (const structure::Entry& entry : signature.row(structure::Row{i}))
      picture.entries.push_back({i, index(entry.col), entry.sigma, a.shape.transversal.col_of_row[i] == entry.col});
  for (const structure::Block& block : a.shape.blocks) {
    picture.block_sizes.push_back(static_cast<int>(block.rows.size()));
    for (const structure::Row row : block.rows) picture.row_order.push_back(index(row));
  }
  picture.differentiations = a.shape.offsets.c;
  picture.highest_derivatives = a.shape.offsets.d;
  return picture;
}

void print(const Analysis& a, const AnalyzeArguments& arguments) {
  const Reduced& r = *a.reduced;
  const char* what = a.array_index              ? "differentiation index"
                     : !a.repair                ? "structural index"
                     : a.repair->index_is_exact ? "true index"
                                                : "index at most";
  const auto lower = index_by_ranks(a);
  fmt::print("{}   {}{} {}{}, {} of freedom\n", printable(a.model->name),
             lower ? fmt::format("true index {} (", *lower) : "", what, a.shape.structural_index, lower ? ")" : "",
             counted(a.shape.degrees_of_freedom, "degree"));
  fmt::print("  {}, {}; solved as {} with {} ({} given by definitions)\n",
             counted(a.model->equations.size(), "equation"), counted(a.model->variables.size(), "unknown"),
             counted(r.rows.size(), "equation"), counted(r.slots.size(), "component"), r.definitions.size());
  if (a.hidden)
    fmt::print(
        "  the system Jacobian is singular (rank {} of {} in block {}): the structure promises too many states\n",
        a.hidden->rank, a.shape.blocks[a.hidden->block].rows.size(), a.hidden->block + 1);
  if (a.misleading)
    fmt::print(
        "  as written, the structure promises {}: its system Jacobian is singular, and no combination repairs it\n",
        counted(a.promised_states, "state"));
  if (a.array_index) return print_array(*a.array_index);
  if (a.repair) print_repair(*a.repair);
  if (arguments.equations) print_equations(a);
  print_differentiations(a);
  print_hidden_constraints(a);
  print_states(a);
  print_blocks(a);
  print_events(with_all_modes(a));
  if (arguments.indicators) print_indicators(a);
  if (arguments.index) print_index(find_indices(a));
  if (arguments.pure_index2) print_pure_index2(model_as_written(a));
}

// Adds findings from the pencil of a linear model to the reasons for refusing the model.
ModelError with_pencil(const ModelError& refused, const Model& model) {
  const auto nilpotency = nilpotency_index(model);
  const auto* singular = std::get_if<SingularModel>(&nilpotency);
  if (!singular) return refused;
  Diagnostics diagnostics;
  for (const Diagnostic& one : refused.diagnostics().all()) {
    Diagnostic& copy = one.severity == Severity::Error ? diagnostics.error(one.code, one.range, one.message)
                                                       : diagnostics.warning(one.code, one.range, one.message);
    copy.notes = one.notes;
    if (&one == &refused.diagnostics().all().back())
      copy.note(fmt::format("the pencil A + sB of this linear model is singular: it has rank {} of {} for every s",
                            singular->rank, singular->size))
          .note(fmt::format("these equations and their derivatives depend on each other: {}",
                            list_names(singular->equations)))
          .note(fmt::format("there is no solution, or it leaves open: {}", list_names(singular->unknowns)));
  }
  return {std::move(diagnostics), *model.sources};
}

Analysis analyzed(const AnalyzeArguments& arguments) {
  const auto model = std::make_shared<const Model>(read(arguments.model));
  try {
    Analysis analysis = analyze_for_runs(model, arguments.formulation);
    const bool is_open = std::holds_alternative<formulation::Dummy>(arguments.formulation) ||
                         std::holds_alternative<formulation::Auto>(arguments.formulation);
    if (is_open)
      if (auto by_array = array_for_singular_start(analysis)) return std::move(*by_array);
    return analysis;
  } catch (const ModelError& refused) {
    if (arguments.index) throw with_pencil(refused, *model);
    throw;
  }
}

int analyze(const AnalyzeArguments& arguments) {
  expect_svg("--svg", arguments.svg);
  expect_writable({arguments.svg}, {arguments.model.file});
  const Analysis a = analyzed(arguments);
  if (arguments.json)
    std::fputs(to_json(a, arguments).c_str(), stdout);
  else
    print(a, arguments);
  if (!arguments.svg.empty()) {
    if (const auto problem = write_file(arguments.svg, structure_svg(picture_of(a))))
      throw UsageError(Code::CannotWrite, *problem);
    if (!arguments.json) fmt::print("\nwrote {}\n", printable(arguments.svg));
  }
  return success;
}

}  // namespace

void add_analyze(Commands& commands) {
  const auto [command, arguments] = commands.add<AnalyzeArguments>(
      "analyze", "say what the structure of a model is: index, hidden constraints, states, blocks", analyze);
  add_model(command, arguments.model);
  add_formulation(command, arguments.formulation);
  command.add_flag("--indicators", arguments.indicators,
                   "measure how stiff and how fast the model is, and recommend a formulation and a method");
  command.add_flag("--equations", arguments.equations, "list every equation, those made from a Lagrangian included");
  command.add_flag("--index", arguments.index,
                   "find the index by every definition: structural, nilpotency, differentiation, perturbation");
  command.add_flag("--pure-index2", arguments.pure_index2,
                   "rewrite a mixed problem of index 2 as a pure one, and run both");
  command.add_option("--svg", arguments.svg, "draw the block triangular form")->type_name("FILE");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the text");
}

}  // namespace driftless::cli
