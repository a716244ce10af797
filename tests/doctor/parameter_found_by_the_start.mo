// The stiffness is what makes the start a state of rest.
// expects: index 1, 2 degrees of freedom
// expects start: found
model ParameterFoundByTheStart
  parameter Real k(fixed = false, start = 1);
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
  Real wrong[2] = {x - 2, k - 4.905};
initial equation
  der(v) = 0;
equation
  der(x) = v;
  der(v) = 9.81 - k*x;
end ParameterFoundByTheStart;
