// Differential equations that a clock discretizes.
model Discretized
  Clock c = Clock(Clock(0.1), solverMethod = "ExplicitEuler");
  Real x = sample(time, c);
end Discretized;
