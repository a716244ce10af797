package Everything "what the elaboration has to unroll: functions, arrays, loops, types"
  constant Real a = 2*b;
  constant Real b = 3;
  type Length = Real(unit = "m", min = 0);
  type V3 = Length[3](each start = 1);
  type Color = enumeration(red, green, blue);

  function polynomial
    input Real c[:];
    input Real x = 1;
    output Real y;
    output Real dy;
  protected
    Integer n = size(c, 1);
  algorithm
    y := 0;
    dy := 0;
    for i in n:-1:1 loop
      dy := dy*x + y;
      y := y*x + c[i];
      if y > 1e9 then
        break;
      end if;
    end for;
  end polynomial;

  function root
    input Real a;
    output Real x;
  protected
    Real step = 1;
    Real w[2];
    Integer k = 1;
  algorithm
    x := a;
    w := {x, a};
    while abs(step) > 1e-12 loop
      step := (x^2 - a)/(2*x);
      x := x - step;
      w[1 + mod(k, 2)] := step;
      k := k + 1;
      if k > 50 then
        return;
      end if;
    end while;
    for i in 1:k loop
      x := x + 0*w[min(i, 2)];
    end for;
  end root;

  function factorial
    input Integer n;
    output Integer r;
  algorithm
    if n <= 1 then
      r := 1;
      return;
    end if;
    r := n*factorial(n - 1);
  end factorial;

  model M "a model"
    import Modelica.Constants.pi;
    import SI = Modelica.Units.SI;
    parameter Integer n = 3;
    parameter Boolean fast = n > 2;
    parameter Color color = Color.green;
    parameter SI.Mass m[n] = {i/2 for i in 1:n};
    parameter Real A[:, 3] = [1, 2, 3; 4, 5, 6];
    V3 r(start = {1, 2, 3}), s[2](each fixed = true, each nominal = 2);
    Real x[n](start = linspace(0, 1, n)), y, z[2], w(stateSelect = StateSelect.prefer) = sum(x) + product(x[2:end]);
    Real p, q;
  initial equation
    der(y) = 1;
  equation
    r = cross({1, 2, 3}, x) + skew(x)*r + transpose(A)*z;
    s = {r, x};
    for i in 1:n - 1, j in {1, 2} loop
      der(x[i]) = x[i + 1]*m[j] + (if i == 1 then 0 else x[i - 1]);
    end for;
    (p, q) = polynomial({1, y, time}, x = y);
    y = root(y) + factorial(4) + max(A) + min(x[k] for k in 1:n);
    z = if y > 0 and not time < 1 then {1, 2} elseif color == Color.red then z else A[:, end]*pi;
    if fast then
      der(y*time) = sin(y) .^ 2;
    else
      y = 2;
    end if;
    assert(n > 1, "at least two");
    annotation(experiment(StopTime = 2*a, Tolerance = 1e-6));
  end M;
end Everything;
