// The built-in functions that make, measure and rearrange arrays (Modelica 3.6, Section 10.3).
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/record_operators.hpp"

namespace driftless::language {

namespace {

Value filled(const Arguments& arguments, Type type, NodeId element, std::size_t first_size) {
  Shape shape;
  for (std::size_t k = first_size; k < arguments.size(); ++k) {
    const auto size = arguments.size_argument(k);
    if (!size) return {};
    shape.push_back(*size);
  }
  if (!arguments.at.all.fits(shape, arguments.range)) return {};
  std::vector<NodeId> elements(static_cast<std::size_t>(count(shape)), element);
  return {type, std::move(shape), std::move(elements)};
}

Value square(const Arguments& arguments, Type type, std::int64_t size, const auto& element) {
  Shape shape{size, size};
  if (!arguments.at.all.fits(shape, arguments.range)) return {};
  std::vector<NodeId> elements;
  elements.reserve(static_cast<std::size_t>(size * size));
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
    for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) elements.push_back(element(i, j));
  return {type, std::move(shape), std::move(elements)};
}

bool is_vector_of_3(const Value& value) { return value.is_numeric() && value.shape() == Shape{3}; }

Type arithmetic_type(const Value& a, const Value& b) { return common_type(a.type(), b.type()); }

}  // namespace

Value array_size(const Arguments& arguments) {
  const Shape& shape = arguments[0].shape();
  if (arguments.size() == 1) {
    std::vector<NodeId> sizes;
    for (const std::int64_t size : shape) sizes.push_back(arguments.pool().constant(static_cast<double>(size)));
    return {Type::Integer, Shape{static_cast<std::int64_t>(shape.size())}, std::move(sizes)};
  }
  const auto dimension = known_integer(arguments.pool(), arguments[1]);
  if (!dimension || *dimension < 1 || *dimension > static_cast<std::int64_t>(shape.size()))
    return arguments.reject(1, fmt::format("must be a dimension of the array, whose shape is {}", to_string(shape)));
  return {Type::Integer,
          arguments.pool().constant(static_cast<double>(shape[static_cast<std::size_t>(*dimension - 1)]))};
}

Value array_ndims(const Arguments& arguments) {
  return {Type::Integer, arguments.pool().constant(arguments[0].rank())};
}

Value array_zeros(const Arguments& arguments) { return filled(arguments, Type::Integer, arguments.pool().zero(), 0); }

Value array_ones(const Arguments& arguments) { return filled(arguments, Type::Integer, arguments.pool().one(), 0); }

Value array_fill(const Arguments& arguments) {
  const Value& element = arguments[0];
  if (element.is_scalar())
    return filled(arguments, element.type(), element.scalar(), 1).of_enumeration(element.enumeration());
  // An array is repeated as a whole: its dimensions come last. A record is repeated with all its members.
  const Value places = filled(arguments, Type::Integer, arguments.pool().zero(), 1);
  if (!places.valid()) return {};
  Shape shape = places.shape();
  shape.insert(shape.end(), element.shape().begin(), element.shape().end());
  if (!arguments.at.all.fits(shape, arguments.range)) return {};
  std::vector<NodeId> elements;
  for (std::size_t k = 0; k < places.size(); ++k)
    elements.insert(elements.end(), element.elements().begin(), element.elements().end());
  return element.like(std::move(shape), std::move(elements));
}

Value array_identity(const Arguments& arguments) {
  const auto size = arguments.size_argument(0);
  if (!size) return {};
  const NodeId zero = arguments.pool().zero(), one = arguments.pool().one();
  return square(arguments, Type::Integer, *size, [&](std::size_t i, std::size_t j) { return i == j ? one : zero; });
}

Value array_diagonal(const Arguments& arguments) {
  const Value& entries = arguments[0];
  if (entries.rank() != 1 || !entries.is_numeric()) return arguments.reject(0, "must be a vector of numbers");
  const NodeId zero = arguments.pool().zero();
  return square(arguments, entries.type(), entries.shape()[0],
                [&](std::size_t i, std::size_t j) { return i == j ? entries[i] : zero; });
}

