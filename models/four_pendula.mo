// Four pendula in cascade: the rod force of each sets the length of the next. Coordinates (x, y), (u, v), (p, q) and
// (r, s) with y, v, q, s downwards; the rod forces are lam, mu, nu, xi.
//
// Index 9, eight states: the first length is differentiated eight times.
//
// Source: as two_pendula.mo (Nedialkov and Pryce 2005); initial data: everything at rest.
model FourPendula "Four pendula: each rod force sets the length of the next rod"
  parameter Real G = 9.8, L = 1, c = 0.1;
  Real x(start = 0.1, fixed = true), y(start = 0.995), vx(start = 0, fixed = true), vy(start = 0);
  Real lam(start = 9.75);
  Real u(start = -0.2, fixed = true), v(start = 1.96), vu(start = 0, fixed = true), vv(start = 0);
  Real mu(start = 4.8);
  Real p(start = 0.15, fixed = true), q(start = 1.47), vp(start = 0, fixed = true), vq(start = 0);
  Real nu(start = 6);
  Real r(start = -0.15, fixed = true), s(start = 1.6), vr(start = 0, fixed = true), vs(start = 0);
  Real xi(start = 6);
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
  der(r) = vr;
  der(s) = vs;
  der(vr) + xi*r = 0;
  der(vs) + xi*s - G = 0;
  r^2 + s^2 - (L + c*nu)^2 = 0;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
             __Driftless(invariants(energy = (vx^2 + vy^2)/2 - G*y)));
end FourPendula;
