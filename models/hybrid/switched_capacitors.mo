model SwitchedCapacitors "an ideal switch joins two charged capacitors: the charge is kept, energy is lost"
  parameter Real C1(unit = "F") = 1e-6, C2(unit = "F") = 2e-6, R(unit = "Ohm") = 1e3, closes(unit = "s") = 1e-3;
  Real v1(unit = "V", start = 5, fixed = true), v2(unit = "V", start = -1, fixed = true);
  Real i(unit = "A") "through the switch";
  Real energy(unit = "J") = (C1*v1^2 + C2*v2^2)/2;
  Boolean closed = time >= closes;
equation
  C1*der(v1) = -i - v1/R;
  C2*der(v2) = i;
  if closed then
    v1 = v2;
  else
    i = 0;
  end if;
  annotation(experiment(StopTime = 5e-3));
end SwitchedCapacitors;
