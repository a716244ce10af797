model ThreePhaseBridge "six ideal thyristors between three phases and a load with an inductor"
  parameter Real A(unit = "V") = 100, f(unit = "Hz") = 1, R(unit = "Ohm") = 1, L(unit = "H") = 0.5;
  parameter Real alpha(unit = "rad") = 0.5 "firing angle, behind the instant at which a diode would begin to conduct";
  constant Real pi = 3.14159265358979323846;
  Real v[3](each unit = "V") "of the phases", vp(unit = "V"), vn(unit = "V"), vl(unit = "V");
  Real il(unit = "A", start = 0, fixed = true) "current of the load";
  Real angle[3](each unit = "rad"), s[6], vd[6](each unit = "V"), id[6](each unit = "A");
  Boolean off[6](each start = true), fire[6];
equation
  for k in 1:3 loop
    angle[k] = 2*pi*f*time - 2*pi*(k - 1)/3;
    v[k] = A*sin(angle[k]);
    fire[k] = cos(angle[k] - alpha - pi/3) > cos(pi/6);
    fire[k + 3] = -cos(angle[k] - alpha - pi/3) > cos(pi/6);
    vd[k] = v[k] - vp;
    vd[k + 3] = vn - v[k];
  end for;
  for k in 1:6 loop
    off[k] = s[k] < 0 or pre(off[k]) and not fire[k];
    vd[k] = s[k]*(if off[k] then 1 else 0);
    id[k] = s[k]*(if off[k] then 0 else 1);
  end for;
  il = id[1] + id[2] + id[3];
  il = id[4] + id[5] + id[6];
  vl = vp - vn;
  vl = R*il + L*der(il);
  annotation(experiment(StopTime = 3));
end ThreePhaseBridge;
