// Two pendula in cascade: the first swings as usual; its rod force lam lengthens the rod of the second. Coordinates
// (x, y) and (u, v) with y and v downwards; the rod forces are lam and mu.
//
// Index 5, four states: the first length is differentiated four times, the second twice.
//
// Source: N. Nedialkov and J. Pryce, Solving differential-algebraic equations by Taylor series (I): computing Taylor
// coefficients, BIT 45 (2005) 561-591; initial data: everything at rest.
model TwoPendula "Two pendula: the rod force of the first sets the length of the second"
  parameter Real G = 9.8, L = 1, c = 0.1;
  Real x(start = 0.6, fixed = true), y(start = 0.8), vx(start = 0, fixed = true), vy(start = 0);
  Real lam(start = 7.84);
  Real u(start = 1.0704, fixed = true), v(start = 1.4272), vu(start = 0, fixed = true), vv(start = 0);
  Real mu(start = -1.4);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) + lam*x = 0;
  der(vy) + lam*y - G = 0;
  x^2 + y^2 - L^2 = 0;
  der(u) = vu;
  der(v) = vv;
  der(vu) + mu*u = 0;
  der(vv) + mu*v - G = 0;
  u^2 + v^2 - (L + c*lam)^2 = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8),
             __Driftless(invariants(energy = (vx^2 + vy^2)/2 - G*y)));
end TwoPendula;
