// A net of N x N point masses that hangs on one corner: rows of rigid rods, tied to the next row by a rod and a spring
// in turn, like bricks in a wall. The corner is joined to a pivot at the origin by one more rod. The net is released at
// rest, stretched out to the right along the horizontal and downwards. N is free: `--override N=100` has 80,000 equations.
//
// Index 3. The constraints are independent at the start: at each mass the rods along its row pull in one direction and a
// rod to another row in the other, so forces that balance everywhere vanish between rows, and along a row they are
// constant up to its free end. Of 2 N^2 coordinates, N(N - 1) + 1 rods along rows and those between rows leave 19 for
// N = 5, 38 states with their rates. The matrices of its steps are coupled in two dimensions, those of a chain in one.
//
// Source: own.
model Lattice "A net of N x N point masses on rigid rods and springs"
  parameter Integer N = 5 "masses in a row, and rows";
  parameter Real m(unit = "kg") = 1 "each mass", L(unit = "m") = 1 "each rod and each spring", g(unit = "m/s2") = 9.81 "gravity";
  parameter Real k(unit = "N/m") = 200 "stiffness of the springs";
  Real x[N, N](each unit = "m", start = {{j*L for j in 1:N} for i in 1:N}) "positions, to the right";
  Real y[N, N](each unit = "m", start = {{(1 - i)*L for j in 1:N} for i in 1:N}) "positions, upwards";
  Real ax[N, N](each unit = "m", each start = L) "along row i, from the mass before to mass j";
  Real ay[N, N](each unit = "m", each start = 0) "along row i, from the mass before to mass j";
  Real bx[N, N](each unit = "m", each start = 0) "along column j, from mass i to the next";
  Real by[N, N](each unit = "m", each start = -L) "along column j, from mass i to the next";
  Real p[N, N](each unit = "N/m", each start = 0) "forces along the rows, per length";
  Real q[N, N](each unit = "N/m", each start = 0) "forces along the columns, per length";
equation
  for i in 1:N loop
    for j in 1:N loop
      ax[i, j] = x[i, j] - (if j > 1 then x[i, j - 1] else 0);
      ay[i, j] = y[i, j] - (if j > 1 then y[i, j - 1] else 0);
      bx[i, j] = (if i < N then x[i + 1, j] - x[i, j] else 0);
      by[i, j] = (if i < N then y[i + 1, j] - y[i, j] else -L);
      m*der(der(x[i, j])) = -p[i, j]*ax[i, j] + (if j < N then p[i, j + 1]*ax[i, j + 1] else 0)
                            + q[i, j]*bx[i, j] - (if i > 1 then q[i - 1, j]*bx[i - 1, j] else 0);
      m*der(der(y[i, j])) = -p[i, j]*ay[i, j] + (if j < N then p[i, j + 1]*ay[i, j + 1] else 0)
                            + q[i, j]*by[i, j] - (if i > 1 then q[i - 1, j]*by[i - 1, j] else 0) - m*g;
      0 = (if j > 1 or i == 1 then ax[i, j]^2 + ay[i, j]^2 - L^2 else p[i, j]);
      0 = (if i == N then q[i, j] elseif mod(i + j, 2) == 0 then bx[i, j]^2 + by[i, j]^2 - L^2
           else q[i, j] - k*(bx[i, j]^2 + by[i, j]^2 - L^2)/(2*L^2));
    end for;
  end for;
  annotation(experiment(StopTime = 1, Tolerance = 1e-6),
             __Driftless(invariants(energy = sum(sum(m*(der(x[i, j])^2 + der(y[i, j])^2)/2 + m*g*y[i, j]
               + (if i < N and mod(i + j, 2) == 1 then k*(bx[i, j]^2 + by[i, j]^2 - L^2)^2/(8*L^2) else 0) for j in 1:N) for i in 1:N))));
end Lattice;
