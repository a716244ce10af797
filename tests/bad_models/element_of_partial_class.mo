// Nothing can be taken out of a partial package.
partial package P
  constant Real k = 2;
end P;
model M
  Real x;
equation
  x = P.k*time;
end M;
