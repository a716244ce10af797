// The velocity that is prescribed is that of the prescribed position at the start, and at no other time.
// expects error: line 9
model PositionAndVelocityThatPart
  Real x, v, f, g;
equation
  // the force is shared
  der(x) = v;
  der(v) = f + g;
  x = sin(time);
  v = cos(time) + 0.1*time;
end PositionAndVelocityThatPart;
