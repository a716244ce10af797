// A model changes in time; only its parameters are known before.
model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = -level;
end Tank;

model Plant
  parameter Tank tank;
end Plant;
