// A state that an equation gives as a function of time has no freedom: the fixed start contradicts it.
// expects failure: contradicts the equations
// expects start: conflict the fixed start x = 1
model StateFixedByAnInput
  Real x(start = 1, fixed = true), f;
equation
  der(x) = f;
  x = 2 + sin(time);
end StateFixedByAnInput;
