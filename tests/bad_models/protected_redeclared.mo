// What is protected belongs to the class.
model Linear
  Real y = time;
end Linear;

model Square
  Real y = time^2;
end Square;

model Motor
protected
  replaceable Linear law;
end Motor;

model Drive
  Motor motor(redeclare Square law);
end Drive;
