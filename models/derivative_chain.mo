// The derivative chain: x is given as a function of time, y is its first and z its second derivative. Not a
// differential equation at all, although der occurs twice: all follows from x = f(t) by differentiation.
//
// Index 3, no state: no initial value may be prescribed.
//
// Source: Mattsson and Soderlind, SIAM J. Sci. Comput. 14 (1993) 677-692, equation (1.2).
model DerivativeChain "A signal and its first two derivatives"
  Real x "the signal", y "its derivative", z "its second derivative";
equation
  der(x) = y;
  der(y) = z;
  x = sin(time);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end DerivativeChain;
