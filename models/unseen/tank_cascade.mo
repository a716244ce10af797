// Four tanks in a row with outflows by Torricelli's law, a smooth change of the inflow, and a controller that acts on
// the inflow to hold the level of the last one; the level of the second and third tank are joined by a wide pipe, so
// they are equal and its flow qj is what makes them so.
//
// Index 2, four states of five candidates.
model TankCascade "Tanks, a wide pipe and a controller"
  parameter Real A1 = 1, A2 = 0.5, A3 = 0.8, A4 = 1.2, a = 0.2, g = 9.81, Kp = 0.6, Ti = 8;
  Real h1(start = 1, fixed = true), h2(start = 0.8, fixed = true), h3(start = 0.8), h4(start = 0.5, fixed = true);
  Real e(start = 0, fixed = true) "integral of the deviation", q0, q1, q2, q3, qj, r;
equation
  r = 0.6 + 0.2*tanh((time - 10)/2);
  q0 = 0.6 + Kp*((r - h4) + e/Ti);
  der(e) = r - h4;
  q1 = a*sqrt(2*g*h1);
  q2 = 0.5*a*sqrt(2*g*h2) + 0.5*a*sqrt(2*g*h3);
  q3 = a*sqrt(2*g*h4);
  A1*der(h1) = q0 - q1;
  A2*der(h2) = q1 - qj - 0.5*a*sqrt(2*g*h2);
  A3*der(h3) = qj - 0.5*a*sqrt(2*g*h3);
  h2 = h3;
  A4*der(h4) = q2 - q3;
  annotation(experiment(StopTime = 40, Tolerance = 1e-6));
end TankCascade;
