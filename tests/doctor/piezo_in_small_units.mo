// Lengths of 1e-6 m, stiffness of 1e7 N/m: the law of the amplifier prescribes the motion, so nothing is free.
// expects failure: the fixed start x = 2e-06 contradicts the equations
// expects start: fix fixed = true of x
// expects start: fix fixed = true of v
// expects start: fix holds
model PiezoInSmallUnits
  Real x(start = 2e-6, fixed = true), v(start = 0, fixed = true), F(start = 0), xs(start = 1e-6), u;
equation
  der(x) = v;
  1e-3*der(v) = F - 1e7*(x - 1e-6);
  F = 1e7*(xs - x);
  u = 1e6*xs;
  u = 3 + 0.1*F;
end PiezoInSmallUnits;
