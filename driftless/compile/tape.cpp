#include "driftless/compile/tape.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "driftless/compile/pieces.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {

namespace {

constexpr std::size_t longest_straight_run = 400;  // instructions

// The cost of compiling code, in units of one straight instruction (2 microseconds; docs/compile.md has the
// measurements). Loops are optimized more and handle several instances at once.
constexpr std::size_t cost_of_straight(std::size_t instructions) { return instructions; }
constexpr std::size_t cost_of_loop(std::size_t instructions) { return 350 + 30 * instructions; }

// One kernel's pieces with the code of each. The leaves and constants of piece p are those from begin[p] to
// begin[p + 1].
struct DraftedPieces {
  std::vector<Piece> pieces;
  std::vector<std::uint32_t> shape;
  std::vector<std::size_t> leaf_begin{0}, constant_begin{0};
  std::vector<std::int32_t> leaves;
  std::vector<double> constants;

  std::size_t size() const { return pieces.size(); }
  std::span<const std::int32_t> leaves_of(std::size_t p) const {
    return std::span(leaves).subspan(leaf_begin[p], leaf_begin[p + 1] - leaf_begin[p]);
  }
  std::span<const double> constants_of(std::size_t p) const {
    return std::span(constants).subspan(constant_begin[p], constant_begin[p + 1] - constant_begin[p]);
  }
};

// Pieces that run together: instances of one shape, or a straight run of unlike pieces in dependency order.
struct Batch {
  bool is_loop;
  std::vector<std::size_t> pieces;
};

// A group before its columns are classified: all of them in full, one after the other.
struct FullGroup {
  std::uint32_t shape;
  std::int32_t count;
  std::vector<std::int32_t> indices;
  std::vector<double> constants;

  std::span<const std::int32_t> index_column(std::size_t k) const {
    const auto n = static_cast<std::size_t>(count);
    return std::span(indices).subspan(k * n, n);
  }
  std::span<const double> constant_column(std::size_t k) const {
    const auto n = static_cast<std::size_t>(count);
    return std::span(constants).subspan(k * n, n);
  }
};

struct FullProgram {
  std::size_t kept = 0;
  std::vector<FullGroup> groups;
};

// Equal code is one shape.
class ShapeTable {
 public:
  std::uint32_t intern(const Draft& draft) {
    const std::size_t hash = hash_of(draft);
    const auto [first, last] = numbers_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
      if (const Shape& shape = shapes_[entry->second];
          shape.code == draft.code && shape.calls == draft.calls && shape.results == draft.results)
        return entry->second;
    const auto number = static_cast<std::uint32_t>(shapes_.size());
    Shape& shape = shapes_.emplace_back();
    shape.code = draft.code;
    shape.calls = draft.calls;
    shape.results = draft.results;
    shape.indices.resize(draft.leaves.size() + draft.results.size());
    shape.constants.resize(draft.constants.size());
    numbers_.emplace(hash, number);
    return number;
  }
  const Shape& operator[](std::uint32_t number) const { return shapes_[number]; }
  std::size_t size() const { return shapes_.size(); }
  std::vector<Shape> take() { return std::move(shapes_); }

 private:
  static std::size_t hash_of(const Draft& draft) {
    std::uint64_t h = draft.code.size();
    for (const Instruction& i : draft.code) {
      h = (h ^ (static_cast<std::uint64_t>(i.op) | std::uint64_t{i.a} << 8)) * 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 31) ^ (i.b | std::uint64_t{i.c} << 32)) * 0xbf58476d1ce4e5b9u;
    }
    return static_cast<std::size_t>(h ^ (h >> 29));
  }

  std::vector<Shape> shapes_;
  std::unordered_multimap<std::size_t, std::uint32_t> numbers_;
};

DraftedPieces draft_each(const Pieces& pieces, Drafter& drafter, ShapeTable& shapes) {
  DraftedPieces all;
  all.pieces = pieces.pieces;
  for (const Piece& piece : pieces.pieces) {
    drafter.start();
    drafter.add_result(drafter.add(piece), piece.to_output());
    const Draft& draft = drafter.draft();
    all.shape.push_back(shapes.intern(draft));
    all.leaves.insert(all.leaves.end(), draft.leaves.begin(), draft.leaves.end());
    all.constants.insert(all.constants.end(), draft.constants.begin(), draft.constants.end());
    all.leaf_begin.push_back(all.leaves.size());
    all.constant_begin.push_back(all.constants.size());
  }
  return all;
}

// The pieces that a piece reads, one by one.
template <class Visit>
void for_each_dependency(const DraftedPieces& all, const ShapeTable& shapes, std::size_t p, Visit visit) {
  const std::span<const std::int32_t> leaves = all.leaves_of(p);
  for (const Instruction& instruction : shapes[all.shape[p]].code)
    if (instruction.op == Op::Local) visit(static_cast<std::size_t>(leaves[instruction.a]));
}

