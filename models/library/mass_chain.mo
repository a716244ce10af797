model MassChain "Three equal masses between walls, held by four springs, in their first mode"
  import Driftless.Translational.*;
  Fixed left, right;
  Spring spring[4](each c = 100);
  Mass mass[3](each m = 1, s(start = {sqrt(0.5), 1, sqrt(0.5)}, each fixed = true), v(each fixed = true));
equation
  connect(left.flange, spring[1].flange_a);
  connect(spring[4].flange_b, right.flange);
  for k in 1:3 loop
    connect(spring[k].flange_b, mass[k].flange_a);
    connect(mass[k].flange_b, spring[k + 1].flange_a);
  end for;
  annotation(experiment(StopTime = 3));
end MassChain;
