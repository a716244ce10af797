#include "driftless/external/c_function.hpp"

#ifdef DRIFTLESS_HAS_FFI
#include <ffi.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "driftless/external/utilities.hpp"

namespace driftless::external {

#ifdef DRIFTLESS_HAS_FFI

namespace {

ffi_type* ffi_type_of(CType type) {
  switch (type) {
    case CType::Real: return &ffi_type_double;
    case CType::Integer: return &ffi_type_sint;
    case CType::Size: return sizeof(std::size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
    case CType::Text:
    case CType::Object: return &ffi_type_pointer;
  }
  return &ffi_type_pointer;
}

std::size_t size_of(CType type) { return ffi_type_of(type)->size; }

int to_int(double number) {
  constexpr double least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  return number >= least && number <= most ? static_cast<int>(number) : 0;
}

// Cells <-> the bytes that C sees.
void write(CType type, const Cell& cell, std::byte* to) {
  switch (type) {
    case CType::Real: std::memcpy(to, &cell.number, sizeof cell.number); return;
    case CType::Integer: {
      const int number = to_int(cell.number);
      std::memcpy(to, &number, sizeof number);
      return;
    }
    case CType::Size: {
      const auto number = static_cast<std::size_t>(std::max(cell.number, 0.0));
      std::memcpy(to, &number, sizeof number);
      return;
    }
    case CType::Text: {
      const char* text = cell.text.c_str();
      std::memcpy(to, &text, sizeof text);
      return;
    }
    case CType::Object: std::memcpy(to, &cell.object, sizeof cell.object); return;
  }
}

void read(CType type, const std::byte* from, Cell& cell) {
  switch (type) {
    case CType::Real: std::memcpy(&cell.number, from, sizeof cell.number); return;
    case CType::Integer: {
      int number = 0;
      std::memcpy(&number, from, sizeof number);
      cell.number = number;
      return;
    }
    case CType::Size: return;  // sizes are never written
    case CType::Text: {
      const char* text = nullptr;
      std::memcpy(&text, from, sizeof text);
      if (text != cell.text.c_str()) cell.text = text ? text : "";
      return;
    }
    case CType::Object: std::memcpy(&cell.object, from, sizeof cell.object); return;
  }
}

// The offsets of the members of a struct, and its size.
struct Layout {
  std::vector<std::size_t> offsets;
  std::size_t size = 0;

  explicit Layout(const std::vector<CType>& members) {
    std::size_t alignment = 1;
    const auto rounded = [](std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; };
    for (const CType member : members) {
      const std::size_t own = size_of(member);
      size = rounded(size, own);
      offsets.push_back(size);
      size += own;
      alignment = std::max(alignment, own);
    }
    size = rounded(size, alignment);
  }
};

// The bytes of a parameter, aligned for all types.
class Bytes {
 public:
  Bytes(const CParameter& parameter, const CArgument& cells)
      : parameter_(parameter),
        layout_(parameter.members),
        memory_(layout_.size * std::max<std::size_t>(parameter.count, 1) / sizeof(std::max_align_t) + 1) {
    visit([&](CType type, std::size_t k, std::byte* place) { write(type, cells[k], place); });
    address_ = data();
  }
  void read_back(CArgument& cells) {
    visit([&](CType type, std::size_t k, const std::byte* place) { read(type, place, cells[k]); });
  }
  void* for_call() { return parameter_.by_address ? static_cast<void*>(&address_) : data(); }

 private:
  std::byte* data() { return reinterpret_cast<std::byte*>(memory_.data()); }
  template <class Visit>
  void visit(Visit visit) {
    for (std::size_t element = 0, k = 0; element < parameter_.count; ++element)
      for (std::size_t m = 0; m < parameter_.members.size(); ++m, ++k)
        visit(parameter_.members[m], k, data() + element * layout_.size + layout_.offsets[m]);
  }

  const CParameter& parameter_;
  Layout layout_;
  std::vector<std::max_align_t> memory_;
  std::byte* address_ = nullptr;
};

}  // namespace

bool can_call() { return true; }

std::optional<std::string> CFunction::operator()(std::vector<CArgument>& arguments, Cell& result) const {
  std::vector<Bytes> bytes;
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  bytes.reserve(arguments.size());
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const CParameter& parameter = signature_.parameters[k];
    bytes.emplace_back(parameter, arguments[k]);
    types.push_back(parameter.by_address ? &ffi_type_pointer : ffi_type_of(parameter.members.front()));
  }
  for (Bytes& one : bytes) values.push_back(one.for_call());
  ffi_cif interface;
  ffi_type* const returned = signature_.result ? ffi_type_of(*signature_.result) : &ffi_type_void;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()), returned, types.data()) != FFI_OK)
    return "its arguments cannot be passed";
  alignas(std::max_align_t) std::byte value[sizeof(ffi_arg) > sizeof(double) ? sizeof(ffi_arg) : sizeof(double)] = {};
  const std::lock_guard guard(library_->one_at_a_time());
  if (auto failed = guarded([&] { ffi_call(&interface, FFI_FN(address_), value, values.data()); })) return failed;
  if (signature_.result == CType::Integer) {
    ffi_sarg number = 0;  // libffi widens small integers
    std::memcpy(&number, value, sizeof number);
    result.number = static_cast<double>(static_cast<int>(number));
  } else if (signature_.result) {
    read(*signature_.result, value, result);
  }
  for (std::size_t k = 0; k < arguments.size(); ++k)
    if (signature_.parameters[k].by_address) bytes[k].read_back(arguments[k]);
  return std::nullopt;
}

#else

bool can_call() { return false; }

std::optional<std::string> CFunction::operator()(std::vector<CArgument>&, Cell&) const {
  return "this program was built without libffi";
}

#endif

std::variant<CFunction, std::string> CFunction::find(std::shared_ptr<SharedLibrary> library, Signature signature) {
  if (!can_call()) return std::string("this program was built without libffi, which calls C functions");
  void* const address = library->find(signature.name);
  if (!address) return library->file() + " has no function '" + signature.name + "'";
  return CFunction(std::move(library), std::move(signature), address);
}

}  // namespace driftless::external
