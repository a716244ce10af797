#include <algorithm>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "driftless/automatic.hpp"
#include "driftless/choose/report.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/structure_svg.hpp"

namespace driftless::cli {
namespace {

constexpr std::size_t most_lines = 24;

std::string counted(std::size_t n, const char* thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

std::string times(int n) { return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n); }

class Section {
 public:
  explicit Section(const char* title) : title_(title) {}
  ~Section() {
    if (hidden_ > 0) fmt::print("  ... and {} more\n", hidden_);
  }
  void line(const std::string& text) {
    if (lines_ == 0) fmt::print("\n{}\n", title_);
    if (lines_++ < most_lines)
      fmt::print("  {}\n", text);
    else
      ++hidden_;
  }

 private:
  const char* title_;
  std::size_t lines_ = 0, hidden_ = 0;
};

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
  const Names names = names_of(*a.model);
  for (const Constraint& constraint : a.reduced->constraints)
    if (constraint.level > 0)
      section.line(fmt::format("{} = 0", to_string(*a.model->pool, constraint.residual, names)));
}

void print_states(const Analysis& a) {
  const Reduced& r = *a.reduced;
  const auto name = [&](int k) { return r.name(r.slots[r.kinematics[k].slot].quantity); };
  std::vector<std::string> permanent;
  for (const int k : r.permanent) permanent.push_back(name(k));
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate && !r.implicit) permanent.push_back(r.name({q.variable, q.order - 1}));
  Section section("states");
  if (!permanent.empty()) section.line(fmt::format("always    {}", fmt::join(permanent, ", ")));
  for (const Choice& choice : r.choices) {
    std::vector<std::string> candidates;
    for (const int k : choice.kinematics) candidates.push_back(name(k));
    const std::size_t n = choice.kinematics.size() - choice.rows.size();
    if (n > 0) section.line(fmt::format("{} of      {}", n, fmt::join(candidates, ", ")));
  }
  if (r.implicit) section.line("not chosen: the equations are kept as F(t, y, y') = 0");
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

void print_indicators(const Analysis& a) {
  const SimulateOptions options{.tolerance = a.model->experiment.tolerance.value_or(1e-6)};
  Section section("indicators (docs/choose.md)");
  std::istringstream lines(choose::report(choose_for(a, options)));
  for (std::string line; std::getline(lines, line);) section.line(line);
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

}  // namespace

int analyze(const AnalyzeArguments& arguments) {
  expect_svg("--svg", arguments.svg);
  expect_writable({arguments.svg}, {arguments.model.file});
  const Analysis a = driftless::analyze(std::make_shared<const Model>(read(arguments.model)), arguments.formulation);
  const Reduced& r = *a.reduced;
  fmt::print("{}   structural index {}, {} of freedom\n", a.model->name, a.shape.structural_index,
             counted(a.shape.degrees_of_freedom, "degree"));
  fmt::print("  {}, {}; solved as {} with {} ({} given by definitions)\n",
             counted(a.model->equations.size(), "equation"), counted(a.model->variables.size(), "unknown"),
             counted(r.rows.size(), "equation"), counted(r.slots.size(), "component"), r.definitions.size());
  if (a.hidden)
    fmt::print(
        "  the system Jacobian is singular (rank {} of {} in block {}): the structure promises too many states\n",
        a.hidden->rank, a.shape.blocks[a.hidden->block].rows.size(), a.hidden->block + 1);
  print_differentiations(a);
  print_hidden_constraints(a);
  print_states(a);
  print_blocks(a);
  if (arguments.indicators) print_indicators(a);
  if (!arguments.svg.empty()) {
    if (const auto problem = write_file(arguments.svg, structure_svg(picture_of(a)))) throw UsageError(*problem);
    fmt::print("\nwrote {}\n", arguments.svg);
  }
  return success;
}

}  // namespace driftless::cli
