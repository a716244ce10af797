// Three inverters of CMOS transistors in a row, with the interpolation of Enz, Krummenacher and Vittoz (1995) between weak
// inversion, where the current is exponential, and strong inversion: log(1 + exp(x))^2.
//
// Index 1, three states (load capacitances).
model CmosInverters "Three inverters, exponential below the threshold"
  parameter Integer N = 3;
  parameter Real Vdd = 1.8, C = 1e-14, Ip = 4e-7, In = 1e-6, Vth = 0.45, n = 1.3, vt = 0.02585;
  Real u, v[N], jn[N], jp[N];
  function channel "current, by voltages against the bulk"
    input Real vg, vs, vd, I, Vth, n, vt;
    output Real i;
  algorithm
    i := I*(log(1 + exp(((vg - Vth)/n - vs)/(2*vt)))^2 - log(1 + exp(((vg - Vth)/n - vd)/(2*vt)))^2);
  end channel;
equation
  u = Vdd*(1/(1 + exp(-(time - 1e-9)/5e-11)) - 1/(1 + exp(-(time - 3e-9)/5e-11)));
  for k in 1:N loop
    jn[k] = channel(if k == 1 then u else v[k - 1], 0, v[k], In, Vth, n, vt);
    jp[k] = channel(if k == 1 then Vdd - u else Vdd - v[k - 1], 0, Vdd - v[k], Ip, Vth, n, vt);
    C*der(v[k]) = jp[k] - jn[k];
  end for;
  annotation(experiment(StopTime = 5e-9, Tolerance = 1e-6));
end CmosInverters;
