model DelayedFeedback "der(x) = -x(t - 1), with x = 1 up to t = 0: a polynomial of degree k + 1 between k and k + 1"
  parameter Real T = 1 "by which the feedback is late";
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, T);
  annotation(experiment(StopTime = 12));
end DelayedFeedback;
