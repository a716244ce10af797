model Events "discrete variables, when clauses, operators of events, if-equations that switch"
  type Gear = enumeration(low, middle, high);
  function f
    input Real x;
    output Real a;
    output Integer b;
  algorithm
    a := if x > 1 then x else 1;
    b := integer(a);
    assert(a > 0, "not positive");
  end f;
  constant String unit = "m";
  parameter String what = "height in " + unit;
  parameter Real T = 0.1, e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), y, z[2](each start = 1);
  Integer n(start = 0, fixed = true), m[Gear], k = integer(h) + sign(v), q = div(n, 2);
  Boolean b = h > 0.5, c(start = true), on[2](start = {true, false}), off;
  Gear gear(start = Gear.middle);
  discrete Real u(start = T), w = 2*u + n;
initial equation
  pre(n) = 3;
  c = true;
  pre(u) = h;
equation
  der(h) = v;
  der(v) = if noEvent(h > 0) then -9.81 else 0;
  der(z) = smooth(0, if h > 1 then {1, 2} else {2, 1});
  if h > 0.2 and b then
    y = mod(time, T);
  elseif edge(b) or change(gear) then
    y = u;
  else
    y = if gear == Gear.low then 1 else rem(v, 2);
    assert(y < 10, "large");
  end if;
  when {h < 0, initial(), v < -1e3} then
    reinit(v, -e*pre(v));
    (u, n) = f(h);
    m = {1, 2, 3};
    if pre(n) > 3 then
      gear = Gear.high;
      terminate("no " + what);
    else
      gear = pre(gear);
    end if;
  elsewhen sample(T, 2*T) then
    reinit(z, {1, 2});
    u = 1;
    n = pre(n) + 1;
    for g in Gear loop
      m[g] = Integer(g) + pre(m[g]);
    end for;
    gear = if pre(gear) == Gear.low then Gear.middle else Gear.low;
  end when;
  for i in 1:2 loop
    when z[i] > i then
      on[i] = not pre(on[i]);
      assert(z[i] < 5, "grown", AssertionLevel.warning);
    end when;
  end for;
  not c = off;
  c = h > 2 or pre(c) and not terminal();
end Events;
