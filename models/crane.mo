// The gantry crane, solved backwards: the load is told where to be, and the forces of trolley and winch that bring it
// there are asked for. The trolley stands at s on its rail, the load hangs at (x, z) on a rope of length r, x along the
// rail and z downwards. Within Te = 10 s the load moves 5 m to the right while it is lifted by 2 m, from rest to rest
// along a polynomial whose first four derivatives vanish at both ends.
//
// Index 5, no state: the load's path gives, differentiated twice, the rope's force and the trolley's position, and
// those, differentiated twice again, the forces. Closed form: s = x + z x''/(g - z''), T = m r (g - z'')/z.
//
// Source: W. Blajer and K. Kolodziejczyk, A geometric approach to solving problems of control constraints: theory and a
// DAE framework, Multibody Syst. Dyn. 11 (2004) 343-364 (overhead crane).
model Crane "A crane whose load follows a given path: which forces are needed?"
  parameter Real M(unit = "kg") = 10 "mass of the trolley";
  parameter Real Mw(unit = "kg") = 1 "inertia of the winch, as seen by the rope";
  parameter Real m(unit = "kg") = 100 "mass of the load";
  parameter Real g(unit = "m/s2") = 9.81 "gravity, along z";
  parameter Real Te(unit = "s") = 10 "duration of the move";
  parameter Real x1(unit = "m") = 5 "where the load goes, along the rail";
  parameter Real z0(unit = "m") = 4, z1(unit = "m") = 2 "its depth before and after";
  Real sigma(start = 0) "progress along the path, from 0 to 1";
  Real x(unit = "m", start = 0), z(unit = "m", start = 4) "load";
  Real s(unit = "m", start = 0) "trolley";
  Real r(unit = "m", start = 4) "length of the rope";
  Real T(unit = "N", start = 981) "force in the rope";
  Real F(unit = "N", start = 0) "force that drives the trolley";
  Real W(unit = "N", start = 981) "force of the winch on the rope";
equation
  sigma = (time/Te)^5*(126 - 420*(time/Te) + 540*(time/Te)^2 - 315*(time/Te)^3 + 70*(time/Te)^4);
  x = x1*sigma;
  z = z0 + (z1 - z0)*sigma;
  m*der(der(x)) = -T*(x - s)/r;
  m*der(der(z)) = m*g - T*z/r;
  M*der(der(s)) = F + T*(x - s)/r;
  Mw*der(der(r)) = T - W;
  (x - s)^2 + z^2 = r^2;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Crane;
