// An initial equation for a derivative far beyond those of the equations.
model Decay
  Real x(start = 1);
initial equation
  der(der(der(der(der(der(der(x))))))) = 1;
equation
  der(x) = -x;
end Decay;
