// A choice among many pieces as an expression: a few as nested conditions, so that the kinks between them are watched
// (docs/kinks.md); many as a program that finds the piece by bisection, in logarithmic time.
#pragma once

#include <functional>
#include <span>

#include "driftless/expr/function.hpp"

namespace driftless::language {

struct PieceChoice {
  std::size_t pieces = 1;
  std::function<NodeId(std::size_t k)> is_before;  // are we before the break between pieces k and k + 1?
  std::function<NodeId(std::size_t k)> piece;
};

// With more pieces than this a choice becomes a program.
inline constexpr std::size_t most_watched_pieces = 40;

NodeId choose_piece(Pool& pool, const PieceChoice& choice);
// Statements that assign the piece to a local.
Statement choose_piece(const PieceChoice& choice, int target);

// make(arguments) as an expression if the choice is small, otherwise as a program of these arguments.
NodeId by_pieces(Pool& pool, std::size_t pieces, std::span<const NodeId> arguments, std::string_view name,
                 const std::function<PieceChoice(std::span<const NodeId>)>& make);

}  // namespace driftless::language
