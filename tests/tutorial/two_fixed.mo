model TwoFixed "Two masses on one rod, with both positions prescribed, and not one apart"
  Real x1(start = 0, fixed = true), v1(start = 0, fixed = true), x2(start = 2, fixed = true), v2, R "force in the rod";
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 3 - R;
  der(v2) = R;
  x2 = x1 + 1;
end TwoFixed;
