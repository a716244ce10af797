// atan2 takes two arguments.
model Angle
  Real phi;
equation
  phi = atan2(time);
end Angle;
