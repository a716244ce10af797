model ResistorMesh "A square mesh of resistors between two opposite corners"
  import Driftless.Electrical.*;
  parameter Integer n = 3 "Nodes along an edge";
  ConstantVoltage source(V = 1);
  Resistor along[n, n - 1](each R = 1), across[n - 1, n](each R = 1);
  Ground ground;
equation
  connect(source.p, along[1, 1].p);
  connect(source.n, along[n, n - 1].n);
  connect(source.n, ground.p);
  for i in 1:n loop
    for j in 1:n - 2 loop
      connect(along[i, j].n, along[i, j + 1].p);
    end for;
  end for;
  for j in 1:n loop
    for i in 1:n - 2 loop
      connect(across[i, j].n, across[i + 1, j].p);
    end for;
  end for;
  for i in 1:n - 1, j in 1:n - 1 loop
    connect(along[i, j].p, across[i, j].p);
  end for;
  for i in 1:n - 1 loop
    connect(along[i, n - 1].n, across[i, n].p);
  end for;
  for j in 1:n - 1 loop
    connect(along[n, j].p, across[n - 1, j].n);
  end for;
  connect(along[n, n - 1].n, across[n - 1, n].n);
  annotation(experiment(StopTime = 1));
end ResistorMesh;
