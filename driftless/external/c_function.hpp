// A C function of a shared library, called with arguments by the rules of Modelica (Modelica 3.6, Section 12.9):
// numbers and texts by value, arrays, records and outputs by address.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/external/shared_library.hpp"

namespace driftless::external {

// double, int, size_t, const char*, void*
enum class CType { Real, Integer, Size, Text, Object };

// The value of one of them; the first member for numbers, the second for texts, the third for objects.
struct Cell {
  double number = 0.0;
  std::string text = {};
  void* object = nullptr;
};

struct CParameter {
  std::vector<CType> members;  // one type, or those of a struct in order
  std::size_t count = 1;       // of the elements of an array
  bool by_address = false;     // for arrays, structs, and outputs
};

struct Signature {
  std::string name;
  std::optional<CType> result;
  std::vector<CParameter> parameters;
};

// The cells of a parameter: member by member, element by element.
using CArgument = std::vector<Cell>;

class CFunction {
 public:
  // The function, or the reason why it cannot be called.
  static std::variant<CFunction, std::string> find(std::shared_ptr<SharedLibrary> library, Signature signature);

  // Calls it. On return its outputs are in the arguments passed by address, and its value is in `result`. Returns the
  // message if ModelicaError was called.
  std::optional<std::string> operator()(std::vector<CArgument>& arguments, Cell& result) const;

  const Signature& signature() const { return signature_; }

 private:
  CFunction(std::shared_ptr<SharedLibrary> library, Signature signature, void* address)
      : library_(std::move(library)), signature_(std::move(signature)), address_(address) {}

  std::shared_ptr<SharedLibrary> library_;
  Signature signature_;
  void* address_;
};

// False in a build without libffi: then no function is found.
bool can_call();

}  // namespace driftless::external
