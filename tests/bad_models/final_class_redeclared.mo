// The class is final.
model Linear
  Real y = time;
end Linear;

model Square
  Real y = time^2;
end Square;

model Pump
  final replaceable model Law = Linear;
  Law law;
end Pump;

model Plant
  Pump pump(redeclare model Law = Square);
end Plant;
