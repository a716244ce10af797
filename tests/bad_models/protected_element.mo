// What is protected is for the package itself.
package P
  constant Real k = 2*hidden;
protected
  constant Real hidden = 1;
end P;
model M
  Real x;
equation
  x = P.k*P.hidden*time;
end M;
