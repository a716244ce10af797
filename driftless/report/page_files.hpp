// The style sheet and the script of the page: the files of report/page/, compiled in.
#pragma once

#include <string_view>

namespace driftless::reporting {

std::string_view style_text();
std::string_view script_text();
std::string_view script_sha256();  // in hexadecimal digits

}  // namespace driftless::reporting
