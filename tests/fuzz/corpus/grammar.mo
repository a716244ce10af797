within A.B;
encapsulated package P "every production once"
  import SI = Modelica.Units.SI;
  import A.*;
  import A.B.{C, D};
  type E = enumeration(one "first", two annotation(x = 1), three);
  type Open = enumeration(:);
  type V3 = Real[3](each unit = "m", min = {0, 0, 0});
  function f_x = der(f, x);
  connector Pin Real v; flow Real i; stream Real h; end Pin;
  expandable connector Bus end Bus;
  operator record Complex Real re; operator 'constructor' function fromReal input Real r; end fromReal; end 'constructor'; end Complex;
  pure function f input Real x; output Real y; protected Real z[:]; external "C" y = c_f(x, size(z, 1)) annotation(Library = "m"); end f;
  partial model Base replaceable package M = N constrainedby O(x = 1) "comment"; end Base;
  model M
    extends Base(redeclare package M = Water(p(start = 1)), break c, break connect(p, q.n)) annotation(a = 1);
    redeclare final inner outer parameter Real a[2, :](each start = 1, final fixed = {true}, p.q(r = 2) "deep") = f(n) "a" + "b", b = break;
    A x(redeclare each final Real r[2] = 1, replaceable model R = S constrainedby T) if use_x;
  protected
    discrete input Real u; constant Integer n = 3;
  initial equation
    der(x) = 0;
  equation
    a + b .* c = -x ^ 2 / (3 - y[end, :, 1:2:end - 1].z) "sum" annotation(e = 1);
    if a and not b or c <> d then x = 1; elseif b then x = 2; else connect(p.a[1], q); end if;
    for i in 1:n, j loop x[i, j] = sum(k ^ 2 for k in 1:i); end for;
    when {time > 1, initial()} then reinit(x, 0); elsewhen sample(0, 1) then y = pre(y); end when;
    (u, , v) = g(function h.k(a = 1), {i * j for i in 1:2, j in {1, 2}}, [1, 2; 3, 4], n = (a, b)[1]);
    x = if a then 1 elseif b then 2 else if c then 3 else (z).re;
  algorithm
    x[2].y := 3 "set";
    (a, , b[1]) := f(x);
    while x < 3 loop x := x + 1; if a then break; else return; end if; end while;
    annotation(experiment(StopTime = 10, Tolerance = 1e-6));
  end M;
end P;
