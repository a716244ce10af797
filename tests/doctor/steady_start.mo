// Initial equations ask for rest: the start is where nothing moves.
// expects: index 1, 2 degrees of freedom
// expects start: found
model SteadyStart
  Real x, v;
  Real wrong[2] = {x - 2, v};
initial equation
  der(x) = 0;
  der(v) = 0;
equation
  der(x) = v;
  der(v) = 2 - x - 0.1*v;
end SteadyStart;
