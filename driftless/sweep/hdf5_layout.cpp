#include "driftless/sweep/hdf5_layout.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace driftless::sweep {
namespace {

constexpr std::uint64_t undefined = ~std::uint64_t{0};
constexpr std::size_t leaf = 32, internal = 16;  // K of the format: a symbol table node has up to 2 K entries
constexpr std::size_t superblock_size = 96, entry_size = 40;
constexpr std::size_t tree_size = 24 + 2 * internal * 16 + 8, table_size = 8 + 2 * leaf * entry_size;

void append(std::string& to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t k = 0; k < bytes; ++k) to += static_cast<char>((value >> (8 * k)) & 0xffU);
}

void pad(std::string& text, std::size_t multiple = 8) {
  text.resize((text.size() + multiple - 1) / multiple * multiple, '\0');
}

// ---- messages of object headers

std::string message(std::uint64_t type, std::string body) {
  pad(body);
  std::string text;
  append(text, type, 2);
  append(text, body.size(), 2);
  append(text, 0, 4);
  return text + body;
}

std::string dataspace(const std::vector<std::uint64_t>& shape) {
  std::string text;
  append(text, 1, 1);
  append(text, shape.size(), 1);
  append(text, 0, 6);
  for (const std::uint64_t extent : shape) append(text, extent, 8);
  return text;
}

std::string datatype(Hdf5Dataset::Type type, std::size_t text_size) {
  std::string text;
  switch (type) {
    case Hdf5Dataset::Type::Number:
      append(text, 0x11, 1);      // floating point
      append(text, 0x003f20, 3);  // little-endian, implied first bit, sign in bit 63
      append(text, 8, 4);
      append(text, 0, 2);
      append(text, 64, 2);
      for (const unsigned byte : {52U, 11U, 0U, 52U}) append(text, byte, 1);  // exponent, mantissa: place and size
      append(text, 1023, 4);
      break;
    case Hdf5Dataset::Type::Integer:
      append(text, 0x10, 1);
      append(text, 0x08, 3);  // little-endian, signed
      append(text, 8, 4);
      append(text, 0, 2);
      append(text, 64, 2);
      break;
    case Hdf5Dataset::Type::Text:
      append(text, 0x13, 1);
      append(text, 0x11, 3);  // padded with zeros, UTF-8
      append(text, text_size, 4);
      break;
  }
  return text;
}

std::string attribute(const std::string& name, const std::string& value) {
  std::string own_name = name + '\0', type = datatype(Hdf5Dataset::Type::Text, std::max<std::size_t>(value.size(), 1)),
              space = dataspace({});
  std::string text;
  append(text, 1, 2);
  append(text, own_name.size(), 2);
  append(text, type.size(), 2);
  append(text, space.size(), 2);
  for (std::string part : {own_name, type, space}) {
    pad(part);
    text += part;
  }
  return text + (value.empty() ? std::string(1, '\0') : value);
}

std::string object_header(const std::vector<std::string>& messages) {
  std::string body;
  for (const std::string& one : messages) body += one;
  std::string text;
  append(text, 1, 2);
  append(text, messages.size(), 2);
  append(text, 1, 4);
  append(text, body.size(), 4);
  append(text, 0, 4);
  return text + body;
}

std::string header_of(const Hdf5Dataset& dataset, std::uint64_t place) {
  std::string fill, layout;
  append(fill, 2, 1);
  append(fill, 1, 1);  // the place is known from the beginning
  append(fill, 0, 2);
  append(layout, 3, 1);
  append(layout, 1, 1);  // contiguous
  append(layout, place, 8);
  append(layout, dataset.size(), 8);
  return object_header({message(1, dataspace(dataset.shape)), message(3, datatype(dataset.type, dataset.text_size)),
                        message(5, fill), message(8, layout)});
}

// ---- the root group

