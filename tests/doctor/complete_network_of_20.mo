// 20 nodes, a capacitor between each and the next in a ring, a resistor from each to ground.
// expects: index 1, 19 degrees of freedom
model CompleteNetworkOf20
  parameter Integer n = 20;
  parameter Real C[n] = {1 + k/n for k in 1:n};
  Real u[n];
  Real wrong = sum(u)/n;
initial equation
  for k in 2:n loop
    u[k] - u[1] = sin(k);
  end for;
equation
  for k in 1:n loop
    C[k]*(der(u[k]) - der(u[mod(k, n) + 1])) + C[mod(k - 2, n) + 1]*(der(u[k]) - der(u[mod(k - 2, n) + 1])) = -u[k];
  end for;
end CompleteNetworkOf20;
