// Lubich's example: two variables are zero, and the third moves by the area that they sweep, which is zero as well.
//
// Differentiation index 1: der(y1) = 0 follows from one differentiation of y2 = 0 and y3 = 0. Perturbation index 2: if
// the last two equations are disturbed by eps sin(w t) and eps cos(w t), the area grows like eps^2 w t.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, equation (1.31).
model Lubich "The perturbation index is larger than the differentiation index"
  Real y1(start = 0, fixed = true) "the area";
  Real y2, y3;
equation
  der(y1) - y3*der(y2) + y2*der(y3) = 0;
  y2 = 0;
  y3 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Lubich;
