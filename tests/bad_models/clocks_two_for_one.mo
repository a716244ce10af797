// Equations tie x and y together, so one clock says when both hold.
model TwoClocks
  Real x, y;
equation
  when Clock(0.1) then
    x = previous(x) + 1;
  end when;
  when Clock(0.2) then
    y = x;
  end when;
end TwoClocks;
