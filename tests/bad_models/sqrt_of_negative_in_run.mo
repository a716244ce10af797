// Torricelli's tank with a pump that draws on: the level falls below zero, and its root has no value there.
model Tank
  Real h(start = 1, fixed = true), outflow;
equation
  der(h) = -outflow - 1;
  outflow = sqrt(h);
end Tank;
