// The bytes of an HDF5 file whose datasets have sizes that are known before the first number: a head that describes
// them, and for each dataset the place of its numbers, one after the other in the order of rows.
//
// It is the oldest version of the format, which every reader supports: superblock 0, a root group with one symbol
// table, object headers of version 1, contiguous layouts (The HDF Group, HDF5 File Format Specification Version 3.0).
// It does not depend on the contents of the datasets, so numbers can be written in any order, and the file can be read
// at any time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace driftless::sweep {

struct Hdf5Dataset {
  enum class Type { Number, Integer, Text } type = Type::Number;  // 64 bits each
  std::string name;
  std::vector<std::uint64_t> shape;
  std::size_t text_size = 0;  // of Text: bytes, padded with zeros

  std::size_t element_size() const { return type == Type::Text ? text_size : 8; }
  std::uint64_t size() const;  // bytes of all
};

struct Hdf5Layout {
  std::string head;
  std::vector<std::uint64_t> places;  // by dataset: of its first byte
  std::uint64_t size = 0;             // of the file
};

// Of at most 64 datasets in the root group, with other names; texts about the whole are its attributes.
Hdf5Layout hdf5_layout(const std::vector<Hdf5Dataset>& datasets,
                       const std::vector<std::pair<std::string, std::string>>& attributes);

}  // namespace driftless::sweep
