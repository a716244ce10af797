// The ratio of a gear for angles and for speeds, a torque for each: one follows from the other.
// expects: not unique, and taken as small as possible: t1, t2
model GearRatioAndItsRate
  Real phi1(start = 0.1, fixed = true), phi2, w1(start = 0, fixed = true), w2, t1, t2;
  Real wrong[3] = {phi1 - 2*phi2, t1 - t2, phi1 - 0.1*cos(time*sqrt(1/2.75))};
equation
  w1 = der(phi1);
  w2 = der(phi2);
  2*der(w1) = -phi1 + t1 + t2;
  3*der(w2) = -2*t1 - 2*t2;
  phi1 = 2*phi2;
  w1 = 2*w2;
end GearRatioAndItsRate;
