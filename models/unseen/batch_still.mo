// Batch distillation of benzene, toluene and o-xylene at 760 mm Hg: the liquid boils, so its temperature follows from
// sum x_i p_i(T) = p with Antoine's vapour pressures; heat makes vapour, V = Q/H.
//
// Index 1, three states (moles n). Antoine's constants (mm Hg, deg C, log10) as in Lange's Handbook of Chemistry,
// 13th edition, McGraw-Hill 1985; the heat of vaporization is held constant.
model BatchStill "Boiling mixture of three components"
  parameter Real A[3] = {6.90565, 6.95464, 6.99891}, B[3] = {1211.033, 1344.8, 1474.679}, C[3] = {220.79, 219.482,
    213.686};
  parameter Real p = 760, Q = 40, H = 33;
  Real n[3](start = {10, 6, 4}, each fixed = true), x[3](each start = 0.3), y[3](each start = 0.3);
  Real T(start = 95, nominal = 100), V, N(start = 20);
equation
  N = n[1] + n[2] + n[3];
  V = Q/H;
  for i in 1:3 loop
    n[i] = x[i]*N;
    y[i]*p = x[i]*exp(2.302585092994046*(A[i] - B[i]/(T + C[i])));
    der(n[i]) = -V*y[i];
  end for;
  y[1] + y[2] + y[3] = 1;
  annotation(experiment(StopTime = 12, Tolerance = 1e-6));
end BatchStill;
