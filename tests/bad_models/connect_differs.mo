// A pin of a circuit and a flange of a shaft have different variables.
connector Pin
  Real v;
  flow Real i;
end Pin;

connector Flange
  Real phi;
  flow Real tau;
end Flange;

model Motor
  Pin p;
  Flange f;
equation
  p.v = der(f.phi);
  f.tau = -p.i;
end Motor;

model System
  Motor motor;
  Motor other;
equation
  connect(motor.p, other.f);
  connect(motor.q, other.p);
  connect(motor, other.p);
end System;
