// Nobody says how large the mass is: it is taken as 0, and then the velocity is not determined.
model Fall
  parameter Real mass;
  Real v(start = 0, fixed = true);
equation
  mass*der(v) = -9.81*mass;
end Fall;
