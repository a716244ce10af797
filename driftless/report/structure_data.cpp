#include "driftless/report/structure_data.hpp"

#include <algorithm>
#include <map>

#include "driftless/reduce/signature.hpp"
#include "driftless/solution/characters.hpp"

namespace driftless::reporting {
namespace {

struct Matrix {
  std::vector<int> rows, cols;                  // equations and variables in the order of the blocks
  std::vector<int> place_of_row, place_of_col;  // and back
  std::vector<std::pair<int, int>> blocks;      // first place and size of blocks with more than one equation
};

Matrix ordered(const Analysis& a) {
  Matrix m;
  for (const structure::Block& block : a.shape.blocks) {
    if (block.rows.size() > 1)
      m.blocks.emplace_back(static_cast<int>(m.rows.size()), static_cast<int>(block.rows.size()));
    for (const structure::Row row : block.rows) m.rows.push_back(index(row));
    for (const structure::Col col : block.cols) m.cols.push_back(index(col));
  }
  m.place_of_row.assign(m.rows.size(), 0), m.place_of_col.assign(m.cols.size(), 0);
  for (std::size_t k = 0; k < m.rows.size(); ++k) {
    m.place_of_row[static_cast<std::size_t>(m.rows[k])] = static_cast<int>(k);
    m.place_of_col[static_cast<std::size_t>(m.cols[k])] = static_cast<int>(k);
  }
  return m;
}

std::string equation_name(const Analysis& a, int row) {
  const Equation& equation = a.model->equations[static_cast<std::size_t>(row)];
  return shortened(equation.text.empty() ? equation.label : equation.label + ": " + equation.text, 90);
}

Json by_entries(const Analysis& a, const Matrix& m, const structure::Signature& signature) {
  Json rows = Json::array(), cols = Json::array(), entries = Json::array();
  for (const int row : m.rows)
    rows.push_back({equation_name(a, row), a.shape.offsets.c[static_cast<std::size_t>(row)]});
  for (const int col : m.cols)
    cols.push_back(
        {a.model->variables[static_cast<std::size_t>(col)].name, a.shape.offsets.d[static_cast<std::size_t>(col)]});
  for (std::size_t place = 0; place < m.rows.size(); ++place) {
    const int row = m.rows[place];
    for (const structure::Entry& entry : signature.row(structure::Row{row}))
      entries.push_back({place, m.place_of_col[static_cast<std::size_t>(index(entry.col))], entry.sigma});
  }
  return {{"rows", std::move(rows)}, {"cols", std::move(cols)}, {"entries", std::move(entries)}};
}

// The number of entries in each cell; names of the first and the last equation and variable along each side.
Json in_a_raster(const Analysis& a, const Matrix& m, const structure::Signature& signature) {
  const auto n = static_cast<long>(m.rows.size());
  const auto cell = [&](long place) { return static_cast<int>(place * cells_of_raster / n); };
  std::map<std::pair<int, int>, int> counts;
  for (long place = 0; place < n; ++place)
    for (const structure::Entry& entry : signature.row(structure::Row{m.rows[static_cast<std::size_t>(place)]}))
      ++counts[{cell(place), cell(m.place_of_col[static_cast<std::size_t>(index(entry.col))])}];
  Json cells = Json::array(), sides = Json::array();
  for (const auto& [at, count] : counts) cells.push_back({at.first, at.second, count});
  for (int k = 0; k < cells_of_raster; ++k) {
    const auto first = static_cast<std::size_t>((k * n + cells_of_raster - 1) / cells_of_raster);
    const auto last = static_cast<std::size_t>(((k + 1) * n + cells_of_raster - 1) / cells_of_raster - 1);
    const auto equation = [&](std::size_t place) {
      return a.model->equations[static_cast<std::size_t>(m.rows[place])].label;
    };
    const auto variable = [&](std::size_t place) {
      return a.model->variables[static_cast<std::size_t>(m.cols[place])].name;
    };
    sides.push_back({equation(first), equation(last), variable(first), variable(last)});
  }
  return {{"raster", cells_of_raster}, {"cells", std::move(cells)}, {"sides", std::move(sides)}};
}

}  // namespace

Json structure_data(const Analysis& analysis) {
  const Matrix m = ordered(analysis);
  if (m.rows.empty() || m.rows.size() != analysis.model->equations.size() ||
      m.cols.size() != analysis.model->variables.size())
    return nullptr;
  const structure::Signature signature = signature_of(*analysis.model);
  const bool is_small = m.rows.size() <= static_cast<std::size_t>(largest_matrix_by_entries);
  Json data = is_small ? by_entries(analysis, m, signature) : in_a_raster(analysis, m, signature);
  data["n"] = m.rows.size();
  data["entries_in_all"] = signature.entries();
  data["blocks_in_all"] = analysis.shape.blocks.size();
  std::size_t largest = 0;
  for (const structure::Block& block : analysis.shape.blocks) largest = std::max(largest, block.rows.size());
  data["largest_block"] = largest;
  Json blocks = Json::array();
  for (const auto& [first, size] : m.blocks)
    if (is_small || size * 400L >= static_cast<long>(m.rows.size())) blocks.push_back({first, size});
  data["blocks"] = std::move(blocks);
  return data;
}

}  // namespace driftless::reporting
