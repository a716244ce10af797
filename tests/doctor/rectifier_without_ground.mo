// A bridge of four diodes between a source and a capacitor, a balance at every node and no ground.
// expects error: is a reference missing, as the ground of a circuit (vd = 0)?
model RectifierWithoutGround
  parameter Real C = 1e-6, R = 1e4, Is = 1e-12, Vt = 0.025;
  Real va, vb, vc, vd, id1, id2, id3, id4, is, ir, ic, u(start = 0, fixed = true);
equation
  va - vb = 10*sin(314*time);
  id1 = Is*(exp((va - vc)/Vt) - 1);
  id2 = Is*(exp((vb - vc)/Vt) - 1);
  id3 = Is*(exp((vd - va)/Vt) - 1);
  id4 = Is*(exp((vd - vb)/Vt) - 1);
  u = vc - vd;
  ir = u/R;
  ic = C*der(u);
  is + id1 - id3 = 0;
  -is + id2 - id4 = 0;
  id1 + id2 = ir + ic;
  id3 + id4 = ir + ic;
end RectifierWithoutGround;
