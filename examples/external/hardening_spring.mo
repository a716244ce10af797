model HardeningSpring "A mass on a spring whose force is a C function"
  function force "x^3 of the C library"
    input Real x;
    output Real f;
  external "C" f = pow(x, 3.0) annotation(derivative = force_der);
  end force;
  function force_der "its derivative by time"
    input Real x;
    input Real x_der;
    output Real f_der;
  algorithm
    f_der := 3*x^2*x_der;
  end force_der;
  Real x(start = 1, fixed = true) "position";
  Real v(start = 0, fixed = true) "velocity";
  Real p "power of the spring";
equation
  der(x) = v;
  der(v) = -force(x);
  p = der(force(x));
  annotation(experiment(StopTime = 7.416298709205487, Tolerance = 1e-9),
             __Driftless(invariants(energy = v^2/2 + x^4/4)));
end HardeningSpring;
