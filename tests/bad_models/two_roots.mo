// Both ends say that they know their direction.
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
  Connections.root(a.R);
  Connections.root(b.R);
  Connections.branch(a.R, b.R);
  a.R.c = 1;
  a.R.s = 0;
  b.R = a.R;
end Rod;

model M
  Rod rod;
end M;
