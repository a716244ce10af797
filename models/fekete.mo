// Fekete points: N particles on the unit sphere repel each other with force 1/distance, are damped, and come to rest
// where the product of their mutual distances is largest. 540 equations for N = 20.
//
// Index 3, four states per particle. On the solution lam[i] = -(N - 1)/4 - (u[i]^2 + v[i]^2 + w[i]^2)/2.
//
// Source: Test Set for IVP Solvers, release 2.4 (Mazzia and Magherini 2008), problem "Fekete", here as index 3.
model Fekete "Fekete points: N particles repel each other on the unit sphere"
  constant Real pi = 3.14159265358979323846;
  parameter Integer N = 20;
  parameter Real alpha = 0.5;
  parameter Real a[N] = {if i <= 3 then 2*pi*i/3 + pi/13
                         elseif i <= 10 then 2*pi*(i - 3)/7 + pi/29
                         elseif i <= 16 then 2*pi*(i - 10)/6 + pi/7
                         else 2*pi*(i - 17)/4 + pi/17 for i in 1:N};
  parameter Real b[N] = {if i <= 3 then 3*pi/8 elseif i <= 10 then pi/8
                         elseif i <= 16 then -2*pi/15 else -3*pi/10 for i in 1:N};
  Real x[N](start = {cos(a[i])*cos(b[i]) for i in 1:N}, each fixed = true);
  Real y[N](start = {sin(a[i])*cos(b[i]) for i in 1:N}, each fixed = true);
  Real z[N](start = {sin(b[i]) for i in 1:N});
  Real u[N](each start = 0, each fixed = true);
  Real v[N](each start = 0, each fixed = true);
  Real w[N](each start = 0);
  Real lam[N](each start = -4.75);
  Real r[N, N] "squared distances; 1 on the diagonal, where the numerator vanishes";
equation
  for i in 1:N loop
    for j in 1:N loop
      r[i, j] = (x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2 + (if i == j then 1 else 0);
    end for;
    der(x[i]) = u[i];
    der(y[i]) = v[i];
    der(z[i]) = w[i];
    der(u[i]) = sum((x[i] - x[j])/r[i, j] for j in 1:N) - alpha*u[i] + 2*lam[i]*x[i];
    der(v[i]) = sum((y[i] - y[j])/r[i, j] for j in 1:N) - alpha*v[i] + 2*lam[i]*y[i];
    der(w[i]) = sum((z[i] - z[j])/r[i, j] for j in 1:N) - alpha*w[i] + 2*lam[i]*z[i];
    x[i]^2 + y[i]^2 + z[i]^2 = 1;
  end for;
  annotation(experiment(StopTime = 1000, Tolerance = 1e-6));
end Fekete;
