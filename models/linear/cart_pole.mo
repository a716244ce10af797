model CartPole "A pole that stands upright on a cart, in Cartesian coordinates: index 3"
  parameter Real M(unit = "kg") = 2 "mass of the cart";
  parameter Real m(unit = "kg") = 0.5 "mass at the end of the pole";
  parameter Real L(unit = "m") = 0.8 "length of the pole";
  parameter Real g(unit = "m/s2") = 9.81;
  input Real F(unit = "N", start = 0) "force on the cart";
  Real x(unit = "m", start = 0, fixed = true) "position of the cart";
  Real px(unit = "m", start = 0, fixed = true) "position of the mass, to the right";
  Real py(unit = "m", start = L) "position of the mass, upwards";
  Real lambda(unit = "N/m") "force in the pole, per length";
initial equation
  der(x) = 0;
  der(px) = 0;
equation
  M*der(der(x)) = F + lambda*(px - x);
  m*der(der(px)) = -lambda*(px - x);
  m*der(der(py)) = -lambda*py - m*g;
  (px - x)^2 + py^2 = L^2;
end CartPole;
