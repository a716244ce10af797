// Connectors come later.
model Circuit
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin a;
  Pin b;
equation
  connect(a, b);
end Circuit;
