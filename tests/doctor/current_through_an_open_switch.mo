// Nothing determines the voltage behind the open switch.
// expects error: u
model CurrentThroughAnOpenSwitch
  Real v(start = 1, fixed = true), i, u;
equation
  der(v) = -i;
  i = 0*u;
  0*u = i;
end CurrentThroughAnOpenSwitch;
