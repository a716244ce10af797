model TwoMasses "Two masses on one rod, pushed from the left"
  parameter Real m = 1, F = 3;
  Real x1(start = 0), v1(start = 0), x2, v2, R "force in the rod";
equation
  der(x1) = v1;
  der(x2) = v2;
  m*der(v1) = F - R;
  m*der(v2) = R;
  x2 = x1 + 1;
end TwoMasses;
