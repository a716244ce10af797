// The effect of the reinits of a relation on an arbitrarily slow approach to its surface.
//
// Reinits give the speeds v the values f(v). Let n_i be the slope of the surface a - b along the coordinate of v_i. An
// approach with the speeds -e n_i, small compared to everything else, changes them by
//
//   e D_i,   D_i = n_i - sum_j df_i/dv_j n_j.
//
// So the ratios of the D_i, needed for the force of rest (rest.hpp), are known even if the changes by actual impacts
// are rounding errors. If all D_i are 0, reinit changes nothing at any speed: the surface does not act.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// `reinits`: places among Model::discrete.reinits; `slopes`: n_i of each, 0 where there is none. `value` of a leaf:
// time, parameter or variable of the pool, which may grow. Empty: an expression has no value there.
std::vector<double> changes_of_slowest_impact(const Model& model, Pool& pool, std::span<const std::size_t> reinits,
                                              std::span<const double> slopes,
                                              const std::function<double(NodeId)>& value);

// Do the reinits change speeds by fixed fractions of them, without conditions? Then the law is the same for all speeds.
bool is_law_for_all_speeds(const Model& model, Pool& pool, std::span<const std::size_t> reinits);

// The changes by these reinits at other speeds v (`speeds`, one for each), with relations in them evaluated at these
// speeds. The relation of the impact itself stays true. Empty: an expression has no value there.
std::vector<double> changes_at_speeds(const Model& model, Pool& pool, std::size_t relation,
                                      std::span<const std::size_t> reinits, std::span<const double> speeds,
                                      const std::function<double(NodeId)>& value);

}  // namespace driftless
