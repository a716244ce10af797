// Every branch gives every variable of the clause a value.
model M
  Boolean on;
  Integer n;
equation
  when time > 1 then
    on = true;
    n = pre(n) + 1;
  elsewhen time > 2 then
    on = false;
  end when;
end M;
