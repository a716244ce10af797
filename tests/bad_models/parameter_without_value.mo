// Nobody says how large the mass is.
model Fall
  parameter Real mass;
  Real v(start = 0, fixed = true);
equation
  mass*der(v) = -9.81*mass;
end Fall;
