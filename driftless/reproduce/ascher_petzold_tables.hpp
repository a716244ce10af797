// Tables 4.1 to 4.9 of Ascher & Petzold (1993): the printed numbers, with scanning damage repaired, and the numbers of
// an independent calculation of the same discrete equations, which agrees with one in 40 to 120 digits: they are
// properties of the equations, also where errors have grown to 1e150, and not of rounding.
#pragma once

#include "driftless/reproduce/experiment.hpp"

namespace driftless::reproduce {

// The formulation of the constraint, as on the command line.
namespace form {
inline const std::string baumgarte = "baumgarte";  // with its gamma
inline const std::string direct = "index2";        // the limit of Baumgarte's for gamma -> infinity
inline const std::string state_space = "dummy";    // x1 is the state
inline const std::string b = "D=mass", ct = "D=transpose", unit = "D=unit";  // of projected-invariants or ggl
inline const std::string pa = "projected-invariants", pb = "projected-invariants:levels=2",
                         pc = "projected-invariants:levels=2,coupled", ggl = "ggl";
}  // namespace form

struct Line {
  std::string form;
  std::optional<double> parameter;  // gamma in the tables 4.1 and 4.2, otherwise nu
  std::vector<Expected> cells;
  double step = 0.01;
};

extern const std::vector<Line> table_4_1, table_4_2, table_4_3, table_4_4, table_4_5, table_4_6, table_4_7, table_4_8,
    table_4_9;

}  // namespace driftless::reproduce
