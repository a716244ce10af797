// A counterflow heat exchanger in N cells, with a wall between hot and cold water and a heat transfer that grows with
// the temperature; the hot inlet jumps smoothly. Flows of heat are variables of their own.
//
// Index 1, 3 N states.
model HeatExchanger "Counterflow, wall with its own heat"
  parameter Integer N = 8;
  parameter Real mh = 2, mc = 1.5, Ch = 1, Cc = 1.2, Cw = 0.3, U = 1.5, b = 0.01;
  Real Th[N](each start = 60, each fixed = true, each nominal = 50), Tc[N](each start = 20, each fixed = true,
    each nominal = 50);
  Real Tw[N](each start = 40, each fixed = true, each nominal = 50), qh[N], qc[N], Tin;
equation
  Tin = 70 + 10*tanh(2*(time - 3));
  for i in 1:N loop
    qh[i] = U*(1 + b*(Th[i] - 20))*(Th[i] - Tw[i]);
    qc[i] = U*(1 + b*(Tc[i] - 20))*(Tw[i] - Tc[i]);
    Ch*der(Th[i]) = mh*((if i == 1 then Tin else Th[max(i - 1, 1)]) - Th[i]) - qh[i];
    Cc*der(Tc[i]) = mc*((if i == N then 15 else Tc[min(i + 1, N)]) - Tc[i]) + qc[i];
    Cw*der(Tw[i]) = qh[i] - qc[i];
  end for;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end HeatExchanger;
