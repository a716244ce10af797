// Campbell and Gear's example, y[m] N der(y) + y = 0 with N the shift: a chain of derivatives, multiplied by a variable
// that is zero.
//
// Differentiation index 1: on the only solution, y = 0, all products vanish. Perturbation index m: a disturbance eps in
// the last equation makes y[m] = eps, and the chain of size m comes to life.
//
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Section VII.1, equation (1.32).
model CampbellGear "The differentiation index is 1, the perturbation index is m"
  parameter Integer m = 3 "length of the chain";
  Real y[m];
equation
  for i in 1:m - 1 loop
    y[m]*der(y[i + 1]) + y[i] = 0;
  end for;
  y[m] = 0;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end CampbellGear;
