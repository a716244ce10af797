// The slider-crank mechanism of every engine: a crank of radius r turns about the origin, a rod of length l joins its
// pin to a slider (the piston) on the x axis. The crank has the angle alpha, the rod the centre (x, y) and the angle
// beta, the slider the position s. (Fx, Fy) is the force of the crank on the rod, (Hx, Hy) that of the slider on the
// rod. No drive: the crank is spun, and slows down and speeds up as rod and slider take up and return energy.
//
// Index 3, one degree of freedom (two states: alpha and its rate are given). The start is a dead point: there the
// slider's position s cannot serve as the state.
//
// Source: classical; E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989).
model SliderCrank "Crank, connecting rod and slider"
  parameter Real r(unit = "m") = 0.1 "crank radius", l(unit = "m") = 0.3 "length of the rod";
  parameter Real m1(unit = "kg") = 0.6 "mass of the crank, a uniform bar";
  parameter Real J1(unit = "kg.m2") = 0.01 "inertia of crank and flywheel about the pivot";
  parameter Real m2(unit = "kg") = 0.4 "mass of the rod", J2(unit = "kg.m2") = 0.003 "inertia of the rod";
  parameter Real m3(unit = "kg") = 0.5 "mass of the slider";
  parameter Real g(unit = "m/s2") = 9.81 "gravity, against y";
  Real alpha(unit = "rad", start = 0, fixed = true) "angle of the crank";
  Real x(unit = "m", start = 0.25) "centre of the rod", y(unit = "m", start = 0) "centre of the rod";
  Real beta(unit = "rad", start = 0) "angle of the rod";
  Real s(unit = "m", start = 0.4) "position of the slider";
  Real Fx(unit = "N"), Fy(unit = "N") "force of the crank on the rod";
  Real Hx(unit = "N"), Hy(unit = "N") "force of the slider on the rod";
initial equation
  der(alpha) = 20;
equation
  J1*der(der(alpha)) = r*sin(alpha)*Fx - r*cos(alpha)*Fy - m1*g*r/2*cos(alpha);
  m2*der(der(x)) = Fx + Hx;
  m2*der(der(y)) = Fy + Hy - m2*g;
  J2*der(der(beta)) = l/2*(sin(beta)*(Fx - Hx) - cos(beta)*(Fy - Hy));
  m3*der(der(s)) = -Hx;
  x - l/2*cos(beta) = r*cos(alpha);
  y - l/2*sin(beta) = r*sin(alpha);
  x + l/2*cos(beta) = s;
  y + l/2*sin(beta) = 0;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6),
             __Driftless(invariants(energy = J1*der(alpha)^2/2 + m2*(der(x)^2 + der(y)^2)/2 + J2*der(beta)^2/2
                                    + m3*der(s)^2/2 + m1*g*r/2*sin(alpha) + m2*g*y),
                         animation(points(pivot = {0, 0}, slider = {s, 0}), circles(path = {0, 0, r}),
                                   lines(crank = {{0, 0}, {r*cos(alpha), r*sin(alpha)}},
                                         rod = {{r*cos(alpha), r*sin(alpha)}, {s, 0}}))));
end SliderCrank;
