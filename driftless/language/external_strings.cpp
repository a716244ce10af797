// The C functions of Modelica.Utilities: strings, names of files, messages.
#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unordered_map>

#include "driftless/language/class.hpp"
#include "driftless/language/external.hpp"
#include "driftless/language/external_libraries.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace {

Value integer_value(const ExternalCall& call, std::int64_t number) {
  return {Type::Integer, call.pool().constant(static_cast<double>(number))};
}

Value done(const ExternalCall& call) { return {Type::Boolean, call.pool().one()}; }

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

Value length(ExternalCall& call) {
  const auto text = call.text(0);
  return text ? integer_value(call, static_cast<std::int64_t>(text->size())) : Value();
}

// Places count from 1, and the last one is included.
Value substring(ExternalCall& call) {
  const auto text = call.text(0);
  const auto first = call.integer(1), last = call.integer(2);
  if (!text || !first || !last) return {};
  if (*first < 1 || *last < *first || *last > static_cast<std::int64_t>(text->size()))
    return call.refuse(fmt::format("places {} to {} of a String with {} characters", *first, *last, text->size()));
  return string_value(call.all(),
                      text->substr(static_cast<std::size_t>(*first - 1), static_cast<std::size_t>(*last - *first + 1)));
}

// 1, 2, 3: less, equal, greater (Modelica.Utilities.Types.Compare).
Value compare(ExternalCall& call) {
  auto a = call.text(0), b = call.text(1);
  const auto exact = call.number(2);
  if (!a || !b || !exact) return {};
  if (*exact == 0.0)
    for (std::string* text : {&*a, &*b})
      for (char& c : *text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const int order = a->compare(*b);
  return {Type::Enumeration, call.pool().constant(order < 0 ? 1.0 : order == 0 ? 2.0 : 3.0)};
}

// The text and the place, counted from 0, at which a scan begins.
struct Scan {
  std::string text;
  std::size_t at = 0;

  char operator[](std::size_t k) const { return k < text.size() ? text[k] : '\0'; }
};

std::optional<Scan> scan_of(const ExternalCall& call) {
  auto text = call.text(0);
  const auto start = call.integer(1);
  if (!text || !start) return std::nullopt;
  Scan scan{std::move(*text), *start < 1 ? 0 : static_cast<std::size_t>(*start - 1)};
  scan.at = std::min(scan.at, scan.text.size());
  return scan;
}

std::size_t behind_blanks(const Scan& scan) {
  std::size_t k = scan.at;
  while (k < scan.text.size() && is_blank(scan.text[k])) ++k;
  return k;
}

Value skip_white_space(ExternalCall& call) {
  const auto scan = scan_of(call);
  return scan ? integer_value(call, static_cast<std::int64_t>(behind_blanks(*scan)) + 1) : Value();
}

// Writes the place after the token and the token itself, the last two arguments; the place is unchanged if there is
// none.
Value scanned(ExternalCall& call, const Scan& scan, std::size_t end, Value token) {
  const std::size_t last = call.arguments.size() - 1;
  const bool found = end > 0;
  call.outputs[last - 1] = integer_value(call, static_cast<std::int64_t>(found ? end : scan.at) + 1);
  call.outputs[last] = std::move(token);
  return done(call);
}

Value scan_identifier(ExternalCall& call) {
  const auto scan = scan_of(call);
  if (!scan) return {};
  const std::size_t begin = behind_blanks(*scan);
  if (!is_letter((*scan)[begin])) return scanned(call, *scan, 0, string_value(call.all(), ""));
  std::size_t k = begin;
  while (is_letter((*scan)[k]) || is_digit((*scan)[k]) || (*scan)[k] == '_') ++k;
  return scanned(call, *scan, k, string_value(call.all(), scan->text.substr(begin, k - begin)));
}

// [+-]digits; `unsigned_only` forbids the sign.
std::size_t behind_digits(const Scan& scan, std::size_t begin, bool unsigned_only) {
  std::size_t k = begin;
  if (!unsigned_only && (scan[k] == '+' || scan[k] == '-')) ++k;
  const std::size_t digits = k;
  while (is_digit(scan[k])) ++k;
  return k > digits ? k : 0;
}

Value scan_integer(ExternalCall& call) {
  const auto scan = scan_of(call);
  const auto unsigned_only = call.number(2);
  if (!scan || !unsigned_only) return {};
  const std::size_t begin = behind_blanks(*scan), end = behind_digits(*scan, begin, *unsigned_only != 0.0);
  const char after = (*scan)[end];
  if (end == 0 || after == '.' || after == 'e' || after == 'E') return scanned(call, *scan, 0, integer_value(call, 0));
  return scanned(call, *scan, end, integer_value(call, std::atoll(scan->text.c_str() + begin)));
}

Value scan_real(ExternalCall& call) {
  const auto scan = scan_of(call);
  const auto unsigned_only = call.number(2);
  if (!scan || !unsigned_only) return {};
  const std::size_t begin = behind_blanks(*scan);
  std::size_t end = behind_digits(*scan, begin, *unsigned_only != 0.0);
  const std::size_t point = end > 0 ? end : begin;
  if ((*scan)[point] == '.') {
    std::size_t k = point + 1;
    while (is_digit((*scan)[k])) ++k;
    if (end > 0 || k > point + 1) end = k;
  }
  if (end > 0 && ((*scan)[end] == 'e' || (*scan)[end] == 'E'))
    if (const std::size_t exponent = behind_digits(*scan, end + 1, false)) end = exponent;
  const double number = end > 0 ? std::strtod(scan->text.substr(begin, end - begin).c_str(), nullptr) : 0.0;
  return scanned(call, *scan, end, {Type::Real, call.pool().constant(number)});
}

Value scan_string(ExternalCall& call) {
  const auto scan = scan_of(call);
  if (!scan) return {};
  const std::size_t begin = behind_blanks(*scan);
  if ((*scan)[begin] != '"') return scanned(call, *scan, 0, string_value(call.all(), ""));
  std::size_t k = begin + 1;
  while (k < scan->text.size() && (scan->text[k] != '"' || scan->text[k - 1] == '\\')) ++k;
  if (k >= scan->text.size()) return scanned(call, *scan, 0, string_value(call.all(), ""));
  return scanned(call, *scan, k + 1, string_value(call.all(), scan->text.substr(begin + 1, k - begin - 1)));
}

Value full_path_name(ExternalCall& call) {
  const auto name = call.text(0);
  if (!name) return {};
  const auto file = file_of_uri(call.all(), *name);
  if (!file && name->starts_with("modelica://"))
    return call.refuse(fmt::format("'{}' names no library that has been read", *name));
  return string_value(call.all(), std::filesystem::absolute(file.value_or(*name)).lexically_normal().string());
}

// 1, 2, 3, 4: does not exist, a file, a folder, something else (Modelica.Utilities.Types.FileType).
Value kind_of_file(ExternalCall& call) {
  const auto name = call.text(0);
  if (!name) return {};
  std::error_code failed;
  const auto status = std::filesystem::status(*name, failed);
  const double kind = !std::filesystem::exists(status)           ? 1.0
                      : std::filesystem::is_regular_file(status) ? 2.0
                      : std::filesystem::is_directory(status)    ? 3.0
                                                                 : 4.0;
  return {Type::Enumeration, call.pool().constant(kind)};
}

// (fileName, lineNumber, endOfFile): a line of a text file, counted from 1, and whether the file is shorter.
Value read_line(ExternalCall& call) {
  const auto name = call.text(0);
  const auto number = call.integer(1);
  if (!name || !number) return {};
  std::ifstream file(*name);
  if (!file) return call.refuse(fmt::format("the file '{}' cannot be read", *name));
  std::string line;
  for (std::int64_t k = 1; k <= *number && file; ++k) std::getline(file, line);
  const bool is_behind_end = !file;
  call.outputs[2] = {Type::Boolean, is_behind_end ? call.pool().one() : call.pool().zero()};
  return string_value(call.all(), is_behind_end ? "" : line);
}

// Reaching this call ends the run, as assert(false, message) does.
Value stop(ExternalCall& call) {
  const std::string message =
      call.arguments.empty() ? "" : shown_text(call.all(), call.arguments.front()).value_or("ModelicaError");
  check_not_reached(call.at, message, call.range);
  return done(call);
}

// Text that a model prints does not affect results, and is not shown.
Value print(ExternalCall& call) { return done(call); }

// A run writes only requested files: the function reports failure.
Value write_no_file(ExternalCall& call) {
  call.all().warning(
      Code::NotSupported, call.range,
      fmt::format("not supported yet: files that a model writes; {} returns false", call.at.scope.path()));
  return {Type::Boolean, call.pool().zero()};
}

}  // namespace

ExternalFunction find_string_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaStrings_length", length},
      {"ModelicaStrings_substring", substring},
      {"ModelicaStrings_compare", compare},
      {"ModelicaStrings_skipWhiteSpace", skip_white_space},
      {"ModelicaStrings_scanIdentifier", scan_identifier},
      {"ModelicaStrings_scanInteger", scan_integer},
      {"ModelicaStrings_scanReal", scan_real},
      {"ModelicaStrings_scanString", scan_string},
      {"ModelicaInternal_fullPathName", full_path_name},
      {"ModelicaInternal_stat", kind_of_file},
      {"ModelicaInternal_print", print},
      {"ModelicaInternal_readLine", read_line},
      {"ModelicaError", stop},
      {"ModelicaIO_writeRealMatrix", write_no_file},
  };
  const auto place = functions.find(name);
  return place == functions.end() ? nullptr : place->second;
}

}  // namespace driftless::language
