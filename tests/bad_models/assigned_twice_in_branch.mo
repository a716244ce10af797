model M
  Integer n[2];
equation
  when time > 1 then
    n = {1, 2};
    n[2] = 3;
  end when;
end M;
