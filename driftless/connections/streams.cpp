#include "driftless/connections/streams.hpp"

#include <algorithm>

namespace driftless::connections {

std::vector<Mixture> mixtures(std::span<const StreamConnector> set) {
  std::vector<Mixture> list(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    Mixture& mixture = list[i];
    for (std::size_t j = 0; j < set.size(); ++j)
      if (j != i && (set.size() <= 2 || set[j].may_feed)) mixture.feeding.push_back(static_cast<int>(j));
    if (mixture.feeding.empty())
      mixture.form = set[i].side == Side::Inside ? Mixture::Form::Own : Mixture::Form::Zero;
    else
      mixture.form = mixture.feeding.size() == 1 ? Mixture::Form::Single : Mixture::Form::Weighted;
  }
  return list;
}

double fed_flow(Side side, double m_flow) { return side == Side::Inside ? -m_flow : m_flow; }

double mixture_weight(double fed, double sum, double eps) {
  const double x = std::clamp(sum / eps, 0.0, 1.0);
  const double alpha = x * x * (3.0 - 2.0 * x);
  return alpha * std::max(fed, 0.0) + (1.0 - alpha) * eps;
}

double evaluate(const Mixture& mixture, std::span<const StreamConnector> set, std::span<const double> m_flow,
                std::span<const double> fed_values, double own, double eps) {
  switch (mixture.form) {
    case Mixture::Form::Own: return own;
    case Mixture::Form::Zero: return 0.0;
    case Mixture::Form::Single: return fed_values[static_cast<std::size_t>(mixture.feeding.front())];
    case Mixture::Form::Weighted: break;
  }
  const auto flow_of = [&](int j) {
    const auto k = static_cast<std::size_t>(j);
    return fed_flow(set[k].side, m_flow[k]);
  };
  double sum = 0.0, above = 0.0, below = 0.0;
  for (const int j : mixture.feeding) sum += std::max(flow_of(j), 0.0);
  for (const int j : mixture.feeding) {
    const double weight = mixture_weight(flow_of(j), sum, eps);
    above += weight * fed_values[static_cast<std::size_t>(j)];
    below += weight;
  }
  return above / below;
}

}  // namespace driftless::connections