std::string symbol(std::uint64_t name, std::uint64_t header, std::uint64_t tree = 0, std::uint64_t heap = 0) {
  std::string text;
  append(text, name, 8);
  append(text, header, 8);
  append(text, tree == 0 ? 0 : 1, 8);
  append(text, tree, 8);
  append(text, heap, 8);
  return text;
}

std::string tree_of(std::uint64_t table, std::uint64_t last_name) {
  std::string text = "TREE";
  append(text, 0, 2);
  append(text, 1, 2);
  append(text, undefined, 8);
  append(text, undefined, 8);
  append(text, 0, 8);
  append(text, table, 8);
  append(text, last_name, 8);
  text.resize(tree_size, '\0');
  return text;
}

std::string heap_of(std::uint64_t place, const std::string& names) {
  std::string text = "HEAP";
  append(text, 0, 4);
  append(text, names.size(), 8);
  append(text, 1, 8);  // no free space
  append(text, place + 32, 8);
  return text + names;
}

std::string superblock(std::uint64_t size, const std::string& root) {
  std::string text = "\x89HDF\r\n\x1a\n";
  append(text, 0, 5);
  append(text, 8, 1);
  append(text, 8, 1);
  append(text, 0, 1);
  append(text, leaf, 2);
  append(text, internal, 2);
  append(text, 0, 4);
  append(text, 0, 8);
  append(text, undefined, 8);
  append(text, size, 8);
  append(text, undefined, 8);
  return text + root;
}

}  // namespace

std::uint64_t Hdf5Dataset::size() const {
  return std::accumulate(shape.begin(), shape.end(), static_cast<std::uint64_t>(element_size()), std::multiplies<>());
}

Hdf5Layout hdf5_layout(const std::vector<Hdf5Dataset>& datasets,
                       const std::vector<std::pair<std::string, std::string>>& attributes) {
  assert(datasets.size() <= 2 * leaf);
  std::vector<std::size_t> by_name(datasets.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::ranges::sort(by_name, {}, [&](std::size_t k) { return datasets[k].name; });
  std::string names(8, '\0');
  std::vector<std::uint64_t> name_places(datasets.size());
  for (const std::size_t k : by_name) {
    name_places[k] = names.size();
    names += datasets[k].name + '\0';
    pad(names);
  }

  // The sizes of the parts do not depend on the addresses in them.
  const std::uint64_t root_place = superblock_size;
  std::vector<std::string> root_messages{message(0x11, std::string(16, '\0'))};
  for (const auto& [name, value] : attributes) root_messages.push_back(message(0x0c, attribute(name, value)));
  const std::uint64_t tree_place = root_place + object_header(root_messages).size();
  const std::uint64_t heap_place = tree_place + tree_size, table_place = heap_place + 32 + names.size();
  std::uint64_t next = table_place + table_size;
  std::vector<std::uint64_t> headers;
  for (const Hdf5Dataset& dataset : datasets) {
    headers.push_back(next);
    next += header_of(dataset, 0).size();
  }
  Hdf5Layout layout;
  for (const Hdf5Dataset& dataset : datasets) {
    layout.places.push_back(next);
    next += (dataset.size() + 7) / 8 * 8;
  }
  layout.size = next;

  std::string root_table;
  append(root_table, tree_place, 8);
  append(root_table, heap_place, 8);
  root_messages[0] = message(0x11, root_table);
  std::string table = "SNOD";
  append(table, 1, 2);
  append(table, datasets.size(), 2);
  for (const std::size_t k : by_name) table += symbol(name_places[k], headers[k]);
  table.resize(table_size, '\0');
  layout.head = superblock(layout.size, symbol(0, root_place, tree_place, heap_place)) + object_header(root_messages) +
                tree_of(table_place, by_name.empty() ? 0 : name_places[by_name.back()]) + heap_of(heap_place, names) +
                table;
  for (std::size_t k = 0; k < datasets.size(); ++k) layout.head += header_of(datasets[k], layout.places[k]);
  return layout;
}

}  // namespace driftless::sweep
