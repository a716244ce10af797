// The spherical pendulum: a point mass on a rigid rod that may swing in all directions, x and y horizontal, z upwards.
// It starts level with the pivot and is pushed sideways: it dives, swings through below and comes up on the other side,
// precessing. Energy and the angular momentum about the vertical are conserved.
//
// Index 3, two degrees of freedom (four states: y, z and their rates are given, x(start) picks the side).
//
// Source: classical; L. D. Landau and E. M. Lifshitz, Mechanics, section 14.
model SphericalPendulum "A point mass on a rigid rod, in three dimensions"
  parameter Real m(unit = "kg") = 1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real L(unit = "m") = 1 "length of the rod";
  Real x(unit = "m", start = 1) "position, horizontal";
  Real y(unit = "m", start = 0, fixed = true) "position, horizontal";
  Real z(unit = "m", start = 0, fixed = true) "position, upwards";
  Real lambda(unit = "N/m", start = 2) "force in the rod, per length";
initial equation
  der(y) = 1.5;
  der(z) = 0;
equation
  m*der(der(x)) = -lambda*x;
  m*der(der(y)) = -lambda*y;
  m*der(der(z)) = -lambda*z - m*g;
  x^2 + y^2 + z^2 = L^2;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6),
             __Driftless(invariants(energy = m*(der(x)^2 + der(y)^2 + der(z)^2)/2 + m*g*z,
                                    momentum = m*(x*der(y) - y*der(x)))));
end SphericalPendulum;
