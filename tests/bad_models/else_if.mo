// `else if` begins a second if; `elseif` is one word.
model Switch
  parameter Integer mode = 1;
  Real x(start = 1, fixed = true);
equation
  if mode == 1 then
    der(x) = -x;
  else if mode == 2 then
    der(x) = x;
  else
    der(x) = 0;
  end if;
end Switch;