Value array_linspace(const Arguments& arguments) {
  const auto size = arguments.size_argument(2);
  if (!size) return {};
  if (*size < 2) return arguments.reject(2, "must be at least 2");
  for (std::size_t k = 0; k < 2; ++k)
    if (!arguments[k].is_scalar() || !arguments[k].is_numeric()) return arguments.reject(k, "must be a scalar number");
  if (!arguments.at.all.fits({*size}, arguments.range)) return {};
  Pool& pool = arguments.pool();
  const NodeId first = arguments[0].scalar(), span = pool.sub(arguments[1].scalar(), first);
  const NodeId intervals = pool.constant(static_cast<double>(*size - 1));
  std::vector<NodeId> elements;
  for (std::int64_t k = 0; k < *size; ++k)
    elements.push_back(pool.add(first, pool.div(pool.mul(span, pool.constant(static_cast<double>(k))), intervals)));
  return {Type::Real, Shape{*size}, std::move(elements)};
}

Value array_transpose(const Arguments& arguments) {
  const Value& matrix = arguments[0];
  if (matrix.rank() < 2)
    return arguments.reject(0, fmt::format("must be a matrix, but is {}", to_string(matrix.shape())));
  // Swaps the first two dimensions; later ones stay.
  const auto rows = static_cast<std::size_t>(matrix.shape()[0]), columns = static_cast<std::size_t>(matrix.shape()[1]);
  const std::size_t behind = rows * columns == 0 ? 0 : matrix.size() / (rows * columns);
  std::vector<NodeId> elements;
  elements.reserve(matrix.size());
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < behind; ++k) elements.push_back(matrix[(i * columns + j) * behind + k]);
  Shape shape = matrix.shape();
  std::swap(shape[0], shape[1]);
  return {matrix.type(), std::move(shape), std::move(elements)};
}

Value array_symmetric(const Arguments& arguments) {
  const Value& matrix = arguments[0];
  if (matrix.rank() != 2 || matrix.shape()[0] != matrix.shape()[1])
    return arguments.reject(0, fmt::format("must be a square matrix, but is {}", to_string(matrix.shape())));
  const auto n = static_cast<std::size_t>(matrix.shape()[0]);
  return square(arguments, matrix.type(), matrix.shape()[0],
                [&](std::size_t i, std::size_t j) { return matrix[std::min(i, j) * n + std::max(i, j)]; });
}

Value array_outer_product(const Arguments& arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  for (std::size_t k = 0; k < 2; ++k)
    if (arguments[k].rank() != 1 || !arguments[k].is_numeric())
      return arguments.reject(k, "must be a vector of numbers");
  Shape shape{a.shape()[0], b.shape()[0]};
  if (!arguments.at.all.fits(shape, arguments.range)) return {};
  std::vector<NodeId> elements;
  for (const NodeId x : a.elements())
    for (const NodeId y : b.elements()) elements.push_back(arguments.pool().mul(x, y));
  return {arithmetic_type(a, b), std::move(shape), std::move(elements)};
}

Value array_cross(const Arguments& arguments) {
  const Value &a = arguments[0], &b = arguments[1];
  for (std::size_t k = 0; k < 2; ++k)
    if (!is_vector_of_3(arguments[k]))
      return arguments.reject(k,
                              fmt::format("must be a vector of 3 numbers, but is {}", to_string(arguments[k].shape())));
  Pool& pool = arguments.pool();
  const auto minor = [&](std::size_t i, std::size_t j) { return pool.sub(pool.mul(a[i], b[j]), pool.mul(a[j], b[i])); };
  return {arithmetic_type(a, b), Shape{3}, {minor(1, 2), minor(2, 0), minor(0, 1)}};
}

Value array_skew(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (!is_vector_of_3(a))
    return arguments.reject(0, fmt::format("must be a vector of 3 numbers, but is {}", to_string(a.shape())));
  Pool& pool = arguments.pool();
  const NodeId zero = pool.zero();
  return {a.type(),
          Shape{3, 3},
          {zero, pool.neg(a[2]), a[1],  //
           a[2], zero, pool.neg(a[0]),  //
           pool.neg(a[1]), a[0], zero}};
}

Value as_matrix(const Value& value) {
  if (!value.valid() || value.rank() >= 2) return value;
  std::vector<NodeId> elements(value.elements().begin(), value.elements().end());
  return {value.type(), Shape{static_cast<std::int64_t>(value.size()), 1}, std::move(elements)};
}

