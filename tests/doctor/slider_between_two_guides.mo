// Two guides that agree where the slider is on one of them.
// expects: index 3, 2 degrees of freedom
// expects: it holds wherever the others do; not unique
model SliderBetweenTwoGuides
  Real x(start = 0.5), y(start = 0), vx(start = 0), l1, l2;
  Real wrong[2] = {x - 0.5*cos(time), y};
equation
  der(x) = vx;
  der(vx) = -x - 2*x*y*l2;
  der(der(y)) = -9.81 - l1 - (1 + x^2)*l2;
  y = 0;
  (1 + x^2)*y = 0;
end SliderBetweenTwoGuides;
