#include "cli/index.hpp"

namespace driftless::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<int>& index) { return index ? Json(*index) : Json(nullptr); }

Json to_json(const RankGap& gap) {
  return {{"smallest_kept", gap.smallest_kept}, {"largest_dropped", gap.largest_dropped}, {"clear", gap.is_clear}};
}

Json object_of(const NilpotencyIndex& n) {
  Json modes = Json::array();
  for (const std::complex<double>& mode : n.modes) modes.push_back({mode.real(), mode.imag()});
  return {{"index", n.index},          {"block_sizes", n.block_sizes}, {"free_values", n.free_values},
          {"modes", std::move(modes)}, {"algebraic", n.algebraic},     {"gap", to_json(n.narrowest)}};
}

Json object_of(const SingularModel& s) {
  return {{"index", nullptr}, {"rank", s.rank}, {"size", s.size}, {"equations", s.equations}, {"unknowns", s.unknowns}};
}

Json object_of(const NotApplicable& n) { return {{"index", nullptr}, {"reason", n.reason}}; }

Json object_of(const DifferentiationIndex& d) {
  Json object = {{"index", to_json(d.index)}, {"points", d.points}, {"gap", to_json(d.narrowest)}};
  if (!d.index) object["reason"] = d.reason;
  return object;
}

Json object_of(const PerturbationProbe& probe) {
  Json sweeps = Json::array();
  for (const FrequencySweep& sweep : probe.sweeps)
    sweeps.push_back({{"p", sweep.p},
                      {"amplitude", sweep.amplitude},
                      {"exponent", sweep.exponent},
                      {"misfit", sweep.misfit},
                      {"variable", sweep.variable},
                      {"frequencies", sweep.frequencies},
                      {"deviations", sweep.deviations}});
  Json object = {{"index", to_json(probe.index)}, {"sweeps", std::move(sweeps)}};
  if (!probe.index) object["reason"] = probe.reason;
  return object;
}

}  // namespace

Json index_to_json(const Indices& indices) {
  return {{"structural", indices.structural},
          {"nilpotency", std::visit([](const auto& nilpotency) { return object_of(nilpotency); }, indices.nilpotency)},
          {"differentiation", object_of(indices.differentiation)},
          {"perturbation", object_of(indices.perturbation)}};
}

}  // namespace driftless::cli
