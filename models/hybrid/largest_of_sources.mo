model LargestOfSources "n sources, each with an ideal diode to one node: it has the largest of their voltages"
  parameter Integer n = 24;
  parameter Real R(unit = "Ohm") = 10;
  constant Real pi = 3.14159265358979323846;
  Real v[n](each unit = "V"), vd[n](each unit = "V"), id[n](each unit = "A"), s[n], node(unit = "V");
  Boolean off[n];
equation
  for k in 1:n loop
    v[k] = 5 + sin(time + 2*pi*k/n);
    off[k] = s[k] < 0;
    vd[k] = s[k]*(if off[k] then 1 else 0);
    id[k] = s[k]*(if off[k] then 0 else 1);
    v[k] = vd[k] + node;
  end for;
  node = R*sum(id);
  annotation(experiment(StopTime = 7));
end LargestOfSources;
