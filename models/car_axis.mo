// Car axis: a bar of mass M and length L rests on two massless springs. The left wheel stays at the origin, the right
// one follows a bumpy road, so the distance of the wheels is kept by a moving point (xb, yb). The left spring stands
// perpendicular to the line through the wheels; the bar keeps its length.
//
// Index 3, two degrees of freedom (four states). The hidden constraints contain the derivatives of the road.
//
// Source: Test Set for IVP Solvers, release 2.4 (Mazzia and Magherini 2008), problem "Car axis".
model CarAxis "A car axis on a bumpy road"
  parameter Real L = 1, L0 = 0.5, eps = 0.01, M = 10, h = 0.1, omega = 10, g = 1;
  Real xl(start = 0), yl(start = 0.5, fixed = true);
  Real xr(start = 1), yr(start = 0.5, fixed = true);
  Real vxl(start = -0.5), vyl(start = 0, fixed = true);
  Real vxr(start = -0.5), vyr(start = 0, fixed = true);
  Real lam1(start = 0), lam2(start = 0);
  Real xb(start = 1), yb(start = 0), Ll(start = 0.5), Lr(start = 0.5);
equation
  yb = h*sin(omega*time);
  xb = sqrt(L^2 - yb^2);
  Ll = sqrt(xl^2 + yl^2);
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  der(xl) = vxl;
  der(yl) = vyl;
  der(xr) = vxr;
  der(yr) = vyr;
  eps^2*M/2*der(vxl) = (L0 - Ll)*xl/Ll + lam1*xb + 2*lam2*(xl - xr);
  eps^2*M/2*der(vyl) = (L0 - Ll)*yl/Ll + lam1*yb + 2*lam2*(yl - yr) - eps^2*M/2*g;
  eps^2*M/2*der(vxr) = (L0 - Lr)*(xr - xb)/Lr - 2*lam2*(xl - xr);
  eps^2*M/2*der(vyr) = (L0 - Lr)*(yr - yb)/Lr - 2*lam2*(yl - yr) - eps^2*M/2*g;
  xl*xb + yl*yb = 0;
  (xl - xr)^2 + (yl - yr)^2 = L^2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-6));
end CarAxis;
