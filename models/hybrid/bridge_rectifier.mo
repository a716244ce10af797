model BridgeRectifier "four ideal diodes and a resistor: the load gets |v|"
  parameter Real R(unit = "Ohm") = 10, A(unit = "V") = 5, f(unit = "Hz") = 1;
  constant Real pi = 3.14159265358979323846;
  Real v(unit = "V") "of the source, from node a to node b", i(unit = "A") "of the source";
  Real vl(unit = "V") "of the load, from node p to node n", il(unit = "A");
  Real vd[4](each unit = "V"), id[4](each unit = "A") "diodes from a to p, from b to p, from n to a, from n to b";
  Real s[4] "the voltage of a diode that blocks, the current of one that conducts";
  Boolean off[4];
equation
  v = A*sin(2*pi*f*time);
  for k in 1:4 loop
    off[k] = s[k] < 0;
    vd[k] = s[k]*(if off[k] then 1 else 0);
    id[k] = s[k]*(if off[k] then 0 else 1);
  end for;
  i = id[1] - id[3];
  -i = id[2] - id[4];
  il = id[1] + id[2];
  v = vd[1] - vd[2];
  v = vd[4] - vd[3];
  vl = -vd[1] - vd[3];
  vl = R*il;
  annotation(experiment(StopTime = 2.3));
end BridgeRectifier;
