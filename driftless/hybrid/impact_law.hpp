// What the reinits of a relation do to an approach to its surface that is as slow as may be.
//
// Reinits give the speeds v the values f(v). Let n_i be the slope of the surface a - b along the coordinate of v_i. The
// approach with the speeds -e n_i, small beside everything else, changes them by
//
//   e D_i,   D_i = n_i - sum_j df_i/dv_j n_j.
//
// So the ratios of the D_i, those of the force of rest (rest.hpp), are known where no impact tells them because all of
// them are rounding errors. If all D_i are 0 reinit changes nothing, whatever the speed is: the surface is none.
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

// Do the reinits change speeds by fixed parts of these, without a choice? Then what they do to one they do to all.
bool is_law_for_all_speeds(const Model& model, Pool& pool, std::span<const std::size_t> reinits);

// What these reinits change at other speeds v (`speeds`, one for each), where the relations in them have the values
// that belong to these. The relation of the impact itself is true as it is. Empty: an expression has no value there.
std::vector<double> changes_at_speeds(const Model& model, Pool& pool, std::size_t relation,
                                      std::span<const std::size_t> reinits, std::span<const double> speeds,
                                      const std::function<double(NodeId)>& value);

}  // namespace driftless
