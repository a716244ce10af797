// The energy is written as an equation beside the equation of motion: too many equations.
// expects error: determine only
model EnergyAsASecondEquation
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  v^2 + x^2 = 1;
end EnergyAsASecondEquation;
