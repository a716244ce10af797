// A pendulum of planar parts: a fixed hinge, a massless rod and a point mass. No part knows that the mass moves on a circle;
// the positions of the connectors say so, and the index is 3. The energy is constant.
package Planar
  connector Frame
    Real r[2](each unit = "m") "position";
    Real phi(unit = "rad") "angle";
    flow Real f[2](each unit = "N") "force";
    flow Real tau(unit = "N.m") "torque";
  end Frame;

  model Hinge "fixed to the world at the origin, free to turn"
    Frame b;
  equation
    b.r = {0, 0};
    b.tau = 0;
  end Hinge;

  model Rod "rigid and massless"
    Frame a;
    Frame b;
    parameter Real L(unit = "m") = 1;
    Real d[2](each unit = "m") "from a to b";
  equation
    d = {L*sin(a.phi), -L*cos(a.phi)};
    b.r = a.r + d;
    b.phi = a.phi;
    a.f + b.f = {0, 0};
    a.tau + b.tau + d[1]*b.f[2] - d[2]*b.f[1] = 0;
  end Rod;

  model PointMass
    Frame a;
    parameter Real m(unit = "kg") = 1;
    parameter Real g(unit = "m/s2") = 9.81;
    Real v[2](each unit = "m/s");
    Real energy(unit = "J") = m*(v*v)/2 + m*g*a.r[2];
  equation
    v = der(a.r);
    m*der(v) = a.f + {0, -m*g};
    a.tau = 0;
  end PointMass;
end Planar;

model PlanarPendulum
  Planar.Hinge hinge(b(phi(start = 1, fixed = true)));
  Planar.Rod rod(L = 2);
  Planar.PointMass mass(m = 3);
  Real w = der(rod.a.phi);
equation
  connect(hinge.b, rod.a);
  connect(rod.b, mass.a);
initial equation
  w = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end PlanarPendulum;