Value concatenate(const Environment& at, int dimension, const std::vector<Value>& values, SourceRange range) {
  if (values.empty() || std::ranges::any_of(values, [](const Value& value) { return !value.valid(); })) return {};
  const auto d = static_cast<std::size_t>(dimension - 1);
  Shape shape = values.front().shape();
  Type type = values.front().type();
  std::int64_t total = 0;
  for (const Value& value : values) {
    Shape other = value.shape();
    type = common_type(type, value.type());
    if (other.size() == shape.size() && d < shape.size()) {
      total += other[d];
      other[d] = shape[d];
    }
    if (other != shape || d >= shape.size() || type == Type::Invalid) {
      at.error(Code::ShapesCannotCombine, range,
               type == Type::Invalid ? fmt::format("{} and {} cannot be joined", to_string(values.front().type()),
                                                   to_string(value.type()))
                                     : fmt::format("shapes {} and {} cannot be joined along dimension {}",
                                                   to_string(shape), to_string(value.shape()), dimension));
      return {};
    }
  }
  shape[d] = total;
  if (!at.all.fits(shape, range)) return {};
  std::size_t outer = 1, inner = 1;
  for (std::size_t k = 0; k < shape.size(); ++k)
    (k < d ? outer : inner) *= k == d ? 1 : static_cast<std::size_t>(shape[k]);
  std::vector<NodeId> elements;
  elements.reserve(static_cast<std::size_t>(count(shape)));
  for (std::size_t i = 0; i < outer; ++i)
    for (const Value& value : values) {
      const std::size_t run = static_cast<std::size_t>(value.shape()[d]) * inner;
      const auto part = value.elements().subspan(i * run, run);
      elements.insert(elements.end(), part.begin(), part.end());
    }
  return {type, std::move(shape), std::move(elements)};
}

Value array_cat(const Arguments& arguments) {
  const auto dimension = known_integer(arguments.pool(), arguments[0]);
  constexpr std::int64_t highest = 100;
  if (!dimension || *dimension < 1 || *dimension > highest)
    return arguments.reject(0, "must be a known dimension, 1 or more");
  return concatenate(arguments.at, static_cast<int>(*dimension), {arguments.values.begin() + 1, arguments.values.end()},
                     arguments.range);
}

Value array_vector(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (std::ranges::count_if(a.shape(), [](std::int64_t size) { return size != 1; }) > 1)
    return arguments.reject(
        0, fmt::format("must have one dimension larger than 1 at most, but is {}", to_string(a.shape())));
  return {a.type(), Shape{static_cast<std::int64_t>(a.size())}, {a.elements().begin(), a.elements().end()}};
}

Value array_matrix(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (a.rank() <= 2) return as_matrix(a);
  Shape shape{a.shape()[0], a.shape()[1]};
  if (std::ranges::any_of(a.shape().begin() + 2, a.shape().end(), [](std::int64_t size) { return size != 1; }))
    return arguments.reject(
        0, fmt::format("must have size 1 beyond its second dimension, but is {}", to_string(a.shape())));
  return {a.type(), std::move(shape), {a.elements().begin(), a.elements().end()}};
}

Value array_scalar(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (a.size() != 1) return arguments.reject(0, fmt::format("must have one element, but is {}", to_string(a.shape())));
  return {a.type(), a[0]};
}

Value array_constructor(const Arguments& arguments) { return stack(arguments.at, arguments.values, arguments.range); }

Value array_sum(const Arguments& arguments) {
  if (has_record_operators(arguments[0], arguments[0]))
    return sum_of_records(arguments.at, arguments[0], arguments.range);
  if (!arguments[0].is_numeric()) return arguments.reject(0, "must be an array of numbers");
  NodeId sum = arguments.pool().zero();
  for (const NodeId element : arguments[0].elements()) sum = arguments.pool().add(sum, element);
  return {arguments[0].type(), sum};
}

Value array_product(const Arguments& arguments) {
  if (!arguments[0].is_numeric()) return arguments.reject(0, "must be an array of numbers");
  NodeId product = arguments.pool().one();
  for (const NodeId element : arguments[0].elements()) product = arguments.pool().mul(product, element);
  return {arguments[0].type(), product};
}

}  // namespace driftless::language
