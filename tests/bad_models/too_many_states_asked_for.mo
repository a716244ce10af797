// Two coordinates on a circle have one degree of freedom.
model Pendulum
  Real x(start = 0.6, stateSelect = StateSelect.always), y(start = -0.8, stateSelect = StateSelect.always), F;
equation
  der(der(x)) = -F*x;
  der(der(y)) = -F*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
