model Grazing "a straight path beside a circle: how often is its border crossed?"
  parameter Real radius(unit = "m") = 1, distance(unit = "m") = 1 "of the path from the centre";
  Real x(unit = "m", start = -2, fixed = true), y(unit = "m", start = distance, fixed = true);
  Integer crossings(start = 0, fixed = true);
  Boolean inside;
equation
  der(x) = 1;
  der(y) = 0;
  inside = x^2 + y^2 < radius^2;
  when change(inside) then
    crossings = pre(crossings) + 1;
  end when;
  annotation(experiment(StopTime = 4));
end Grazing;
