// Both equations are for v.
model Surplus
  Clock c = Clock(0.1);
  Real v = sample(time, c);
equation
  when c then
    v = previous(v) + 1;
  end when;
end Surplus;
