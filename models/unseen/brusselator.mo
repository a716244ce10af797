// The Brusselator with diffusion in one dimension by lines: boundary values are held, the inner ones oscillate.
//
// Index 0 but for the boundary, 2 N states. Source: R. Lefever and G. Nicolis, J. Theor. Biol. 30 (1971) 267-284; in
// this form in Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section I.16 and II.10, N = 10.
model Brusselator "Reaction and diffusion"
  parameter Integer N = 10;
  parameter Real A = 1, B = 3, alpha = 0.02;
  constant Real pi = 3.14159265358979323846;
  Real u[N](start = {1 + sin(2*pi*i/(N + 1)) for i in 1:N}, each fixed = true), v[N](each start = 3, each fixed = true);
  Real uu[N + 2], vv[N + 2];
equation
  uu[1] = 1;
  vv[1] = 3;
  for i in 1:N loop
    uu[i + 1] = u[i];
    vv[i + 1] = v[i];
    der(u[i]) = A + u[i]^2*v[i] - (B + 1)*u[i] + alpha*(N + 1)^2*(uu[i] - 2*u[i] + uu[i + 2]);
    der(v[i]) = B*u[i] - u[i]^2*v[i] + alpha*(N + 1)^2*(vv[i] - 2*v[i] + vv[i + 2]);
  end for;
  uu[N + 2] = 1;
  vv[N + 2] = 3;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Brusselator;