// Which pieces become instances of a loop: those for which one loop is cheaper than all the copies. Few copies also
// run faster straight, since they share their parts.
std::vector<bool> choose_loops(const DraftedPieces& all, const ShapeTable& shapes) {
  std::vector<std::size_t> instances(shapes.size(), 0);
  for (const std::uint32_t shape : all.shape) ++instances[shape];
  std::vector<bool> is_loop(all.size());
  for (std::size_t p = 0; p < all.size(); ++p) {
    const std::size_t length = shapes[all.shape[p]].code.size() + 1;  // with the store
    is_loop[p] = instances[all.shape[p]] * cost_of_straight(length) > cost_of_loop(length);
  }
  return is_loop;
}

// Runs and loops alternate: within a level first the straight pieces, which may use each other, then the loops.
std::vector<Batch> schedule(const DraftedPieces& all, const ShapeTable& shapes, const std::vector<bool>& is_loop) {
  std::vector<std::uint32_t> level(all.size(), 0);
  for (std::size_t p = 0; p < all.size(); ++p)
    for_each_dependency(all, shapes, p, [&](std::size_t q) {
      assert(q < p);
      level[p] = std::max(level[p], level[q] + (is_loop[q] ? 1 : 0));
    });

  const auto key = [&](std::size_t p) {
    return std::tuple(level[p], bool{is_loop[p]}, is_loop[p] ? all.shape[p] : 0, p);
  };
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return key(p) < key(q); });

  std::vector<Batch> batches;
  std::size_t run = 0;  // instructions of the last batch
  for (const std::size_t p : order) {
    const std::size_t length = shapes[all.shape[p]].code.size() + 1;
    const auto joins = [&](const Batch& last) {
      const std::size_t q = last.pieces.back();
      if (last.is_loop != is_loop[p]) return false;
      return is_loop[p] ? level[q] == level[p] && all.shape[q] == all.shape[p] : run + length <= longest_straight_run;
    };
    if (batches.empty() || !joins(batches.back())) {
      batches.push_back({.is_loop = is_loop[p], .pieces = {}});
      run = 0;
    }
    batches.back().pieces.push_back(p);
    run += length;
  }
  return batches;
}

// The place of each piece in the work array, in the order of the batches, so that a loop writes a contiguous part of
// it; -1 for pieces that no other batch reads.
std::vector<std::int32_t> assign_places(const DraftedPieces& all, const ShapeTable& shapes,
                                        const std::vector<Batch>& batches, std::size_t& kept) {
  std::vector<std::size_t> batch_of(all.size());
  for (std::size_t b = 0; b < batches.size(); ++b)
    for (const std::size_t p : batches[b].pieces) batch_of[p] = b;
  std::vector<bool> is_read(all.size(), false);
  for (std::size_t p = 0; p < all.size(); ++p)
    for_each_dependency(all, shapes, p, [&](std::size_t q) {
      if (batch_of[q] != batch_of[p]) is_read[q] = true;
    });
  std::vector<std::int32_t> place(all.size(), -1);
  for (const Batch& batch : batches)
    for (const std::size_t p : batch.pieces)
      if (is_read[p]) place[p] = static_cast<std::int32_t>(kept++);
  return place;
}

FullGroup group_of_loop(const DraftedPieces& all, const ShapeTable& shapes, const Batch& batch,
                        const std::vector<std::int32_t>& place) {
  const std::uint32_t number = all.shape[batch.pieces.front()];
  const Shape& shape = shapes[number];
  const std::size_t n = batch.pieces.size();
  FullGroup group{.shape = number, .count = static_cast<std::int32_t>(n), .indices = {}, .constants = {}};
  group.indices.resize(n * shape.indices.size());
  group.constants.resize(n * shape.constants.size());
  std::vector<bool> is_kept_value(shape.index_leaves(), false);
  for (const Instruction& instruction : shape.code)
    if (instruction.op == Op::Local) is_kept_value[instruction.a] = true;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t p = batch.pieces[i];
    const std::span<const std::int32_t> leaves = all.leaves_of(p);
    const std::span<const double> constants = all.constants_of(p);
    for (std::size_t k = 0; k < leaves.size(); ++k)
      group.indices[k * n + i] = is_kept_value[k] ? place[static_cast<std::size_t>(leaves[k])] : leaves[k];
    group.indices[leaves.size() * n + i] = all.pieces[p].to_output() ? all.pieces[p].output : place[p];
    for (std::size_t k = 0; k < constants.size(); ++k) group.constants[k * n + i] = constants[k];
  }
  return group;
}

