model BoundaryOneEqualSign
  Real x(start = 1, fixed = true), v;
equation
  der(x) = v;
  der(v) = -x;
  annotation(__Driftless(finalEquations(x = 1)));
end BoundaryOneEqualSign;
