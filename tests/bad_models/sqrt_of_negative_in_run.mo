// Torricelli's tank with a pump that draws on: at t = 2 - 2 log(2) the level falls below zero, where its root has no value.
model Tank
  Real h(start = 1, fixed = true), outflow;
equation
  der(h) = -outflow - 1;
  outflow = sqrt(h);
end Tank;
