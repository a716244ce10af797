// Heat conduction in a rod by lines, with a conductivity that grows with the temperature; the left end is heated, the
// right end radiates: the temperatures at both ends follow from the balance of the surfaces, a quartic equation at
// the right.
//
// Index 1, N states.
model HeatRod "Heat equation with radiation at one end"
  parameter Integer N = 12;
  parameter Real L = 1, k0 = 1, b = 0.3, eps = 0.8, h = L/N;
  Real T[N](each start = 1, each fixed = true), TL(start = 1), TR(start = 1), q[N + 1];
equation
  q[1] = 2*(1 - exp(-5*time));
  q[1] = -k0*(1 + b*(TL + T[1])/2)*(T[1] - TL)/(h/2);
  for i in 2:N loop
    q[i] = -k0*(1 + b*(T[i - 1] + T[i])/2)*(T[i] - T[i - 1])/h;
  end for;
  q[N + 1] = -k0*(1 + b*(T[N] + TR)/2)*(TR - T[N])/(h/2);
  q[N + 1] = eps*(TR^4 - 0.5);
  for i in 1:N loop
    h*der(T[i]) = q[i] - q[i + 1];
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end HeatRod;
