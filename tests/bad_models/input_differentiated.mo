model InputDifferentiated "a prescribed position whose second derivative is needed"
  input Real u;
  Real x, F;
equation
  der(der(x)) = F;
  x = u;
end InputDifferentiated;