FullGroup group_of_run(const DraftedPieces& all, ShapeTable& shapes, Drafter& drafter, const Batch& batch,
                       const std::vector<std::int32_t>& place) {
  drafter.start();
  std::vector<std::int32_t> destinations;
  for (const std::size_t p : batch.pieces) {
    const Piece& piece = all.pieces[p];
    const std::uint32_t from = drafter.add(piece);
    if (!piece.to_output() && place[p] < 0) continue;
    drafter.add_result(from, piece.to_output());
    destinations.push_back(piece.to_output() ? piece.output : place[p]);
  }
  const Draft& draft = drafter.draft();
  FullGroup group{.shape = shapes.intern(draft), .count = 1, .indices = draft.leaves, .constants = draft.constants};
  for (const Instruction& instruction : draft.code)
    if (instruction.op == Op::Local)
      group.indices[instruction.a] = place[static_cast<std::size_t>(draft.leaves[instruction.a])];
  group.indices.insert(group.indices.end(), destinations.begin(), destinations.end());
  return group;
}

// Has some form so many instances that a loop may be cheaper than all the copies?
bool may_have_loops(const Pieces& pieces, const Drafter& drafter) {
  constexpr std::size_t fewest = 31;
  static_assert((fewest - 1) * cost_of_straight(longest_piece) < cost_of_loop(longest_piece));
  if (pieces.pieces.size() < fewest) return false;
  std::vector<std::uint64_t> forms;
  for (const Piece& piece : pieces.pieces)
    if (!piece.copy) forms.push_back(drafter.form_of(piece));
  constexpr std::size_t length_of_copy = 2;
  const std::size_t copies = pieces.pieces.size() - forms.size();
  if (copies * cost_of_straight(length_of_copy) > cost_of_loop(length_of_copy)) return true;
  std::sort(forms.begin(), forms.end());
  for (std::size_t k = fewest; k <= forms.size(); ++k)
    if (forms[k - 1] == forms[k - fewest]) return true;
  return false;
}

// All pieces as one straight run, in which none of them has to be looked at alone: nothing if it would be too long.
std::optional<FullProgram> make_short_program(const Pieces& pieces, Drafter& drafter, ShapeTable& shapes) {
  if (pieces.pieces.empty() || may_have_loops(pieces, drafter)) return std::nullopt;
  drafter.start();
  const Draft& draft = drafter.draft();
  std::vector<std::int32_t> destinations;
  for (const Piece& piece : pieces.pieces) {
    const std::uint32_t from = drafter.add(piece);
    if (draft.code.size() > longest_straight_run) return std::nullopt;
    if (!piece.to_output()) continue;
    drafter.add_result(from, true);
    destinations.push_back(piece.output);
  }
  FullProgram program;
  FullGroup& group = program.groups.emplace_back(
      FullGroup{.shape = shapes.intern(draft), .count = 1, .indices = draft.leaves, .constants = draft.constants});
  group.indices.insert(group.indices.end(), destinations.begin(), destinations.end());
  return program;
}

FullProgram make_program(const Pieces& pieces, Drafter& drafter, ShapeTable& shapes) {
  if (auto program = make_short_program(pieces, drafter, shapes)) return std::move(*program);
  const DraftedPieces all = draft_each(pieces, drafter, shapes);
  const std::vector<Batch> batches = schedule(all, shapes, choose_loops(all, shapes));
  FullProgram program;
  const std::vector<std::int32_t> place = assign_places(all, shapes, batches, program.kept);
  for (const Batch& batch : batches)
    program.groups.push_back(batch.is_loop ? group_of_loop(all, shapes, batch, place)
                                           : group_of_run(all, shapes, drafter, batch, place));
  return program;
}

// Classifies the columns of all groups of a shape.
void describe_columns(Shape& shape, std::span<const FullGroup* const> groups) {
  std::uint32_t tables = 0;
  for (std::size_t k = 0; k < shape.indices.size(); ++k) {
    IndexColumn& column = shape.indices[k];
    const std::int32_t first = groups.front()->index_column(k).front();
    std::int32_t stride = 0;
    for (const FullGroup* group : groups)
      if (group->count > 1) stride = group->index_column(k)[1] - group->index_column(k)[0];
    bool uniform = true, affine = true;
    for (const FullGroup* group : groups) {
      const std::span<const std::int32_t> entries = group->index_column(k);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        uniform = uniform && entries[i] == first;
        affine = affine && (i == 0 || entries[i] - entries[i - 1] == stride);
      }
    }
    if (uniform)
      column = {.kind = IndexColumn::Kind::Uniform, .value = first};
    else if (affine)
      column = {.kind = IndexColumn::Kind::Affine, .value = stride, .slot = shape.bases++};
    else
      column = {.kind = IndexColumn::Kind::Table, .slot = tables++};
  }
  std::uint32_t constant_tables = 0;
  for (std::size_t k = 0; k < shape.constants.size(); ++k) {
    const double first = groups.front()->constant_column(k).front();
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const bool uniform = std::all_of(groups.begin(), groups.end(), [&](const FullGroup* group) {
      return std::all_of(group->constant_column(k).begin(), group->constant_column(k).end(),
                         [&](double value) { return bits(value) == bits(first); });
    });
    shape.constants[k] =
        uniform ? ConstantColumn{.uniform = true, .value = first} : ConstantColumn{.slot = constant_tables++};
  }
}

