model M
  Real u;
equation
  when noEvent(sample(0, 1)) then
    u = time;
  end when;
end M;
