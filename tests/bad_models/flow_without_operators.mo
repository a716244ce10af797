// Flows are summed up to zero: a record needs the operators for that.
operator record Pair
  Real a;
  operator function '+'
    input Pair x;
    input Pair y;
    output Pair z;
  algorithm
    z.a := x.a + y.a;
  end '+';
end Pair;

connector Port
  Pair e;
  flow Pair f;
end Port;

model Part
  Port port;
equation
  port.f.a = port.e.a;
end Part;

model Pairs
  Part one, two;
equation
  connect(one.port, two.port);
end Pairs;
