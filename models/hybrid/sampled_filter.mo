// A digital filter, written as statements: every 0.1 s it takes the mean of its last value and the input, and counts how
// often the input was above a limit. Closed form for u = 1: y after k samples is 1 - 2^(-k).
model SampledFilter "statements at the instants of a clock"
  parameter Real T(unit = "s") = 0.1 "sampling interval";
  input Real u(start = 1) "what is filtered";
  discrete Real y(start = 0, fixed = true) "filtered";
  Integer n(start = 0, fixed = true) "samples so far", above(start = 0, fixed = true) "those with u above 1/2";
  Real x(start = 0, fixed = true) "integral of the filtered value";
equation
  der(x) = y;
algorithm
  when sample(T, T) then
    n := pre(n) + 1;
    y := (pre(y) + u)/2;
    if u > 0.5 then
      above := pre(above) + 1;
    end if;
  end when;
  annotation(experiment(StopTime = 1.05));
end SampledFilter;
