within Driftless;
package Hydraulic "Incompressible flow: tanks, pipes, orifices, pumps, cylinders"
  import SI = Modelica.Units.SI;

  connector Port "Pressure, and the volume flow into the part"
    SI.Pressure p;
    flow SI.VolumeFlowRate q;
  end Port;

  partial model TwoPort "The volume that enters port_a leaves port_b"
    Port port_a, port_b;
    SI.VolumeFlowRate q "From port_a to port_b";
    SI.Pressure dp "port_a.p - port_b.p";
  equation
    dp = port_a.p - port_b.p;
    port_a.q = q;
    port_b.q = -q;
  end TwoPort;

  model Ambient "A port at a constant pressure"
    parameter SI.Pressure p = 0;
    Port port;
  equation
    port.p = p;
  end Ambient;

  model Tank "An open tank: A*der(h) = port.q, port.p = rho*g*h"
    parameter SI.Area A = 1;
    parameter SI.Density rho = 1000;
    parameter SI.Acceleration g = 9.81;
    parameter SI.Height h_start = 1 "Level at the start";
    SI.Height h(start = h_start, fixed = true);
    Port port;
  equation
    A*der(h) = port.q;
    port.p = rho*g*h;
  end Tank;

  model LaminarPipe "dp = R*q"
    extends TwoPort;
    parameter Real R(unit = "Pa.s/m3") = 1e6;
  equation
    dp = R*q;
  end LaminarPipe;

  model Inertance "dp = I*der(q): the mass of the liquid in a pipe"
    extends TwoPort(q(start = 0));
    parameter Real I(unit = "kg/m4") = 1e6;
  equation
    dp = I*der(q);
  end Inertance;

  model Orifice "q = Cd*A*sqrt(2*dp/rho), of either sign; linear below the pressure dp_small"
    extends TwoPort;
    parameter SI.Area A = 1e-4;
    parameter Real Cd = 0.6;
    parameter SI.Density rho = 1000;
    parameter SI.Pressure dp_small = 1;
  equation
    q = Cd*A*sqrt(2/rho)*dp/(dp^2 + dp_small^2)^0.25;
  end Orifice;

  model Accumulator "C*der(p) = q: the volume grows with the pressure"
    parameter Real C(unit = "m3/Pa") = 1e-9;
    parameter SI.Pressure p_start = 0;
    SI.Pressure p(start = p_start, fixed = true);
    Port port;
  equation
    p = port.p;
    C*der(p) = port.q;
  end Accumulator;

  model Pump "A constant volume flow from port_a to port_b"
    extends TwoPort;
    parameter SI.VolumeFlowRate Q = 1e-4;
  equation
    q = Q;
  end Pump;

  model CheckValve "Opens (s > 0 is the flow) and closes (s < 0 is the difference of pressures)"
    extends TwoPort;
    Boolean closed(start = true);
    Real s(start = 0) "Scaled by the units q0 and p0";
    parameter SI.VolumeFlowRate q0 = 1e-4;
    parameter SI.Pressure p0 = 1e5;
  equation
    closed = s < 0;
    dp = p0*(if closed then s else 0);
    q = q0*(if closed then 0 else s);
  end CheckValve;

  model Cylinder "A piston of area A: the volume flow moves the flange, the pressure pushes it"
    parameter SI.Area A = 1e-3;
    Port port;
    Translational.Flange flange;
  equation
    port.q = A*der(flange.s);
    flange.f = -A*port.p;
  end Cylinder;
end Hydraulic;
