// The nilpotent chain N der(z) + z = d(t) with N the shift of size 3: every unknown is a derivative of the data.
//
// z3 = sin(t), z2 = -cos(t) and z1 = exp(-t) - sin(t) follow without any initial value; index 3 by every definition.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, equation (1.12).
model NilpotentChain "A chain of three unknowns of which none is free"
  Real z1, z2, z3;
equation
  der(z2) + z1 = exp(-time);
  der(z3) + z2 = 0;
  z3 = sin(time);
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end NilpotentChain;
