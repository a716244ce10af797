#include "driftless/language/piece_choice.hpp"

#include <vector>

namespace driftless::language {

namespace {

NodeId choose_among(Pool& pool, const PieceChoice& choice, std::size_t first, std::size_t last) {
  if (first == last) return choice.piece(first);
  const std::size_t middle = first + (last - first) / 2;
  const NodeId left = choose_among(pool, choice, first, middle), right = choose_among(pool, choice, middle + 1, last);
  return pool.if_else(choice.is_before(middle), left, right);
}

Statement statement_among(const PieceChoice& choice, int target, std::size_t first, std::size_t last) {
  Statement statement;
  if (first == last) {
    statement.target = target;
    statement.expression = choice.piece(first);
    return statement;
  }
  const std::size_t middle = first + (last - first) / 2;
  statement.kind = Statement::Kind::If;
  statement.expression = choice.is_before(middle);
  statement.body.push_back(statement_among(choice, target, first, middle));
  statement.otherwise.push_back(statement_among(choice, target, middle + 1, last));
  return statement;
}

}  // namespace

NodeId choose_piece(Pool& pool, const PieceChoice& choice) { return choose_among(pool, choice, 0, choice.pieces - 1); }

Statement choose_piece(const PieceChoice& choice, int target) {
  return statement_among(choice, target, 0, choice.pieces - 1);
}

NodeId by_pieces(Pool& pool, std::size_t pieces, std::span<const NodeId> arguments, std::string_view name,
                 const std::function<PieceChoice(std::span<const NodeId>)>& make) {
  if (pieces <= most_watched_pieces) return choose_piece(pool, make(arguments));
  Function function;
  function.name = name;
  function.inputs = static_cast<int>(arguments.size());
  function.locals = function.inputs + 1;
  function.outputs = {function.inputs};
  std::vector<NodeId> inputs;
  for (int k = 0; k < function.inputs; ++k) inputs.push_back(pool.local(k));
  function.body.push_back(choose_piece(make(inputs), function.inputs));
  return pool.call(pool.add_function(std::move(function)), 0, arguments);
}

}  // namespace driftless::language
