// Four capacitors from nodes to a star point that has no other branch: the four node equations add up to the fifth.
// expects: index 1, 4 degrees of freedom
model CapacitorLoopThroughAStar
  parameter Real C[4] = {1, 2, 3, 4};
  Real u[4], star;
  Real wrong = sum(u);
initial equation
  u[1] - star = 1;
  u[2] - star = -0.5;
  u[3] - star = 0;
  u[4] - star = 2;
equation
  for k in 1:4 loop
    C[k]*(der(u[k]) - der(star)) = -u[k];
  end for;
  sum(C[k]*(der(u[k]) - der(star)) for k in 1:4) = 0;
end CapacitorLoopThroughAStar;
