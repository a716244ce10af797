// The combination has a factor that depends on time: the second equation is 1 + time^2 times the first, and y - cos(time).
// expects: index 1, 1 degree of freedom
model FactorsOfTime
  Real x(start = 0, fixed = true), y;
  Real wrong[2] = {y - cos(time), x - (sin(time) - time*cos(time))};
equation
  der(x) + time*der(y) = 0;
  (1 + time^2)*der(x) + (time + time^3)*der(y) = y - cos(time);
end FactorsOfTime;
