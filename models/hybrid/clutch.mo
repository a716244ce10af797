model Clutch "two rotors turn freely until a clutch joins them: index 1, then index 2"
  parameter Real J1(unit = "kg.m2") = 2, J2(unit = "kg.m2") = 3, closes(unit = "s") = 1, opens(unit = "s") = 2;
  parameter Real drive(unit = "N.m") = 1;
  Real w1(unit = "rad/s", start = 10, fixed = true), w2(unit = "rad/s", start = 1, fixed = true);
  Real tau(unit = "N.m") "torque of the clutch";
  Boolean closed = time >= closes and time < opens;
equation
  J1*der(w1) = drive - tau;
  J2*der(w2) = tau;
  if closed then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 3));
end Clutch;
