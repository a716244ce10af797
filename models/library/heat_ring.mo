model HeatRing "Bodies in a ring: the temperature evens out wave by wave"
  import Driftless.Thermal.*;
  constant Real pi = 3.141592653589793;
  parameter Integer n = 12 "Bodies";
  HeatCapacitor body[n](each C = 2, T(start = {300 + 10*cos(2*pi*k/n) + 5*sin(6*pi*k/n) for k in 1:n}, each fixed = true));
  ThermalConductor link[n](each G = 3);
equation
  for k in 1:n loop
    connect(body[k].port, link[k].port_a);
    connect(link[k].port_b, body[mod(k, n) + 1].port);
  end for;
  annotation(experiment(StopTime = 2));
end HeatRing;
