// Kepler's equation by Newton's iteration in a loop whose number of turns depends on time: the loop becomes a program,
// whose derivative is needed for the speed. The radius vector sweeps out sqrt(1 - e^2)/2 of area in a unit of time
// (Kepler's second law).
model KeplerEquation "a planet, by Newton's iteration for E - e*sin(E) = M at every time"
  parameter Real e = 0.6 "eccentricity";
  Real M "mean anomaly", E(start = 0) "eccentric anomaly", step, x, y, area(start = 0, fixed = true);
equation
  M = time;
  der(area) = (x*der(y) - y*der(x))/2;
algorithm
  E := M;
  step := 1;
  while abs(step) > 1e-15 loop
    step := (E - e*sin(E) - M)/(1 - e*cos(E));
    E := E - step;
  end while;
  x := cos(E) - e;
  y := sqrt(1 - e^2)*sin(E);
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end KeplerEquation;
