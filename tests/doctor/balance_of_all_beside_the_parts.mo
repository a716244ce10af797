// The balance of the whole exchanger follows from those of its cells.
// expects error: line 17: Qtot = m*cp*(353 - Th[3]) - m*cp*sum(der(Th)) follows from
// expects error: line 16: remove it, or one of these
model BalanceOfAllBesideTheParts
  parameter Real m = 0.5, cp = 4180, UA = 2000;
  Real Th[3](each start = 330), Tc[3](each start = 300), Q[3], Qtot;
equation
  Q[1] = UA/3*(Th[1] - Tc[1]);
  Q[2] = UA/3*(Th[2] - Tc[2]);
  Q[3] = UA/3*(Th[3] - Tc[3]);
  m*cp*der(Th[1]) = m*cp*(353 - Th[1]) - Q[1];
  m*cp*der(Th[2]) = m*cp*(Th[1] - Th[2]) - Q[2];
  m*cp*der(Th[3]) = m*cp*(Th[2] - Th[3]) - Q[3];
  m*cp*der(Tc[1]) = m*cp*(Tc[2] - Tc[1]) + Q[1];
  m*cp*der(Tc[2]) = m*cp*(Tc[3] - Tc[2]) + Q[2]; m*cp*der(Tc[3]) = m*cp*(293 - Tc[3]) + Q[3];
  Qtot = sum(Q);
  Qtot = m*cp*(353 - Th[3]) - m*cp*sum(der(Th));
end BalanceOfAllBesideTheParts;
