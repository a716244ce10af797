// An input is a value or a connector.
model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
end Tank;

model Plant
  Tank tank;
end Plant;

model Works
  input Plant plant;
end Works;
