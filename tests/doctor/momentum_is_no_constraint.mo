// The sum of the momenta follows from the equations of motion: the force between the bodies is not determined by it.
// expects error: the equations line 8, line 9 and line 10 do not determine der(vx), der(vy) and f
// expects error: follows from the others
model MomentumIsNoConstraint
  Real x(start = 1), y(start = -1), vx, vy, f;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = f;
  der(vy) = -f;
  vx + vy = 0;
end MomentumIsNoConstraint;
