// What is protected belongs to the class.
model Motor
  Real w(start = 1, fixed = true);
protected
  parameter Real k = 2;
equation
  der(w) = -k*w;
end Motor;

model Drive
  Motor motor(k = 3);
end Drive;
