// A space shuttle on its way back that keeps to prescribed angles of descent and of heading: which angle of attack alpha
// and which bank angle beta does that take? The vehicle is a point with lift and drag above a turning sphere; English
// units, angles in radians except alpha.
//
// Index 2, four states: gamma and A are given, their derivatives determine alpha and beta.
//
// Source: K. E. Brenan, Stability and convergence of difference approximations for higher index differential-algebraic
// systems with applications in trajectory control, thesis, UCLA (1983); K. E. Brenan, S. L. Campbell and L. R. Petzold,
// Numerical solution of initial-value problems in differential-algebraic equations (1989), Chapter 6, where the controls
// start at alpha = 2.6728700742 and beta = -0.0522095862 degrees.
model Reentry "A space shuttle on a prescribed path"
  parameter Real ae(unit = "ft") = 20902900 "radius of the Earth";
  parameter Real mu(unit = "ft3/s2") = 1.407653916e16 "gravity of the Earth";
  parameter Real w(unit = "rad/s") = 7.2921159e-5 "rotation of the Earth";
  parameter Real m = 2.890532728 "mass of the vehicle", S(unit = "ft2") = 1 "area of reference";
  parameter Real rho0 = 0.002378, Hs(unit = "ft") = 23800 "density at sea level, scale height";
  constant Real degree = Modelica.Constants.pi/180;
  Real H(unit = "ft", start = 100000, fixed = true, nominal = 1e5) "altitude";
  Real xi(unit = "rad", start = 0, fixed = true) "longitude", lat(unit = "rad", start = 0, fixed = true) "latitude";
  Real V(unit = "ft/s", start = 12000, fixed = true, nominal = 1e4) "speed";
  Real gamma(unit = "rad", start = -0.0175) "angle of the path against the horizon";
  Real A(unit = "rad", start = 0.785) "heading, from north";
  Real alpha(start = 2.7) "angle of attack, in degrees", beta(unit = "rad", start = 0) "bank angle";
  Real r(unit = "ft", start = 21e6, nominal = 1e7), g(unit = "ft/s2", start = 32), rho(start = 3.6e-5, nominal = 1e-5);
  Real cL(start = 0.027), lift(start = 70, nominal = 100), drag(start = 100, nominal = 100);
equation
  r = ae + H;
  g = mu/r^2;
  rho = rho0*exp(-H/Hs);
  cL = 0.01*alpha;
  lift = rho*S*V^2/2*cL;
  drag = rho*S*V^2/2*(0.04 + 0.1*cL^2);
  der(H) = V*sin(gamma);
  der(xi) = V*cos(gamma)*sin(A)/(r*cos(lat));
  der(lat) = V*cos(gamma)*cos(A)/r;
  der(V) = -drag/m - g*sin(gamma) - w^2*r*cos(lat)*(sin(lat)*cos(A)*cos(gamma) - cos(lat)*sin(gamma));
  der(gamma) = lift*cos(beta)/(m*V) + cos(gamma)/V*(V^2/r - g) + 2*w*cos(lat)*sin(A)
    + w^2*r*cos(lat)/V*(sin(lat)*cos(A)*sin(gamma) + cos(lat)*cos(gamma));
  der(A) = lift*sin(beta)/(m*V*cos(gamma)) + V/r*cos(gamma)*sin(A)*tan(lat)
    - 2*w*(cos(lat)*cos(A)*tan(gamma) - sin(lat)) + w^2*r*cos(lat)*sin(lat)*sin(A)/(V*cos(gamma));
  gamma = -(1 + 9*(time/300)^2)*degree;
  A = (45 + 90*(time/300)^2)*degree;
  annotation(experiment(StopTime = 300, Tolerance = 1e-6));
end Reentry;
