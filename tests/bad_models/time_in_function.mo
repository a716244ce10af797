// A function knows only its arguments.
function ramp
  output Real y;
algorithm
  y := 2*time;
end ramp;

model Source
  Real y = ramp();
end Source;
