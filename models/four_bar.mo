// The four-bar linkage: three uniform bars, crank, coupler and rocker, hinged end to end between two fixed pivots at
// (0, 0) and (d, 0). Their angles against the x axis are phi1, phi2, phi3; the loop must close. (Fx, Fy) is the force
// of the rocker on the coupler in their common joint. The crank is the shortest bar and turns fully (Grashof); it is
// spun and driven by a constant torque, under gravity.
//
// Index 3, one degree of freedom (two states: phi1 and its rate are given; the start values of phi2 and phi3 choose
// one of the two ways to assemble the loop).
//
// Source: classical; J. Garcia de Jalon and E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems (1994).
model FourBar "Four-bar linkage: crank, coupler, rocker and ground"
  parameter Real l1(unit = "m") = 1 "crank", l2(unit = "m") = 3 "coupler", l3(unit = "m") = 2.5 "rocker";
  parameter Real d(unit = "m") = 3 "distance of the fixed pivots";
  parameter Real m1(unit = "kg") = 1, m2(unit = "kg") = 3, m3(unit = "kg") = 2.5 "masses of the bars";
  parameter Real tau(unit = "N.m") = 5 "torque on the crank";
  parameter Real g(unit = "m/s2") = 9.81 "gravity, against y";
  Real phi1(unit = "rad", start = 0, fixed = true) "angle of the crank";
  Real phi2(unit = "rad", start = 0.9) "angle of the coupler";
  Real phi3(unit = "rad", start = 1.6) "angle of the rocker";
  Real Fx(unit = "N"), Fy(unit = "N") "force of the rocker on the coupler";
initial equation
  der(phi1) = 8;
equation
  (m1/3 + m2)*l1^2*der(der(phi1)) + m2*l1*l2/2*(cos(phi1 - phi2)*der(der(phi2)) + sin(phi1 - phi2)*der(phi2)^2)
    = tau - (m1/2 + m2)*g*l1*cos(phi1) - l1*sin(phi1)*Fx + l1*cos(phi1)*Fy;
  m2/3*l2^2*der(der(phi2)) + m2*l1*l2/2*(cos(phi1 - phi2)*der(der(phi1)) - sin(phi1 - phi2)*der(phi1)^2)
    = -m2*g*l2/2*cos(phi2) - l2*sin(phi2)*Fx + l2*cos(phi2)*Fy;
  m3/3*l3^2*der(der(phi3)) = -m3*g*l3/2*cos(phi3) + l3*sin(phi3)*Fx - l3*cos(phi3)*Fy;
  l1*cos(phi1) + l2*cos(phi2) = d + l3*cos(phi3);
  l1*sin(phi1) + l2*sin(phi2) = l3*sin(phi3);
  annotation(experiment(StopTime = 2, Tolerance = 1e-6),
             __Driftless(invariants(energy = (m1/3 + m2)*l1^2*der(phi1)^2/2
                                    + m2*l1*l2/2*cos(phi1 - phi2)*der(phi1)*der(phi2)
                                    + m2*l2^2*der(phi2)^2/6 + m3*l3^2*der(phi3)^2/6
                                    + (m1/2 + m2)*g*l1*sin(phi1) + m2*g*l2/2*sin(phi2) + m3*g*l3/2*sin(phi3)
                                    - tau*phi1)));
end FourBar;
