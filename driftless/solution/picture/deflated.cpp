#include "driftless/solution/picture/deflated.hpp"

#include <zlib.h>

#include <new>

namespace driftless {

std::string deflated(std::string_view bytes) {
  constexpr int best = 9;
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int outcome = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                                reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), best);
  if (outcome != Z_OK) throw std::bad_alloc();  // the only failure: there is room for the result
  result.resize(size);
  return result;
}

}  // namespace driftless
