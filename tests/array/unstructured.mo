// Index 3 and one degree of freedom, but neither variables nor equations show it: with
//
//   z1 = c x1 + s x2,  z3 = c x2 - s x1  (c, s of time),   z2 = C x3 + S x4,  v = C x4 - S x3  (C, S of twice the time)
//
// the equations are z3' = z2 - t, z2' = z1 - exp(-t), z3 = sin(t), v' = z1 - v, mixed in pairs with factors that depend on
// time. Solution: z3 = sin(t), z2 = cos(t) + t, z1 = 1 - sin(t) + exp(-t),
// v = (v0 - 3/2 + t) exp(-t) + 1 + (cos(t) - sin(t))/2.
model Unstructured
  Real x1, x2, x3, x4(start = 2, fixed = true);
equation
  cos(time)*(der(cos(time)*x2 - sin(time)*x1) - cos(2*time)*x3 - sin(2*time)*x4 + time)
    + sin(time)*(cos(time)*x2 - sin(time)*x1 - sin(time)) = 0;
  -sin(time)*(der(cos(time)*x2 - sin(time)*x1) - cos(2*time)*x3 - sin(2*time)*x4 + time)
    + cos(time)*(cos(time)*x2 - sin(time)*x1 - sin(time)) = 0;
  der(cos(2*time)*x3 + sin(2*time)*x4) - cos(time)*x1 - sin(time)*x2 + exp(-time)
    + der(cos(2*time)*x4 - sin(2*time)*x3) + cos(2*time)*x4 - sin(2*time)*x3 - cos(time)*x1 - sin(time)*x2 = 0;
  der(cos(2*time)*x3 + sin(2*time)*x4) - cos(time)*x1 - sin(time)*x2 + exp(-time)
    - (1 + time/4)*(der(cos(2*time)*x4 - sin(2*time)*x3) + cos(2*time)*x4 - sin(2*time)*x3 - cos(time)*x1 - sin(time)*x2) = 0;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Unstructured;
