// A position is prescribed, and a velocity that does not follow from it.
// expects error: line 8
model PrescribedTwiceDifferently
  Real x, v, f, g;
equation
  der(x) = v;
  der(v) = f + g;
  x = sin(time);
  v = 2*cos(time);
end PrescribedTwiceDifferently;
