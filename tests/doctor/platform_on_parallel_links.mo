// A plate on three parallel links of equal length: two of them hold it, the third follows, but only where the plate stays
// parallel. The plate moves like a pendulum, and the links share the load.
// expects: index 3, 2 degrees of freedom
// expects: line 18 is left out: it holds wherever the others do; not unique, and taken as small as possible: l1, l2, l3
model PlatformOnParallelLinks
  parameter Real m = 2, J = 0.3, g = 9.81, h = 0.5;
  Real x(start = 0.6), y(start = -0.8), phi(start = 0), vx, vy, l1, l2, l3;
  Real wrong[4] = {phi, l1 + l2 - 2*l3, ((vx^2 + vy^2)/2 + g*y + 0.8*g)/g, x*vx + y*vy};
equation
  vx = der(x);
  vy = der(y);
  m*der(vx) = -l1*(x - h*cos(phi) + h) - l2*(x + h*cos(phi) - h) - l3*x;
  m*der(vy) = -m*g - l1*(y - h*sin(phi)) - l2*(y + h*sin(phi)) - l3*y;
  J*der(der(phi)) = -l1*h*((x - h*cos(phi) + h)*sin(phi) - (y - h*sin(phi))*cos(phi))
    + l2*h*((x + h*cos(phi) - h)*sin(phi) - (y + h*sin(phi))*cos(phi));
  (x - h*cos(phi) + h)^2 + (y - h*sin(phi))^2 = 1;
  (x + h*cos(phi) - h)^2 + (y + h*sin(phi))^2 = 1;
  x^2 + y^2 = 1;
end PlatformOnParallelLinks;
