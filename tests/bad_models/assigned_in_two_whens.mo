model M
  Boolean on;
equation
  when time > 1 then
    on = true;
  end when;
  when time > 2 then
    on = false;
  end when;
end M;
