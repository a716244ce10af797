// Both rods are rigid: one of the two branches would have to give way.
record Direction
  Real c, s;
  function equalityConstraint
    input Direction a, b;
    output Real residue[1];
  algorithm
    residue[1] := a.c*b.s - a.s*b.c;
  end equalityConstraint;
end Direction;

connector Frame
  Direction R;
  flow Real t;
end Frame;

model Rod
  Frame a, b;
equation
  Connections.branch(a.R, b.R);
  a.R = b.R;
  a.t + b.t = 0;
end Rod;

model Double
  Frame a, b;
equation
  Connections.branch(a.R, b.R);
  Connections.branch(b.R, a.R);
  a.R = b.R;
  a.t + b.t = 0;
end Double;

model M
  Double d;
  Rod rod;
equation
  connect(d.a, rod.a);
end M;
