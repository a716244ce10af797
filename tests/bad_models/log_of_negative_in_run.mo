// The pressure falls to zero at t = 0.5; the enthalpy is its logarithm.
model Boiler
  Real p(start = 1, fixed = true), h;
equation
  der(p) = -2;
  h = log(p);
end Boiler;
