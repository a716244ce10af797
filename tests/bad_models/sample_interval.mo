// The number of events would not be finite.
model M
  parameter Real T = 0;
  Real u;
equation
  when sample(0, T) then
    u = time;
  end when;
end M;
