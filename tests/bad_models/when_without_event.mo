// A relation in noEvent causes no event, so nothing would tell when it becomes true.
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when noEvent(x < 0.5) then
    reinit(x, 1);
  end when;
end M;
