model LagrangianConstraintIsACondition
  Real x(start = 1), y(start = 0, fixed = true);
  annotation(__Driftless(lagrangian = (der(x)^2 + der(y)^2)/2 - y,
                         coordinates = {x, y},
                         constraints = {x^2 + y^2 <= 1}));
end LagrangianConstraintIsACondition;
