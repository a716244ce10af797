// Two mistakes that have nothing to do with each other: p is determined twice, r and s only once.
model Two
  Real p, q, r, s;
equation
  p = 1 + time;
  2*p = time;
  der(q) = -q;
  r + s = sin(time);
end Two;
