// Which of the two flows carries the enthalpy?
connector Port
  flow Real water;
  flow Real steam;
  stream Real h;
end Port;

model Tank
  Port a;
  Real inside;
equation
  a.h = 5;
  inside = inStream(a.water);
end Tank;

model M
  Tank tank;
end M;
