// Stream variables (Modelica 3.6, Section 15.2): the value of inStream(h_outflow), and the equation of an outside
// connector, for any number of connectors in a set.
//
// A connection set is an infinitely small volume in which the flows mix. A connector of a component (inside) feeds it
// with the flow max(-m_flow, 0) and its own h_outflow; a connector of the class itself (outside) with the flow
// max(m_flow, 0) and inStream(h_outflow), which is given by the set one level above. The mixture that enters connector
// i consists of all others:
//
//   h_i = sum w_j h_j / sum w_j,  j ≠ i
//   w_j = alpha max(f_j, 0) + (1 - alpha) eps,  f_j the flow that j feeds,
//   alpha(s) = 1 for s ≥ eps, (s/eps)² (3 - 2 s/eps) for 0 < s < eps, 0 for s ≤ 0,  s = sum max(f_j, 0).
//
// So h_i is defined and continuous if all flows vanish. With one feeding connector the weights cancel, and h_i = h_j
// without any flow: this covers N = 1, M = 1; N = 2, M = 0; N = 0, M = 2. Connectors whose flow cannot feed the volume,
// by the attributes min ≥ 0 inside and max ≤ 0 outside, are ignored if more than two are connected.
//
// The instance tree calls `mixtures` for the set of each stream variable (connection_sets.hpp gives the faces), and
// writes for an inside connector i the expression of inStream(h_outflow), where it occurs; for an outside connector q
// the equation h_outflow = mixture. A stream variable in no set is Own inside, and gets no equation outside. eps is the
// relative tolerance times the smallest nominal of the flows. Further,
// actualStream(h_outflow) = if m_flow > 0 then inStream(h_outflow) else h_outflow.
#pragma once

#include <span>
#include <vector>

#include "driftless/connections/connection_sets.hpp"

namespace driftless::connections {

struct StreamConnector {
  Side side = Side::Inside;
  // Whether the flow may ever enter the volume from here: not if min ≥ 0 inside, or max ≤ 0 outside.
  bool may_feed = true;
};

// Refers to values of others: h_outflow of inside ones, inStream(h_outflow) of outside ones.
struct Mixture {
  enum class Form {
    Own,       // nothing feeds: inStream(h_outflow) = h_outflow
    Zero,      // nothing feeds an outside connector: h_outflow = 0
    Single,    // the value of feeding.front()
    Weighted,  // the quotient above
  };
  Form form = Form::Own;
  std::vector<int> feeding;  // places in the set, ascending
};

// One for each connector, in their order. The cost is the size of the mixtures: n (n - 1) terms.
std::vector<Mixture> mixtures(std::span<const StreamConnector> set);

// The flow that a connector feeds into the volume if its m_flow has this value; may be negative.
double fed_flow(Side side, double m_flow);

// The weight of a flow among flows whose positive parts add up to `sum`.
double mixture_weight(double fed, double sum, double eps);

// The value of a mixture, given the m_flow of all connectors and the values that they would feed; `own` is h_outflow
// itself.
double evaluate(const Mixture& mixture, std::span<const StreamConnector> set, std::span<const double> m_flow,
                std::span<const double> fed_values, double own, double eps);

}  // namespace driftless::connections
