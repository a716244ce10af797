// The nodal equation of one node is left out, as it should be, but no node is the ground.
// expects error: only differences of u, v and w occur in the model: is a reference missing
// expects error: one equation is missing
model MissingGroundAndNode
  Real u, v, w;
equation
  (u - v)/2 + exp(u - w) = 3 + sin(time);
  (v - u)/2 + (v - w)^3 = 1;
end MissingGroundAndNode;
