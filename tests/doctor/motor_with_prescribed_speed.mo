// The speed behind a gear is prescribed: the current of the motor follows, and the voltage from its rate.
// expects: index 3, 0 degrees of freedom
model MotorWithPrescribedSpeed
  Real w, n, i, u, t;
  Real wrong[2] = {i - 4*time, u - 4 - 4*time - 3*time^2};
equation
  n = 3*w;
  n = 3*time^2;
  der(w) = i - t/3;
  der(n) = t;
  u = der(i) + i + 3*w;
end MotorWithPrescribedSpeed;
