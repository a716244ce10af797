// Bytes compressed by zlib: PNG and PDF both hold such streams.
#pragma once

#include <string>
#include <string_view>

namespace driftless {

std::string deflated(std::string_view bytes);

}  // namespace driftless
