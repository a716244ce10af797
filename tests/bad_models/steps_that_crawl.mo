// A brake that pushes back once the mass has come to rest: from then on no step is short enough.
model StepsThatCrawl "A brake that changes its direction at rest"
  Real v(start = 1, fixed = true);
equation
  der(v) = noEvent(if v > 0 then -1 else 1);
  annotation(experiment(StopTime = 10000));
end StepsThatCrawl;
