model ResistorCube "Twelve equal resistors along the edges of a cube, between opposite corners"
  import Driftless.Electrical.*;
  parameter Integer from[12] = {1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7}, to[12] = {2, 3, 4, 5, 6, 5, 7, 6, 7, 8, 8, 8};
  Pin corner[8];
  Resistor edge[12](each R = 6);
  ConstantVoltage source(V = 10);
  Ground ground;
equation
  for k in 1:12 loop
    connect(edge[k].p, corner[from[k]]);
    connect(edge[k].n, corner[to[k]]);
  end for;
  connect(source.p, corner[1]);
  connect(source.n, corner[8]);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 1));
end ResistorCube;
