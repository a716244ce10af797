// Water in five rigid pipes between a pump, three nodes and a consumer: inertia and friction of the water in each
// pipe, and what flows into a node flows out of it. Pressures of the nodes are the multipliers of these balances.
//
// Index 2, two states (of five flows). Friction R q |q| with |q| smoothed, sqrt(q^2 + q0^2).
model PipeNetwork "Incompressible flow in a network of pipes"
  parameter Real L[5] = {1, 0.8, 1.2, 0.5, 0.9}, R[5] = {2, 3, 2.5, 4, 1.5}, q0 = 0.05;
  Real q[5](start = {0.5, 0.3, 0.2, 0.05, 0.25}, fixed = {true, true, false, false, false}), p[3], pump, d;
equation
  pump = 2 + 0.5*sin(time);
  d = 0.1*(1 + tanh(time - 5)) "consumption in node 3";
  L[1]*der(q[1]) = pump - p[1] - R[1]*q[1]*sqrt(q[1]^2 + q0^2);
  L[2]*der(q[2]) = p[1] - p[2] - R[2]*q[2]*sqrt(q[2]^2 + q0^2);
  L[3]*der(q[3]) = p[1] - p[3] - R[3]*q[3]*sqrt(q[3]^2 + q0^2);
  L[4]*der(q[4]) = p[2] - p[3] - R[4]*q[4]*sqrt(q[4]^2 + q0^2);
  L[5]*der(q[5]) = p[2] - R[5]*q[5]*sqrt(q[5]^2 + q0^2);
  q[1] = q[2] + q[3];
  q[2] = q[4] + q[5];
  q[3] + q[4] = d + 0.25;
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end PipeNetwork;
