// Everything that classes can do to each other, in small: what mutations make of it is often nearly right.
package Lib
  constant Real g = 9.81;
  package Icons partial model Icon end Icon; end Icons;
  partial package Medium
    constant Integer n = 1;
    replaceable record State Real T; end State;
    replaceable function density input State s; output Real d; algorithm d := s.T*n; end density;
  end Medium;
  package Water extends Medium(n = 2);
    redeclare record extends State Real p; end State;
    redeclare function extends density algorithm d := s.T + n; end density;
  end Water;
  connector Pin Real v; flow Real i; end Pin;
  connector Plug parameter Integer m = 2; Pin pin[m]; end Plug;
  connector In = input Real;
  connector Out = output Real;
  partial model TwoPin extends Icons.Icon; Pin p; Pin n; Real v; Real i;
  equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end TwoPin;
  model R extends TwoPin; parameter Real R = 1; equation v = R*i; end R;
  model C extends TwoPin(v(start = 1, fixed = true)); parameter Real C = 1; equation C*der(v) = i; end C;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Host
    replaceable R element(R = 2) constrainedby TwoPin;
    replaceable model Part = C constrainedby TwoPin;
    Part part[2](each C = 3);
    outer parameter Real scale;
    R extra(R = scale) if scale > 0;
    Ground ground;
  equation
    connect(element.p, part[1].p);
    for k in 1:1 loop connect(part[k].n, part[k + 1].p); end for;
    connect(part[2].n, element.n);
    connect(element.n, ground.p);
    connect(extra.p, element.p);
    connect(extra.n, element.n);
  end Host;
end Lib;
model M
  import Lib.*;
  import L = Lib;
  inner parameter Real scale = 2;
  extends Host(redeclare R element(R = 5), part(C = {1, 2}));
  Host inside(redeclare model Part = L.C(C = 4), final element(R.start = 1));
  replaceable package Fluid = Lib.Water constrainedby Lib.Medium;
  Fluid.State state(T = time, p = 1);
  Real d = Fluid.density(state);
end M;
