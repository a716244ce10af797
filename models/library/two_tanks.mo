model TwoTanks "Two tanks joined by a pipe: the levels become equal"
  import Driftless.Hydraulic.*;
  Tank left(A = 2, h_start = 3), right(A = 1, h_start = 1);
  LaminarPipe pipe(R = 1e6);
equation
  connect(left.port, pipe.port_a);
  connect(pipe.port_b, right.port);
  annotation(experiment(StopTime = 200));
end TwoTanks;
