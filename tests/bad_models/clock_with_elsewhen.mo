// Two clocks are two when clauses.
model Elsewhen
  Real u;
equation
  when Clock(0.1) then
    u = 1;
  elsewhen Clock(0.2) then
    u = 2;
  end when;
end Elsewhen;
