// The mean logarithmic difference of temperatures is 0/0 where both are equal, as in an exchanger in balance.
// expects failure: does not satisfy line 6
model ExchangerOfEqualDifferences
  Real T1(start = 350), T2(start = 300), Q;
equation
  Q = 1000*((400 - T2) - (T1 - 293))/log((400 - T2)/(T1 - 293));
  Q = 500*(400 - T1);
  Q = 500*(T2 - 293);
end ExchangerOfEqualDifferences;
