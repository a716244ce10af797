model M
  Integer n, m;
equation
  when sample(0, 1) then
    if pre(n) > 3 then
      n = 0;
      m = 0;
    else
      n = pre(n) + 1;
    end if;
  end when;
end M;
