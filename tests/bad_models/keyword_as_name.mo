// A variable cannot be called like a keyword.
model Tank
  Real flow(start = 1, fixed = true);
equation
  der(flow) = -flow;
end Tank;
