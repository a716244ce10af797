// In the dead centre of a slider-crank the slider has no speed, and the angle says where it is.
// expects failure: hold together
// expects start: fix fixed = true of v
// expects start: fix fixed = true of x
// expects start: fix v(start = 0)
// expects start: fix holds
model CrankAndSliderAllFixed
  Real phi(start = 0, fixed = true), x(start = 3, fixed = true), w(start = 10, fixed = true);
  Real v(start = 1, fixed = true), y, l;
equation
  der(phi) = w;
  der(x) = v;
  der(w) = -l*((x - cos(phi))*sin(phi) + sin(phi)*cos(phi));
  der(v) = l*(cos(phi) - x) - 0.1*v;
  y = sin(phi);
  (cos(phi) - x)^2 + y^2 = 4;
end CrankAndSliderAllFixed;