void pack(const FullGroup& group, const Shape& shape, Program& program) {
  program.groups.push_back({.shape = group.shape,
                            .count = group.count,
                            .indices = program.indices.size(),
                            .constants = program.constants.size()});
  for (std::size_t k = 0; k < shape.indices.size(); ++k)
    if (shape.indices[k].kind == IndexColumn::Kind::Affine) program.indices.push_back(group.index_column(k).front());
  for (std::size_t k = 0; k < shape.indices.size(); ++k)
    if (shape.indices[k].kind == IndexColumn::Kind::Table)
      program.indices.insert(program.indices.end(), group.index_column(k).begin(), group.index_column(k).end());
  for (std::size_t k = 0; k < shape.constants.size(); ++k)
    if (!shape.constants[k].uniform)
      program.constants.insert(program.constants.end(), group.constant_column(k).begin(),
                               group.constant_column(k).end());
}

void move_behind_scratch(FullGroup& group, const Shape& shape, std::size_t scratch) {
  const auto n = static_cast<std::size_t>(group.count);
  const auto shift = [&](std::size_t column) {
    for (std::size_t i = 0; i < n; ++i) group.indices[column * n + i] += static_cast<std::int32_t>(scratch);
  };
  for (const Instruction& instruction : shape.code)
    if (instruction.op == Op::Local) shift(instruction.a);
  for (std::size_t r = 0; r < shape.results.size(); ++r)
    if (!shape.results[r].to_output) shift(shape.index_leaves() + r);
}

// Only the shapes that some group uses, renumbered in the order of their first use.
void drop_unused_shapes(std::vector<Shape>& shapes, std::span<FullProgram> programs) {
  constexpr auto unused = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> number(shapes.size(), unused);
  std::vector<Shape> used;
  for (FullProgram& program : programs)
    for (FullGroup& group : program.groups) {
      if (number[group.shape] == unused) {
        number[group.shape] = static_cast<std::uint32_t>(used.size());
        used.push_back(std::move(shapes[group.shape]));
      }
      group.shape = number[group.shape];
    }
  shapes = std::move(used);
}

}  // namespace

Tape make_tape(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources,
               const InputLayout& layout) {
  PieceCutter cutter(*pool);
  Drafter drafter(*pool, layout);
  ShapeTable shapes;
  std::vector<FullProgram> programs;
  for (const KernelSource& source : sources) {
    const Pieces& pieces = cutter(source.outputs);
    drafter.start_kernel(pieces);
    programs.push_back(make_program(pieces, drafter, shapes));
  }

  Tape tape;
  tape.inputs = static_cast<std::size_t>(layout.inputs);
  tape.parameters = static_cast<std::size_t>(layout.parameters);
  tape.callees = drafter.callees();
  if (!tape.callees.empty()) tape.pool = pool;
  for (const Callee& callee : tape.callees)
    tape.scratch = std::max(tape.scratch, static_cast<std::size_t>(pool->function(callee.function).locals));

  tape.shapes = shapes.take();
  drop_unused_shapes(tape.shapes, programs);
  std::vector<std::vector<const FullGroup*>> groups(tape.shapes.size());
  for (FullProgram& program : programs)
    for (FullGroup& group : program.groups) {
      move_behind_scratch(group, tape.shapes[group.shape], tape.scratch);
      groups[group.shape].push_back(&group);
    }
  for (std::size_t s = 0; s < tape.shapes.size(); ++s) describe_columns(tape.shapes[s], groups[s]);

  for (std::size_t k = 0; k < sources.size(); ++k) {
    Program& program = tape.programs.emplace_back();
    program.name = sources[k].name;
    program.outputs = sources[k].outputs.size();
    program.work = tape.scratch + programs[k].kept;
    for (const FullGroup& group : programs[k].groups) pack(group, tape.shapes[group.shape], program);
  }
  return tape;
}

double run_callee(const Tape* tape, std::uint32_t callee, const double* inputs, double* locals) {
  const Function& function = tape->pool->function(tape->callees[callee].function);
  return evaluate_function(*tape->pool, function, tape->callees[callee].output, {inputs + 1, tape->parameters},
                           {locals, static_cast<std::size_t>(function.locals)});
}

}  // namespace driftless
