// Archiving of types for which Archive itself has no functions.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "driftless/archive/archive.hpp"

namespace driftless::linear {

// A shared immutable value, or null. Reading makes a separate copy.
template <class T>
void archive_shared(Archive& archive, std::shared_ptr<const T>& value) {
  std::optional<T> copy;
  if (!archive.is_reading() && value) copy = *value;
  archive(copy);
  if (archive.is_reading()) value = copy ? std::make_shared<const T>(*std::move(copy)) : nullptr;
}

template <class Matrix>  // of Eigen, with dynamic size
void archive_matrix(Archive& archive, Matrix& matrix) {
  Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  std::vector<double> values(matrix.data(), matrix.data() + matrix.size());
  archive(rows, columns, values);
  if (!archive.is_reading()) return;
  if (rows < 0 || columns < 0 || static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) != values.size())
    throw ArchiveError("the saved run does not fit: a matrix has another size");
  matrix = Eigen::Map<const Matrix>(values.data(), rows, columns);
}

}  // namespace driftless::linear
