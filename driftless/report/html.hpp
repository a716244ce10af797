// Small pieces of HTML. Cells contain HTML: text from a model is escaped by the caller.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace driftless::reporting {

std::string table_row(std::initializer_list<std::string_view> cells);
std::string table(std::initializer_list<std::string_view> head, std::string_view rows);
std::string duration(double seconds);  // "3.1 ms"

}  // namespace driftless::reporting
