// A coupler on three equal cranks, in their angles: two of them move the coupler, the third follows.
// expects: index 3, 2 degrees of freedom
// expects: wherever the others do
model ThreeCranks
  Real a(start = 1), b(start = 1), c(start = 1), w(start = 0.5), fx[2], fy[2];
  Real wrong[3] = {a - 1 - time/2, b - a, c - a};
equation
  der(a) = w;
  der(w) = fx[1]*sin(a) - fy[1]*cos(a);
  der(der(b)) = -fx[1]*sin(b) + fy[1]*cos(b) + fx[2]*sin(b) - fy[2]*cos(b);
  der(der(c)) = -fx[2]*sin(c) + fy[2]*cos(c);
  cos(a) = cos(b);
  sin(a) = sin(b);
  cos(b) = cos(c);
  sin(b) = sin(c);
end ThreeCranks;
