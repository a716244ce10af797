// Colours are not sizes.
model M
  type Color = enumeration(red, green);
  type Size = enumeration(small, large);
  parameter Color c = Size.small;
  Real x(stateSelect = Color.red);
equation
  x = if c == Size.large then time else 0;
end M;
