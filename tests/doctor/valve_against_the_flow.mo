// The pressure of the vessel is below that behind its outlet: what defines its rate has no value.
// expects failure: sqrt(p - 1e+05) has no value at p = 90000
// expects start: failed an expression has no value at the start, in line 9
// expects start: sqrt(p - 1e+05) has no value at p = 90000
model ValveAgainstTheFlow
  Real p(start = 0.9e5, fixed = true), m;
equation
  m = 1.4e-4*sqrt(1e5 - p);
  1e-9*der(p) = m - 0.02*sqrt(p - 1e5);
end ValveAgainstTheFlow;
