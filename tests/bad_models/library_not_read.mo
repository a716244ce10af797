// The library has these, but its text is not read.
model Circuit
  Modelica.Electrical.Analog.Basic.Resistor r(R = 1);
  Capacitor c(C = 1);
end Circuit;
