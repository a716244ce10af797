// A cantilever by finite differences (Euler and Bernoulli): w is the deflection in N points, m the bending moment,
// the root is clamped, the tip is free and carries a force that swells and fades. Structural damping.
//
// Index 1, 2 N states. Linear with a forcing.
model Beam "Cantilever in N points"
  parameter Integer N = 8;
  parameter Real L = 1, EI = 1, rho = 1, c = 0.002, h = L/N;
  Real w[N](each start = 0, each fixed = true), v[N](each start = 0, each fixed = true), m[N], F;
equation
  F = 0.5*exp(-((time - 0.6)/0.2)^2);
  m[1] = EI*2*w[1]/h^2 + c*EI*2*v[1]/h^2;
  m[2] = EI*(w[2] - 2*w[1])/h^2 + c*EI*(v[2] - 2*v[1])/h^2;
  for i in 3:N loop
    m[i] = EI*(w[i] - 2*w[i - 1] + w[i - 2])/h^2 + c*EI*(v[i] - 2*v[i - 1] + v[i - 2])/h^2;
  end for;
  for i in 1:N loop
    der(w[i]) = v[i];
  end for;
  for i in 1:N - 2 loop
    rho*der(v[i]) = -(m[i] - 2*m[i + 1] + m[i + 2])/h^2;
  end for;
  rho*der(v[N - 1]) = -(m[N - 1] - 2*m[N])/h^2;
  rho/2*der(v[N]) = -m[N]/h^2 + F/h;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end Beam;
