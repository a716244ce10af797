// The C functions of Modelica.Blocks.Tables and Modelica.Blocks.Sources.CombiTimeTable.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "driftless/interpolate/table_file.hpp"
#include "driftless/language/external.hpp"
#include "driftless/language/libraries/text_file.hpp"
#include "driftless/language/tables.hpp"

namespace driftless::language {

namespace {

bool is_absent(const std::string& name) {
  return name.find_first_not_of(" \t") == std::string::npos || name == "NoName";
}

bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

struct FileOptions {
  std::string delimiter = ",";
  std::int64_t header_lines = 0;
};

bool read_file(const ExternalCall& call, const std::string& file, const std::string& name, const FileOptions& options,
               Table& table) {
  const auto refuse = [&](const std::string& why) {
    call.refuse(why);
    return false;
  };
  if (has_ending(file, ".mat")) return refuse(fmt::format("'{}': files of MATLAB are not read yet", file));
  const auto text = read_text_file(file);
  if (const auto* failed = std::get_if<CannotReadFile>(&text)) return refuse(failed->message);
  const std::string& content = std::get<std::string>(text);
  const TableText read =
      has_ending(file, ".csv")
          ? read_separated_table(content, options.delimiter.empty() ? ',' : options.delimiter.front(),
                                 static_cast<int>(options.header_lines))
          : read_named_table(content, name);
  if (!read.ok())
    return refuse(read.line > 0 ? fmt::format("'{}', line {}: {}", file, read.line, read.mistake)
                                : fmt::format("'{}': {}", file, read.mistake));
  table.rows = read.rows;
  table.columns = read.columns;
  table.values = read.values;
  return true;
}

// The numbers of the table: from a file if one is named, otherwise those given.
bool take_numbers(ExternalCall& call, Table& table, const FileOptions& options) {
  const auto file = call.text(0), name = call.text(1);
  if (!file || !name) return false;
  if (!is_absent(*file)) return read_file(call, *file, *name, options, table);
  if (!is_absent(*name)) {
    call.refuse(
        fmt::format("the table '{}' is to come from the C function usertab, which is not supported yet", *name));
    return false;
  }
  const Value& given = call.arguments[2];
  if (given.rank() != 2) return false;
  table.rows = static_cast<std::size_t>(given.shape()[0]);
  table.columns = static_cast<std::size_t>(given.shape()[1]);
  for (const NodeId element : given.elements()) {
    const auto number = known_number(call.pool(), element);
    if (!number) {
      call.refuse("the numbers of a table must be known before the run");
      return false;
    }
    table.values.push_back(*number);
  }
  return true;
}

template <class Enumeration>
bool take_choice(const ExternalCall& call, std::size_t k, Enumeration& choice, int most) {
  const auto number = call.integer(k);
  if (!number) return false;
  choice = static_cast<Enumeration>(std::clamp<std::int64_t>(*number, 1, most));
  return true;
}

bool take_columns(const ExternalCall& call, std::size_t k, Table& table) {
  for (const NodeId element : call.arguments[k].elements()) {
    const auto number = known_number(call.pool(), element);
    if (!number) {
      call.refuse("the columns of a table must be known before the run");
      return false;
    }
    table.used.push_back(static_cast<std::int64_t>(*number));
  }
  return true;
}

bool take_file_options(const ExternalCall& call, std::size_t delimiter, FileOptions& options) {
  if (call.arguments.size() <= delimiter + 1) return true;  // of versions without .csv
  const auto text = call.text(delimiter);
  const auto lines = call.integer(delimiter + 1);
  if (!text || !lines) return false;
  options = {*text, *lines};
  return true;
}

Value as_object(ExternalCall& call, Table table) {
  const std::string mistake = table.mistake();
  if (!mistake.empty()) return call.refuse(mistake);
  call.all().tables.push_back(std::make_shared<const Table>(std::move(table)));
  return {Type::Object, call.pool().constant(static_cast<double>(call.all().tables.size() - 1))};
}

// (file, name, table, rows, columns, used, size, smoothness, extrapolation, verbose, delimiter, header)
Value make_table_1d(ExternalCall& call) {
  Table table;
  FileOptions options;
  const bool has_extrapolation = call.arguments.size() > 8;
  if (call.arguments.size() < 8 || !take_file_options(call, 10, options) || !take_numbers(call, table, options) ||
      !take_columns(call, 5, table) || !take_choice(call, 7, table.smoothness, 6) ||
      (has_extrapolation && !take_choice(call, 8, table.extrapolation, 4)))
    return {};
  return as_object(call, std::move(table));
}

// (file, name, table, rows, columns, smoothness, extrapolation, verbose, delimiter, header)
Value make_table_2d(ExternalCall& call) {
  Table table;
  table.kind = Table::Kind::TwoDimensions;
  FileOptions options;
  const bool has_extrapolation = call.arguments.size() > 6;
  if (call.arguments.size() < 6 || !take_file_options(call, 8, options) || !take_numbers(call, table, options) ||
      !take_choice(call, 5, table.smoothness, 6) ||
      (has_extrapolation && !take_choice(call, 6, table.extrapolation, 4)))
    return {};
  if (table.smoothness != Smoothness::Linear && table.smoothness != Smoothness::Constant)
    return call.refuse("tables of two dimensions are interpolated linearly or held; splines are not supported yet");
  return as_object(call, std::move(table));
}

// (file, name, table, rows, columns, start, used, size, smoothness, extrapolation, shift, events, verbose, delimiter,
// header)
Value make_time_table(ExternalCall& call) {
  Table table;
  table.kind = Table::Kind::Time;
  FileOptions options;
  if (call.arguments.size() < 10 || !take_file_options(call, 13, options) || !take_numbers(call, table, options) ||
      !take_columns(call, 6, table) || !take_choice(call, 8, table.smoothness, 6) ||
      !take_choice(call, 9, table.extrapolation, 4))
    return {};
  const auto start = call.number(5);
  const auto shift = call.arguments.size() > 10 ? call.number(10) : std::optional(0.0);
  if (!start || !shift || (call.arguments.size() > 11 && !take_choice(call, 11, table.events, 3))) return {};
  table.start = *start;
  table.shift = *shift;
  return as_object(call, std::move(table));
}

const Table* table_of(const ExternalCall& call) {
  const Value& object = call.arguments.empty() ? Value() : call.arguments.front();
  const auto place =
      object.type() == Type::Object && object.is_scalar() ? known_number(call.pool(), object.scalar()) : std::nullopt;
  if (place && *place >= 0) return call.all().tables[static_cast<std::size_t>(*place)].get();
  call.refuse("the table must be known before the run");
  return nullptr;
}

// The column that the second argument names.
std::optional<std::int64_t> column_of(const ExternalCall& call, const Table& table) {
  const auto k = call.integer(1);
  if (!k) return std::nullopt;
  if (*k >= 1 && *k <= static_cast<std::int64_t>(table.used.size())) return k;
  call.refuse(fmt::format("output {} of a table with {}", *k, table.used.size()));
  return std::nullopt;
}

Value value_1d(ExternalCall& call) {
  const Table* table = table_of(call);
  const auto k = table ? column_of(call, *table) : std::nullopt;
  if (!k) return {};
  return {Type::Real, table_value(call.all(), *table, *k, call.arguments[2].scalar(), call.range)};
}

Value value_2d(ExternalCall& call) {
  const Table* table = table_of(call);
  if (!table) return {};
  return {Type::Real,
          table_value(call.all(), *table, call.arguments[1].scalar(), call.arguments[2].scalar(), call.range)};
}

Value value_at_time(ExternalCall& call) {
  const Table* table = table_of(call);
  const auto k = table ? column_of(call, *table) : std::nullopt;
  if (!k) return {};
  return {Type::Real,
          time_table_value(call.all(), *table, *k, call.arguments[2].scalar(), call.arguments[3].scalar(), call.range)};
}

Value next_event(ExternalCall& call) {
  const Table* table = table_of(call);
  if (!table) return {};
  return {Type::Real, next_time_event(call.all(), *table, call.arguments[1].scalar())};
}

template <bool last>
Value abscissa(ExternalCall& call) {
  const Table* table = table_of(call);
  if (!table) return {};
  return {Type::Real, call.pool().constant(table->at(last ? table->rows - 1 : 0, 0))};
}

template <bool last>
Value abscissae(ExternalCall& call) {
  const Table* table = table_of(call);
  if (!table || call.arguments.size() < 2) return {};
  Pool& pool = call.pool();
  call.outputs[1] = Value(Type::Real, Shape{2},
                          {pool.constant(table->at(last ? table->rows - 1 : 1, 0)),
                           pool.constant(table->at(0, last ? table->columns - 1 : 1))});
  return {Type::Boolean, pool.one()};
}

}  // namespace

ExternalFunction find_table_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"CombiTable1D_init2", make_table_1d},
      {"CombiTable1D_init3", make_table_1d},
      {"CombiTable1D_getValue", value_1d},
      {"CombiTable1D_minimumAbscissa", abscissa<false>},
      {"CombiTable1D_maximumAbscissa", abscissa<true>},
      {"CombiTable2D_init2", make_table_2d},
      {"CombiTable2D_init3", make_table_2d},
      {"CombiTable2D_getValue", value_2d},
      {"CombiTable2D_minimumAbscissa", abscissae<false>},
      {"CombiTable2D_maximumAbscissa", abscissae<true>},
      {"CombiTimeTable_init2", make_time_table},
      {"CombiTimeTable_init3", make_time_table},
      {"CombiTimeTable_getValue", value_at_time},
      {"CombiTimeTable_nextTimeEvent", next_event},
      {"CombiTimeTable_minimumTime", abscissa<false>},
      {"CombiTimeTable_maximumTime", abscissa<true>},
  };
  constexpr std::string_view prefix = "ModelicaStandardTables_";
  if (!name.starts_with(prefix)) return nullptr;
  const auto place = functions.find(name.substr(prefix.size()));
  return place == functions.end() ? nullptr : place->second;
}

}  // namespace driftless::language
