partial function F input Real u; output Real y; end F;
function square extends F; algorithm y := u^2; annotation(smoothOrder = 3, derivative = square_der, Inline = true); end square;
function square_der input Real u; input Real u_der; output Real y_der; algorithm y_der := 2*u*u_der; end square_der;
function power input Real u; input Real p; output Real y; algorithm y := u^p; annotation(GenerateEvents = true); end power;
function square_u = der(square, u);
function mean input F f; input Real a = 0; input Real b = 1; output Real m; algorithm m := (f(a) + f((a + b)/2) + f(b))/3; end mean;
function fold input F f; input Integer n; input Real x; output Real y;
algorithm y := if n == 0 then x else fold(function mean(f = f, b = x), n - 1, f(x)); end fold;
function zero input F f; input Real x0; output Real x; protected Real y = 1;
algorithm x := x0; while abs(y) > 1e-9 loop y := f(x); x := x - y/2; end while; end zero;
function outside input Real x[:]; input String s; output Real y[size(x, 1)]; output Integer n;
external "C" n = outside_of_here(x, size(x, 1), s, y)
  annotation(Library = {"one", "two"}, Include = "int outside_of_here();", derivative(order = 1, noDerivative = s) = outside);
end outside;
class Handle extends ExternalObject;
  function constructor input String name; output Handle h; external "C" h = make(name); end constructor;
  function destructor input Handle h; external "C" free(h); end destructor;
end Handle;
model M
  Real x(start = 1, fixed = true), z[2]; parameter Real w = mean(function power(p = 2), b = 3); Handle h = Handle("a");
  String s = if x > 0.5 then "high" else "low " + String(x > 1); Boolean b = s == "low true"; Integer n;
  type E = enumeration(one, two); Real e[E];
equation
  der(x) = -mean(square)*x + zero(function power(p = w), x) + square_u(x) + mean(sin);
  (z, n) = outside({x, 2*x}, "name");
  for i loop e[i] = if i == E.one then 1 else 2; end for;
end M;
