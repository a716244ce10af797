// Three pendula in cascade: rod force lam of the first sets the length of the second, mu of the second that of the
// third. Coordinates (x, y), (u, v), (p, q) with y, v, q downwards; the rod forces are lam, mu, nu.
//
// Index 7, six states: the first length is differentiated six times.
//
// Source: as two_pendula.mo (Nedialkov and Pryce 2005); initial data: everything at rest.
model ThreePendula "Three pendula: each rod force sets the length of the next rod"
  parameter Real G = 9.8, L = 1, c = 0.1;
  Real x(start = 0.28, fixed = true), y(start = 0.96), vx(start = 0, fixed = true), vy(start = 0);
  Real lam(start = 9.4);
  Real u(start = -0.543424, fixed = true), v(start = 1.863168), vu(start = 0, fixed = true), vv(start = 0);
  Real mu(start = 3.7);
  Real p(start = 0.38314092003297612, fixed = true), q(start = 1.3136), vp(start = 0, fixed = true), vq(start = 0);
  Real nu(start = 3.5);
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
  der(p) = vp;
  der(q) = vq;
  der(vp) + nu*p = 0;
  der(vq) + nu*q - G = 0;
  p^2 + q^2 - (L + c*mu)^2 = 0;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
             __Driftless(invariants(energy = (vx^2 + vy^2)/2 - G*y)));
end ThreePendula;
