// The public face of the library: build or read a model, simulate it, write the solution.
#pragma once

#include "driftless/compare.hpp"
#include "driftless/compiled.hpp"
#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/model/multibody.hpp"
#include "driftless/simulate.hpp"
#include "driftless/simulation.hpp"
#include "driftless/solution/comparison_json.hpp"
#include "driftless/solution/comparison_svg.hpp"
#include "driftless/solution/comparison_table.hpp"
#include "driftless/solution/plot_svg.hpp"
#include "driftless/solution/row_sink.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_csv.hpp"
#include "driftless/solution/write_json.hpp"
#include "driftless/solution/write_mat.hpp"
