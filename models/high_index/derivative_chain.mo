// A signal and its first n - 1 derivatives: derivative_chain.mo, as long as is wanted.
//
// Index n = 10, no state: all follows from the signal by differentiation.
//
// Source: as derivative_chain.mo (Mattsson and Soderlind 1993, equation (1.2)).
model LongDerivativeChain "A signal and its first nine derivatives"
  parameter Integer n = 10;
  Real x[n];
equation
  x[1] = sin(2*time);
  for i in 1:n - 1 loop
    der(x[i]) = x[i + 1];
  end for;
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end LongDerivativeChain;
