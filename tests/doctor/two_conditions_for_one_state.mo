// A start is fixed, and an initial equation gives the same variable another value.
// expects failure: cannot hold together
// expects start: conflict the fixed start x = 1
// expects start: conflict initial equation line 9
// expects start: fix holds
model TwoConditionsForOneState
  Real x(start = 1, fixed = true);
initial equation
  x = 2;
equation
  der(x) = -x;
end TwoConditionsForOneState;
