// A bead on a bent wire: at the corner its velocity would jump.
model Corner
  Real x(start = 1), y(start = 1), F;
equation
  der(der(x)) = -F - 1;
  der(der(y)) = F - 9.81;
  y = abs(x);
end Corner;
