// A count that begins at itself.
model M
  Integer n;
equation
  when sample(0, 1) then
    n = n + 1;
  end when;
end M;
