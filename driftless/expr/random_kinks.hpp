// Random compositions of max, min, abs and if with sqrt, log and powers, of the variable 0 and the parameter 0: for
// property tests at kinks and at the edges of domains.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

class RandomKinks {
 public:
  RandomKinks(Pool& pool, std::uint32_t seed) : pool_(pool), generator_(seed) {}

  NodeId operator()() {
    std::vector<NodeId> made{pool_.variable(VarId{0}), pool_.constant(0.0), pool_.constant(1.0), pool_.constant(-0.5),
                             pool_.parameter(ParamId{0})};
    const auto pick = [&] { return made[made.size() - 1 - generator_() % std::min<std::size_t>(made.size(), 6)]; };
    for (int n = 0; n < 7; ++n) {
      const NodeId a = pick(), b = pick();
      switch (generator_() % 11) {
        case 0: made.push_back(pool_.binary(Op::Max, a, b)); break;
        case 1: made.push_back(pool_.binary(Op::Min, a, b)); break;
        case 2: made.push_back(pool_.unary(Op::Abs, a)); break;
        case 3: made.push_back(pool_.if_else(pool_.binary(Op::Less, a, b), pick(), pick())); break;
        case 4: made.push_back(pool_.unary(Op::Sqrt, a)); break;
        case 5: made.push_back(pool_.unary(Op::Log, pool_.add(pool_.one(), pool_.unary(Op::Abs, a)))); break;
        case 6: made.push_back(pool_.pow(a, pool_.constant(0.5 * static_cast<double>(generator_() % 6)))); break;
        case 7: made.push_back(pool_.pow(pool_.binary(Op::Max, a, pool_.zero()), pool_.parameter(ParamId{0}))); break;
        case 8: made.push_back(pool_.add(a, b)); break;
        case 9: made.push_back(pool_.mul(a, b)); break;
        default: made.push_back(pool_.unary(Op::Sqrt, pool_.binary(Op::Max, a, pool_.zero())));
      }
    }
    return made.back();
  }

 private:
  Pool& pool_;
  std::mt19937 generator_;
};

}  // namespace driftless
