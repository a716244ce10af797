model TwoBlocks "a block on a block that is pulled to and fro: they move together until friction is too weak"
  parameter Real m1(unit = "kg") = 1, m2(unit = "kg") = 2, F(unit = "N") = 12, f0(unit = "N") = 3;
  Real v1(unit = "m/s", start = 0, fixed = true), v2(unit = "m/s", start = 0), f(unit = "N") "friction";
  Integer slips(start = 0, fixed = true) "1: the lower block is faster, -1: it is slower";
equation
  m1*der(v1) = f;
  m2*der(v2) = F*sin(time) - f;
  if pre(slips) == 0 then
    v1 = v2;
  else
    f = f0*pre(slips);
  end if;
  slips = if pre(slips) == 0 then (if f > f0 then 1 elseif f < -f0 then -1 else 0)
    elseif pre(slips) == 1 then (if v2 < v1 then 0 else 1) else (if v2 > v1 then 0 else -1);
  annotation(experiment(StopTime = 10));
end TwoBlocks;
