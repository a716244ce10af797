// The inductor has forgotten that its two currents sum up to zero.
connector Pin
  Real v;
  flow Real i;
end Pin;

model Inductor
  Pin p;
  Pin n;
  parameter Real L = 1;
equation
  p.v - n.v = L*der(p.i);
end Inductor;

model Resistor
  Pin p;
  Pin n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model Circuit
  Inductor coil(p(i(start = 1, fixed = true)));
  Resistor load;
  Ground ground;
equation
  connect(coil.n, load.p);
  connect(load.n, coil.p);
  connect(coil.p, ground.p);
end Circuit;
